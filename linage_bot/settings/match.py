"""The settings of an event: its game, its engines, its clock, and the number of games.

These classes are read from TOML by `reading.load`; every key is described in `docs/match.md`.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final

import attrs

from linage_bot.rules import GAMES
from linage_bot.rules.game import Game
from linage_bot.rules.options import BadOption, format_option
from linage_bot.settings.checks import at_least, check_text, one_of, within
from linage_bot.settings.reading import advice

IRRELEVANT: Final = ("out", "concurrency", "anchors", "ladder")
"""Keys that do not affect the games; they may change while an event is interrupted."""


def check_game(_settings: object, _field: object, value: str) -> None:
    """Raise `ValueError` unless a value is the id of a game."""
    if value not in GAMES:
        raise ValueError(f"there is no game {value!r}; {advice(value, GAMES)}")


def _check_rules(settings: GameSettings, field: attrs.Attribute[Any], _value: object) -> None:
    """Raise `ValueError` for the size, the komi or the options, as the game refuses it."""
    try:
        settings.configure()
    except BadOption as error:
        if error.name == field.name:
            raise ValueError(error.reason) from None
        if field.name == "options" and error.name not in ("size", "komi"):
            raise ValueError(str(error)) from None


@attrs.frozen
class GameSettings:
    """A game as the file describes it."""

    id: str = attrs.field(default="linage", validator=check_game)
    size: int | str | None = attrs.field(default=None, validator=_check_rules)
    komi: float | None = attrs.field(default=None, validator=_check_rules)
    options: Mapping[str, str | int | bool] = attrs.field(factory=dict, validator=_check_rules)

    def configure(self) -> Game:
        """Return the game; raises `BadOption`."""
        size = None if self.size is None else str(self.size)
        words = {name: format_option(value) for name, value in self.options.items()}
        return GAMES[self.id].configure(size, self.komi, words)


@attrs.frozen
class ClockSettings:
    """The time each player has, in the terms of GTP's clocks; the runner holds the clocks.

    `move_seconds` alone: a fixed time for every move. Else main time, followed by byo-yomi
    (`periods` of `period_seconds` for a move each), by Canadian periods (`period_moves` moves in
    `period_seconds`), or by nothing; or Fischer's increments.
    """

    main_seconds: float = attrs.field(default=0.0, validator=at_least(0))
    increment_seconds: float = attrs.field(default=0.0, validator=at_least(0))
    period_seconds: float = attrs.field(default=0.0, validator=at_least(0))
    period_moves: int = attrs.field(default=1, validator=at_least(1))
    periods: int = attrs.field(default=1, validator=at_least(1))
    move_seconds: float = attrs.field(default=0.0, validator=at_least(0))
    margin_seconds: float = attrs.field(default=0.1, validator=at_least(0))

    @move_seconds.validator
    def _check_system(self, _field: object, _value: float) -> None:
        used = [
            name
            for name in ("main_seconds", "increment_seconds", "period_seconds", "move_seconds")
            if getattr(self, name)
        ]
        if not used:
            raise ValueError("has no time; give main_seconds, period_seconds or move_seconds")
        if self.move_seconds and len(used) > 1:
            raise ValueError(
                f"a fixed time for every move excludes {used[0]}; leave one of them out"
            )
        if self.increment_seconds and not self.main_seconds:
            raise ValueError("increments need main_seconds to begin with")
        if self.increment_seconds and self.period_seconds:
            raise ValueError("a clock has either increments or periods")
        if self.period_moves > 1 and self.periods > 1:
            raise ValueError("a clock has either several periods or several moves in one period")


def check_command(_settings: object, _field: object, value: str | tuple[str, ...]) -> None:
    """Raise `ValueError` unless a value is a usable command line."""
    try:
        words = split_command(value)
    except ValueError as error:
        raise ValueError(f"{error} in {value!r}") from None
    if not words or not words[0]:
        raise ValueError("the command line is empty; name a program")
    if any("\0" in word for word in words):
        raise ValueError("a command line cannot contain NUL")


def split_command(command: str | tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a command line, written as in a shell or as a list."""
    return tuple(shlex.split(command)) if isinstance(command, str) else command


def check_lines(settings: object, _field: object, value: tuple[str, ...]) -> None:
    """Raise `ValueError` unless each line is a command that can be sent to an engine."""
    for line in value:
        if not line.strip() or not line.isprintable() or not line.isascii() or "#" in line:
            protocol = getattr(settings, "protocol", "gtp").upper()
            raise ValueError(f"{line!r} is not a {protocol} command")


def _check_options(settings: object, _field: object, value: Mapping[str, str | int | bool]) -> None:
    for name, option in value.items():
        if name in ("size", "komi"):
            raise ValueError(f"{name} is the same for every engine; set it under [game]")
        word = f"{name}={format_option(option)}"
        if not name or not word.isascii() or not word.isprintable() or set(word) & set(" #"):
            protocol = getattr(settings, "protocol", "gtp").upper()
            raise ValueError(f"{word!r} cannot be sent in {protocol}")


def _check_name(_settings: object, _field: object, value: str) -> None:
    if not value.isprintable() or value != value.strip() or len(value) > 60:
        raise ValueError(f"{value!r} is not a name of at most 60 letters on one line")


def _check_go(settings: EngineSettings, _field: object, value: str) -> None:
    if value and settings.protocol != "ugi":
        raise ValueError("only UGI engines use it; leave it out")
    if not value.isascii() or not value.isprintable():
        raise ValueError(f"{value!r} cannot follow `go`")


_LATER: Final = {"later": True}
"""The mark of a key that older events lack: its default does not change their fingerprints."""


@attrs.frozen
class EngineSettings:
    """One engine: its command line, and the commands and options that are sent to it first.

    `options` replace the event's options for this engine or add to them; those with an empty value
    are not sent. The referee keeps to the event's game. `go` is the search limit sent to a UGI
    engine where no clock runs.
    """

    command: str | tuple[str, ...] = attrs.field(validator=check_command)
    name: str = attrs.field(default="", validator=_check_name)
    cwd: str | None = None
    env: Mapping[str, str] = attrs.field(factory=dict)
    start_commands: tuple[str, ...] = attrs.field(default=(), validator=check_lines)
    options: Mapping[str, str | int | bool] = attrs.field(factory=dict, validator=_check_options)
    clock: ClockSettings | None = None
    protocol: str = attrs.field(default="gtp", validator=one_of(("gtp", "ugi")), metadata=_LATER)
    go: str = attrs.field(default="", validator=_check_go, metadata=_LATER)

    @property
    def argv(self) -> tuple[str, ...]:
        """The command line in words."""
        return split_command(self.command)


def _check_engines(
    settings: MatchSettings, _field: object, value: tuple[EngineSettings, ...]
) -> None:
    if len(value) < 2:
        raise ValueError(f"an event needs at least two engines, not {len(value)}")
    names = settings.names
    for index, name in enumerate(names):
        if name in names[:index]:
            raise ValueError(f"two engines have the name {name!r}; give each engine another name")


@attrs.frozen
class OpeningSettings:
    """The openings of games: from files, from shipped lists, or a number of random moves."""

    random_moves: int = attrs.field(default=0, validator=at_least(0))
    seed: int = 0
    balanced: bool = False
    text: str | None = attrs.field(default=None, validator=check_text)
    sgf: tuple[str, ...] = ()
    moves: int | None = attrs.field(default=None, validator=at_least(1))

    @text.validator
    def _check_source(self, _field: object, _value: object) -> None:
        names = ("random_moves", "balanced", "text", "sgf")
        sources = [name for name in names if getattr(self, name)]
        if len(sources) > 1:
            raise ValueError(f"give only one source of openings, not {' and '.join(sources)}")
        if self.moves is not None and not self.sgf:
            raise ValueError("moves is only for openings from SGF files; add sgf, or leave it out")


@attrs.frozen
class SprtSettings:
    """A sequential test that ends a match when it is decided.

    `elo0` and `elo1` have bounds, for no distribution of pair scores with a far larger difference
    can be distinguished from one side winning all.
    """

    elo0: float = attrs.field(validator=within(-2000, 2000))
    elo1: float = attrs.field(validator=within(-2000, 2000))
    alpha: float = attrs.field(default=0.05)
    beta: float = attrs.field(default=0.05)
    model: str = attrs.field(default="normalized", validator=one_of(("logistic", "normalized")))

    @elo1.validator
    def _check_order(self, _field: object, value: float) -> None:
        if value <= self.elo0:
            raise ValueError(f"{value:g} is not above elo0, {self.elo0:g}")

    @alpha.validator
    @beta.validator
    def _check_share(self, _field: object, value: float) -> None:
        if not 0 < value < 0.5:
            raise ValueError(f"{value:g} is not between 0 and 0.5")


@attrs.frozen
class MatchSettings:
    """A whole event.

    `games` are played between every two engines, colours alternating. An engine that has not
    answered after `patience_seconds`, unless a clock sets another limit, counts as hanging; one
    that fails in `max_failures` games in succession is withdrawn. Without a `referee` moves are not
    checked and the engines themselves score.
    """

    games: int = attrs.field(validator=at_least(1))
    out: str = attrs.field(validator=check_text)
    engines: tuple[EngineSettings, ...] = attrs.field(validator=_check_engines)
    game: GameSettings | tuple[GameSettings, ...] = attrs.field(default=GameSettings())
    clock: ClockSettings | None = None
    openings: OpeningSettings | None = None
    sprt: SprtSettings | None = attrs.field(default=None)
    anchors: Mapping[str, float] = attrs.field(factory=dict)
    tournament: str = attrs.field(validator=one_of(("match", "round-robin", "gauntlet", "swiss")))
    rounds: int | None = attrs.field(default=None, validator=at_least(1))
    name: str = attrs.field(default="", validator=_check_name)
    concurrency: int = attrs.field(default=1, validator=at_least(1))
    max_moves: int | None = attrs.field(default=None, validator=at_least(1))
    agree_moves: int | None = attrs.field(default=None, validator=at_least(1))
    pie: bool = attrs.field(default=False)
    referee: bool = True
    patience_seconds: float = attrs.field(default=120.0, validator=at_least(0.001))
    max_failures: int = attrs.field(default=25, validator=at_least(1))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the engines; those without a name by their program and place."""
        return tuple(
            engine.name or f"{PurePath(engine.argv[0]).stem} {index + 1}"
            for index, engine in enumerate(self.engines)
        )

    @pie.validator
    def _check_pie(self, _field: object, value: bool) -> None:
        kinds = {GAMES[game.id].pie for game in self.all_games}
        if value and "none" in kinds:
            raise ValueError("a game of this event has no pie; set it to false")
        if value and "stone" in kinds and self.openings is not None:
            raise ValueError("the pie offers the first stone, so [openings] must be left out")
        if value and not self.referee:
            raise ValueError("the pie needs referee = true")

    @tournament.default
    def _usual_tournament(self) -> str:
        return "match" if len(self.engines) == 2 else "round-robin"

    @game.validator
    def _check_game(self, _field: object, value: object) -> None:
        if value == ():
            raise ValueError("the list of games is empty")

    @tournament.validator
    def _check_tournament(self, _field: object, value: str) -> None:
        if value == "match" and len(self.engines) != 2:
            raise ValueError(f"a match needs exactly two engines, not {len(self.engines)}")

    @rounds.validator
    def _check_rounds(self, _field: object, value: int | None) -> None:
        if value is not None and self.tournament != "swiss":
            raise ValueError("only a Swiss tournament has rounds; set tournament to swiss")

    @sprt.validator
    def _check_sprt(self, _field: object, value: SprtSettings | None) -> None:
        if value is not None and len(self.engines) != 2:
            raise ValueError("a sequential test needs exactly two engines")

    @anchors.validator
    def _check_anchors(self, _field: object, value: Mapping[str, float]) -> None:
        for name in value:
            if name not in self.names:
                raise ValueError(f"there is no engine {name!r}")

    @property
    def all_games(self) -> tuple[GameSettings, ...]:
        """The games that are played in turn."""
        return self.game if isinstance(self.game, tuple) else (self.game,)

    @property
    def swiss_rounds(self) -> int:
        """The number of rounds of a Swiss tournament."""
        return self.rounds or max(1, (len(self.engines) - 1).bit_length())

    def table(self) -> dict[str, Any]:
        """Return all settings as plain values, without later keys that were left out."""
        return attrs.asdict(
            self,
            filter=lambda field, value: "later" not in field.metadata or value != field.default,
        )

    def fingerprint(self, openings: str = "") -> str:
        """Return a hash of all settings that affect the games, with `openings`, a hash of files."""
        relevant = {key: value for key, value in self.table().items() if key not in IRRELEVANT}
        text = json.dumps([relevant, openings], sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()
