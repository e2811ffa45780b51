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

    @property
    def points(self) -> float:
        """What the first has made of them: a win counts 1, a draw 0.5."""
        return self.won + self.drawn / 2

    @property
    def both_ways(self) -> tuple[Score, Score]:
        """The score, and the same as the second sees it."""
        return self, Score(self.second, self.first, self.lost, self.won, self.drawn)

    def plus(self, other: Score) -> Score:
        """The score with more games of the first."""
        return attrs.evolve(
            self,
            won=self.won + other.won,
            lost=self.lost + other.lost,
            drawn=self.drawn + other.drawn,
        )

    def after(self, winner: int | None) -> Score:
        """The score with one more game."""
        one = Score(self.first, self.second, winner == 0, winner == 1, winner is None)
        return self.plus(one)
