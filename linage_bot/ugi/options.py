"""The options of `setoption`: those of the game that `startpos` begins, and those of the player.

Runners send options in any order. So every option of every game can be set at any time, and each is
checked on its own. Whether they fit together is checked only when a game begins with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import attrs

from linage_bot.rules import GAMES
from linage_bot.rules.boards import BadSize
from linage_bot.rules.game import LARGEST_KOMI, Game
from linage_bot.rules.options import BadOption, Option, format_option, shortened
from linage_bot.settings.playing import BOUNDS, PlaySettings
from protocol.session.arguments import parse_bool, parse_float, parse_int
from protocol.session.errors import CommandFailed
from protocol.ugi.messages import UgiOption

_RANDOM: Final = -1  # the number for no seed
_NO_LIMIT: Final = 0  # of visits
_MOST_OF_SPIN: Final = 2**31 - 1  # for runners that read no more


@attrs.frozen
class GameSpec:
    """A requested game: only the options that were set, because each game has its own defaults."""

    game: str = "linage"
    words: Mapping[str, str] = attrs.field(factory=dict)  # size, komi and options
    pie: bool = False

    @classmethod
    def of(cls, game: Game) -> GameSpec:
        """Return the words that request a game."""
        usual = type(game).configure()
        values = {"size": game.board.size, "komi": f"{game.komi:g}", **game.settings()}
        default = {"size": usual.board.size, "komi": f"{usual.komi:g}", **usual.settings()}
        return cls(game.id, {name: word for name, word in values.items() if word != default[name]})

    def configure(self) -> Game:
        """Return the game; raises `BadOption` if the words do not fit together.

        Options that this game does not have are ignored.
        """
        kind = GAMES[self.game]
        komi = self.words.get("komi") if kind.komi_step is not None else None
        options = {name: word for name, word in self.words.items() if name in kind.options()}
        size = self.words.get("size")
        return kind.configure(size, None if komi is None else float(komi), options)

    def with_word(self, name: str, word: str) -> GameSpec:
        """Return a copy with one word added or replaced; raises `CommandFailed`."""
        if name == "game":
            if word not in GAMES:
                raise CommandFailed(
                    f"game: {shortened(word)!r} is not a game; the games are {', '.join(GAMES)}"
                )
            return attrs.evolve(self, game=word)
        if name == "pie":
            return attrs.evolve(self, pie=parse_bool(word))
        if name == "komi":
            if abs(parse_float(word)) > LARGEST_KOMI:
                raise CommandFailed(
                    f"komi: {shortened(word)} is too large; the limit is {LARGEST_KOMI}"
                )
        else:
            _check_for_some_game(name, word)
        return attrs.evolve(self, words={**self.words, name: word})


def _check_for_some_game(name: str, word: str) -> None:
    """Refuse a size or an option that no game has; raises `CommandFailed`."""
    refusal: Exception | None = None
    for kind in GAMES.values():
        try:
            if name == "size":
                kind.board_kind.parse(word)
            elif name in kind.options():
                kind.options()[name].parse(name, word)
            else:
                continue
        except (BadOption, BadSize) as error:
            refusal = refusal or error
        else:
            return
    raise CommandFailed(f"{name}: {refusal}" if isinstance(refusal, BadSize) else str(refusal))


def options_of_games() -> dict[str, Option]:
    """Return the options of all games by name; of several with one name the first."""
    found: dict[str, Option] = {}
    for kind in GAMES.values():
        for name, option in kind.options().items():
            found.setdefault(name, option)
    return found


def described(words: GameSpec, settings: PlaySettings) -> Iterator[UgiOption]:
    """Yield all options, each with its current value as the default."""
    kind = GAMES[words.game]
    yield UgiOption(name="game", kind="combo", default=words.game, choices=tuple(GAMES))
    size = words.words.get("size", kind.default_size)
    yield UgiOption(name="size", kind="string", default=size)
    komi = words.words.get("komi", f"{kind.default_komi:g}")
    yield UgiOption(name="komi", kind="string", default=komi)
    yield UgiOption(name="pie", kind="check", default=_bool_text(words.pie))
    for name, option in options_of_games().items():
        yield _of_game(name, option, words.words.get(name, format_option(option.default)))
    for name, play in _PLAYING.items():
        yield play.described(name, getattr(settings, play.field))


def _of_game(name: str, option: Option, word: str) -> UgiOption:
    if isinstance(option.default, bool):
        return UgiOption(name=name, kind="check", default=_bool_text(word == "on"))
    if option.choices:
        return UgiOption(name=name, kind="combo", default=word, choices=option.choices)
    least, most = option.minimum, option.maximum
    return UgiOption(name=name, kind="spin", default=word, least=least, most=most)


def _bool_text(value: object) -> str:
    return "true" if value else "false"


@attrs.frozen
class _Play:
    """A field of `PlaySettings` as a UGI option; `none` is the number for no value."""

    field: str
    read: Callable[[str], Any] = parse_int
    none: int | None = None

    def described(self, name: str, value: Any) -> UgiOption:
        if self.read is parse_bool:
            return UgiOption(name=name, kind="check", default=_bool_text(value))
        least, most = BOUNDS[self.field]
        return UgiOption(
            name=name,
            kind="spin",
            default=str(self.none if value is None else value),
            least=int(least) if self.none is None else self.none,
            most=min(int(most), _MOST_OF_SPIN),
        )

    def value(self, name: str, word: str) -> Any:
        """Return the value that a word gives; raises `CommandFailed`."""
        value = self.read(word)
        if self.none is not None and value == self.none:
            return None
        least, most = BOUNDS.get(self.field, (value, value))
        if not least <= value <= most:
            raise CommandFailed(f"{name}: {value} is not from {least:g} to {most:g}")
        return value


_PLAYING: Final[dict[str, _Play]] = {
    "threads": _Play("threads"),
    "nodes": _Play("nodes"),
    "visits": _Play("visits", none=_NO_LIMIT),
    "level": _Play("level"),
    "seed": _Play("seed", none=_RANDOM),
    "solver": _Play("solver", parse_bool),
}
_OF_GAME: Final = frozenset({"game", "size", "komi", "pie"})


def is_of_game(name: str) -> bool:
    """Return whether an option chooses the game, not how to play it."""
    return name in _OF_GAME or name in options_of_games()


def with_play_option(settings: PlaySettings, name: str, word: str) -> PlaySettings:
    """Return the settings with one option set; raises `CommandFailed`."""
    if name not in _PLAYING:
        raise CommandFailed(f"there is no option {shortened(name)!r}")
    play = _PLAYING[name]
    changes: dict[str, Any] = {play.field: play.value(name, word)}
    return attrs.evolve(settings, **changes)
