"""Game clocks, as `time_settings` and its relatives set them, and how much of one a move gets.

A clock here is what a player knows of their own time; the referee's clocks are in `match`.
"""

from __future__ import annotations

import math

import attrs

_MOVES_LEFT_SHARE = 0.35  # of the empty points are still to be placed on by each side
_RESERVE_SECONDS = 0.1  # of a move's time, for everything but the search


@attrs.frozen
class TimeSystem:
    """Main time, then either periods of `period_seconds` for `period_stones` stones, or increments.

    Canadian: one period of several stones. Byo-yomi: `periods` periods of one stone. Fischer:
    `increment_seconds` after each move. Absolute: none of them. Raises `ValueError` for a
    negative number.
    """

    main_seconds: float
    period_seconds: float = 0.0
    period_stones: int = 0
    periods: int = 1
    increment_seconds: float = 0.0

    def __attrs_post_init__(self) -> None:
        if min(attrs.astuple(self)) < 0:
            raise ValueError("a time cannot be negative")

    @property
    def unlimited(self) -> bool:
        """GTP's `time_settings 0 1 0`: period time without stones means no limit."""
        return self.period_seconds > 0 and self.period_stones == 0


@attrs.frozen
class Clock:
    """The time one player has left."""

    system: TimeSystem
    seconds_left: float  # in the main time, or in the current period when `stones_left` > 0
    stones_left: int = 0  # to place in the current period; 0: main time

    @classmethod
    def full(cls, system: TimeSystem) -> Clock:
        """A clock that has not run yet."""
        if system.main_seconds == 0 and system.period_stones:
            return cls(system, system.period_seconds, system.period_stones)
        return cls(system, system.main_seconds)

    def seconds_for_move(self, empty_points: int) -> float:
        """How long to think about the next move; infinite without a limit.

        `empty_points` tells how much of the game is left. Never more than what is left.
        """
        if self.system.unlimited:
            return math.inf
        if self.stones_left:
            share = self.seconds_left / self.stones_left
        else:
            moves_left = max(4.0, _MOVES_LEFT_SHARE * empty_points)
            share = self.seconds_left / moves_left + 0.9 * self.system.increment_seconds
            if self.system.period_stones:  # the periods behind the main time are for the rest
                share += self.system.period_seconds / self.system.period_stones
            share = min(share, self.seconds_left + self.system.period_seconds)
        return max(0.0, min(share, 0.9 * share + 0.5) - min(_RESERVE_SECONDS, 0.3 * share))

    def after(self, used_seconds: float) -> Clock:
        """The clock after a move that took `used_seconds`, as far as a player can tell."""
        system, left, stones = self.system, self.seconds_left - used_seconds, self.stones_left
        if system.unlimited:
            return self
        if stones == 0 and left >= 0:
            return attrs.evolve(self, seconds_left=left + system.increment_seconds)
        if stones == 0 and system.period_stones:  # the main time ran out during this move
            stones, left = system.period_stones, max(0.0, left + system.period_seconds)
        if stones > 1:
            return attrs.evolve(self, seconds_left=max(0.0, left), stones_left=stones - 1)
        if stones == 1:
            return attrs.evolve(
                self, seconds_left=system.period_seconds, stones_left=system.period_stones
            )
        return attrs.evolve(self, seconds_left=0.0)
