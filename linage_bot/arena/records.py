"""The record of a played game, for the store and for statistics."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import attrs

from linage_bot.records.record import Record, same_result
from linage_bot.rules import GAMES
from linage_bot.rules.game import Game
from linage_bot.settings.checks import within
from linage_bot.settings.reading import read

SCORE, RESIGNATION, ADJUDICATION, FORFEIT = "score", "resignation", "adjudication", "forfeit"


@attrs.frozen
class Key:
    """One game of an event: two engines in the file's order, an opening, and which moves first."""

    pairing: tuple[str, str]
    opening: int
    swapped: bool = False  # the second of the pairing moves first


@attrs.frozen
class Rules:
    """A game with its board, komi and options, as text."""

    id: str
    size: str
    komi: float
    options: Mapping[str, str]

    @classmethod
    def of(cls, game: Game) -> Rules:
        """Return the text form of a game."""
        return cls(game.id, game.board.size, game.komi, game.settings())

    def game(self) -> Game:
        """Return the game in its typed form; raises `BadOption`."""
        return GAMES[self.id].configure(
            self.size, self.komi if GAMES[self.id].komi_step else None, self.options
        )


@attrs.frozen
class GameRecord:
    """One game: its players, its moves and its ending.

    `winner` is 0 for First, 1 for Second and None for a draw.

    `ending` is `score`, `resignation`, `adjudication` or `forfeit`; `reason` explains it. `result`
    is in SGF's form. `seconds` holds the time used for each move after the opening; `log` the end
    of the conversation with an engine that forfeited. `claims` are the engines' own final scores,
    First's and Second's, as far as they gave any. `repeats` is the number of an earlier game with
    the same `content`, which the store fills in; 0 for the first such game.
    """

    key: Key
    number: int = attrs.field(validator=within(1, 10**9 - 1))
    players: tuple[str, str]
    rules: Rules
    moves: tuple[str, ...]
    result: str
    winner: int | None = attrs.field(validator=within(0, 1))
    ending: str
    reason: str = ""
    pie: str = ""  # the offer and the choice, as text
    opening_moves: int = 0
    seconds: tuple[float, ...] = ()
    claims: tuple[str | None, str | None] = (None, None)
    log: tuple[str, ...] = ()
    started: str = ""  # UTC, ISO 8601
    duration_seconds: float = 0.0
    repeats: int = attrs.field(default=0, validator=within(0, 10**9 - 1))

    @property
    def content(self) -> Hashable:
        """The players, rules, moves and result: a game that shares them all is no new evidence."""
        rules = self.rules
        options = tuple(sorted(rules.options.items()))
        return self.players, rules.id, rules.size, rules.komi, options, self.moves, self.result

    @property
    def disputed(self) -> bool:
        """Whether an engine's own score disagrees with the result."""
        return any(
            claim is not None and not same_result(claim, self.result) for claim in self.claims
        )

    def points(self, name: str) -> float:
        """Return the points that a player made in the game: 1, 0.5 or 0."""
        if self.winner is None:
            return 0.5
        return float(self.players[self.winner] == name)

    def own_seconds(self, name: str) -> tuple[float, ...]:
        """Return the times of a player's own moves, including one that was late or illegal."""
        return self.seconds[(self.players.index(name) - self.opening_moves) % 2 :: 2]

    @property
    def sgf_name(self) -> str:
        """The name of the game's SGF file."""
        return f"{self.number:04d}.sgf"

    def sgf_record(self, event: str = "") -> Record:
        """Return the game as a record for an SGF file."""
        game = self.rules.game()
        comments = {0: self.pie} if self.pie else {}
        if self.reason:
            comments[len(self.moves)] = "\n".join((self.reason, *self.log))
        return Record(
            game=game,
            moves=tuple(map(game.move, self.moves)),
            players=self.players,
            result=self.result,
            date=self.started[:10] or None,
            event=event or None,
            round=str(self.number),
            comments=comments,
            given=self.opening_moves,
        )


@attrs.frozen
class ScoredGames:
    """`count` games of the same two players with the same score, First's: 1, 0.5 or 0.

    They are independent of all others, and of one another, unless they belong to a `cluster`, as
    the two games of an opening pair do; `count` is 1 then.
    """

    first: str
    second: str
    score: float
    count: int = 1
    cluster: Key | None = None

    @classmethod
    def of(cls, record: GameRecord) -> ScoredGames:
        """Return the scored form of one game of an event."""
        first, second = record.players
        pair = attrs.evolve(record.key, swapped=False)
        return cls(first, second, record.points(first), cluster=pair)


def to_table(record: GameRecord) -> dict[str, Any]:
    """Return the record as plain values for `from_table`, without fields at their defaults."""
    return attrs.asdict(record, filter=lambda field, value: value != field.default)


def from_table(table: Any) -> GameRecord:
    """Return the record in plain values; raises `ValueError` for anything else."""
    try:
        record = read(table, GameRecord)
        record.sgf_record()
    except (KeyError, ValueError) as error:
        raise ValueError(f"not a game's record: {error}") from None
    return record
