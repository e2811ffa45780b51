"""What the store keeps of players, games and moves."""

from __future__ import annotations

from typing import Final

import attrs

from protocol.cgos_words import TimedMove

ABORTED: Final = "aborted"
"""The ending of a game that counts for nothing; the others are the words of `arena.records`."""


@attrs.frozen
class PlayerRow:
    """A registered player; `rating` is None until the first game has been rated."""

    name: str
    password: str = attrs.field(repr=False)  # its hash
    registered: str
    rating: float | None = None
    error: float | None = None


@attrs.frozen
class MoveRow(TimedMove):
    """A move, the time left after it, and what its player told of it."""

    analysis: str = ""


@attrs.frozen
class GameRow:
    """A game without its moves; times are UTC, `first_ms` and `second_ms` the clocks at the start.

    `result` is CGOS's word and None while the game is played; `ending` is one of the words of
    `arena.records`, or `ABORTED`.
    """

    number: int
    first: str
    second: str
    first_rating: str
    second_rating: str
    level_ms: int
    first_ms: int
    second_ms: int
    began: str
    result: str | None = None
    winner: int | None = None
    ending: str | None = None
    reason: str | None = None
    ended: str | None = None


@attrs.frozen
class Score:
    """What games have come to, as one of their players sees it."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def games(self) -> int:
        """How many there were."""
        return self.won + self.lost + self.drawn

    @property
    def points(self) -> float:
        """A win counts 1, a draw 0.5."""
        return self.won + self.drawn / 2

    @property
    def reverse(self) -> Score:
        """The same as the opponent sees it."""
        return Score(self.lost, self.won, self.drawn)

    def __add__(self, more: Score) -> Score:
        return Score(self.won + more.won, self.lost + more.lost, self.drawn + more.drawn)
