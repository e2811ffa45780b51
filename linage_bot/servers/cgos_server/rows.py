"""What the store keeps of players, games and moves."""

from __future__ import annotations

from typing import Final

import attrs

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
class MoveRow:
    """A move, and the milliseconds its player had left after it."""

    move: str
    ms_left: int
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
    """What two players have made of the games in which `first` moved first."""

    first: str
    second: str
    won: int = 0  # by the first
    lost: int = 0
    drawn: int = 0

    @property
    def games(self) -> int:
        """How many there were."""
        return self.won + self.lost + self.drawn

    def after(self, winner: int | None) -> Score:
        """The score with one more game."""
        if winner is None:
            return attrs.evolve(self, drawn=self.drawn + 1)
        if winner:
            return attrs.evolve(self, lost=self.lost + 1)
        return attrs.evolve(self, won=self.won + 1)
