"""Game clocks, as set by GTP's `time_settings` and similar commands, and the time for each move.

A clock here holds a player's own estimate of their time; the referee's clocks are in `match`.

The remaining time is divided among the expected moves, weighted by the measured value of search
time at each stage of the game (docs/search/notebook.md). That share is for a choice that looks
safe; an unsafe choice may take more, at the expense of later moves.
"""

from __future__ import annotations

import math

import attrs

from linage_bot.settings.checks import limit

_LAG_SECONDS = 0.1  # reserved at all times for a delay between the referee and the search
_MOST_LAG_SECONDS = 1.0  # larger measured delays are capped to this
_LEAST_MOVES = 3.0  # least divisor of the remaining time, however near the end seems
_LONGER = 2.5  # times the usual, if the choice is not safe
_LONGER_COST = 1.25  # times the usual, for an average move with this included
_MOST_SHARE = 0.35  # of the remaining time, for one move
_INCREMENT_SHARE = 0.9  # so that small increments are not used up by the lag

# By tenth of the game: the value of search time there, and how often a search is needed at all
# because nothing is proven yet. Smoothed from `benchmarks/changes_of_mind.py`.
_WORTH = (0.7, 0.7, 0.85, 0.9, 1.0, 1.0, 0.9, 0.8, 0.7, 0.4)
_OPEN = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.6, 0.1)


@attrs.frozen
class TimeSystem:
    """Main time, then either periods of `period_seconds` for `period_stones` stones, or increments.

    Canadian: one period of several stones. Byo-yomi: `periods` periods of one stone. Fischer:
    `increment_seconds` after each move, up to `cap_seconds` in total. Absolute: none of them.
    `most_seconds` limits a single move. Raises `ValueError` for a value that is not a number, is
    negative, or is infinite where the default is finite.
    """

    main_seconds: float = attrs.field(validator=limit())
    period_seconds: float = attrs.field(default=0.0, validator=limit())
    period_stones: int = attrs.field(default=0, validator=limit(whole=True))
    periods: int = attrs.field(default=1, validator=limit(whole=True))
    increment_seconds: float = attrs.field(default=0.0, validator=limit())
    cap_seconds: float = attrs.field(default=math.inf, validator=limit(infinite=True))
    most_seconds: float = attrs.field(default=math.inf, validator=limit(infinite=True))

    @property
    def unlimited(self) -> bool:
        """Whether there is no limit: period time without stones, as in `time_settings 0 1 0`."""
        return self.period_seconds > 0 and self.period_stones == 0


@attrs.frozen
class TimeBudget:
    """The time budget of one move."""

    seconds: float
    most_seconds: float  # if the choice is not safe after `seconds`


@attrs.frozen
class Clock:
    """The time that one player has left."""

    system: TimeSystem
    seconds_left: float  # in the main time, or in the current period when `stones_left` > 0
    stones_left: int = 0  # to place in the current period; 0: main time
    periods_left: int = 1  # of byo-yomi, the current one among them
    lag_seconds: float = 0.0  # recent delay per move between the referee and the search
    overrun_seconds: float = 0.0  # worst recent excess of a move over its time budget

    @property
    def _reserve_seconds(self) -> float:
        """The time that is always kept in reserve."""
        return _LAG_SECONDS + self.overrun_seconds

    @classmethod
    def full(cls, system: TimeSystem) -> Clock:
        """Return a clock that has not run yet."""
        periods = max(1, system.periods)
        if system.main_seconds == 0 and system.period_stones:
            return cls(system, system.period_seconds, system.period_stones, periods)
        return cls(system, system.main_seconds, 0, periods)

    def with_time_left(self, seconds: float, stones: int) -> Clock:
        """Return the clock after the referee reported the time that is left.

        `stones` are to be placed in the current period, 0 in main time; if a period is for one
        stone they are the periods left (a custom of KGS). Referees truncate fractions: if the
        report differs only by a fraction of a second, the local count is kept.
        """
        lag, before = self.lag_seconds, self.seconds_left
        if (stones > 0) == (self.stones_left > 0):
            if seconds != math.floor(seconds):
                lag = max(0.8 * lag, min(before - seconds, _MOST_LAG_SECONDS))
            elif seconds <= before < seconds + 1:
                seconds = before
            elif seconds + 1 <= before < seconds + 1.5:  # the lag of many moves
                seconds += 0.5
        clock = attrs.evolve(self, seconds_left=seconds, stones_left=stones, lag_seconds=lag)
        if stones and self.system.period_stones == 1:
            return attrs.evolve(clock, stones_left=1, periods_left=stones)
        return clock

    def allot(self, moves_left: float, over: float = 0.5) -> TimeBudget:
        """Return the time budget of the next move, in seconds; infinite without a limit.

        `moves_left` is the expected number of this player's moves to come, including this one;
        `over` is the share of the game that has been played. Never exceeds the time that is left.
        """
        system, left = self.system, self.seconds_left
        if system.unlimited:
            return TimeBudget(math.inf, math.inf)
        usable = left - min(self._reserve_seconds + self.lag_seconds, 0.3 * left)
        if self.stones_left > 1:
            seconds = usable / self.stones_left
            most = min(_LONGER * seconds, max(seconds, _MOST_SHARE * usable))
        elif self.stones_left == 1:
            # Another period is spent on a hard choice as long as two remain behind it.
            another = system.period_stones == 1 and self.periods_left > 2
            seconds, most = usable, usable + another * system.period_seconds
        else:
            seconds, most = self._of_main_time(moves_left, over)
        return TimeBudget(min(seconds, system.most_seconds), min(most, system.most_seconds))

    def _of_main_time(self, moves_left: float, over: float) -> tuple[float, float]:
        """Return the usual and the longest search time of a move in main time, in seconds."""
        system, moves_left = self.system, max(_LEAST_MOVES, moves_left)
        lost = self.lag_seconds - system.increment_seconds
        spare = self.seconds_left - self._reserve_seconds - max(0.0, lost) * moves_left
        spare = max(0.0, spare)
        later = _INCREMENT_SHARE * max(0.0, -lost)
        behind = 0.0  # of overtime, for one move
        if system.period_stones:
            behind = system.period_seconds / system.period_stones
            behind -= min(_LAG_SECONDS, 0.3 * behind)
        seconds = spare * _share(moves_left, over) + later + behind
        if system.period_stones:
            most = spare + behind
        else:
            most = max(_MOST_SHARE * spare, min(later, 0.5 * spare))
        seconds = min(seconds, most)
        return seconds, min(most, _LONGER * seconds)

    def after(self, used_seconds: float, most_seconds: float = math.inf) -> Clock:
        """Return the clock after a move that took `used_seconds` by the player's own count.

        A move that took more than `most_seconds`, as on a busy machine, adds to the reserve.
        """
        if self.system.unlimited:
            return self
        overrun = max(0.9 * self.overrun_seconds, used_seconds - most_seconds)
        overrun = min(overrun, _MOST_LAG_SECONDS)
        return attrs.evolve(self._run(used_seconds), overrun_seconds=overrun)

    def _run(self, used_seconds: float) -> Clock:
        system, left = self.system, self.seconds_left - used_seconds
        if self.stones_left == 0:
            if left >= 0 or not system.period_stones:
                left = min(max(0.0, left) + system.increment_seconds, system.cap_seconds)
                return attrs.evolve(self, seconds_left=left)
            left += system.period_seconds  # the main time ran out during this move
        if system.period_stones == 1:
            # Every period that was used up is lost; the one the move was made in is not.
            used_up = left < 0 < system.period_seconds
            lost = min(self.periods_left, -left / system.period_seconds) if used_up else 0
            periods = max(1, self.periods_left - math.ceil(lost))
            return attrs.evolve(
                self, seconds_left=system.period_seconds, stones_left=1, periods_left=periods
            )
        stones = (self.stones_left or system.period_stones) - 1
        if stones:
            return attrs.evolve(self, seconds_left=max(0.0, left), stones_left=stones)
        return attrs.evolve(
            self, seconds_left=system.period_seconds, stones_left=system.period_stones
        )


def _share(moves_left: float, over: float) -> float:
    """Return the next move's share of the main time, weighted by the value of search time."""
    count = math.ceil(moves_left)
    cost = sum(
        _WORTH[tenth] * _OPEN[tenth]
        for tenth in (_tenth(over + (1 - over) * move / moves_left) for move in range(count))
    )
    return min(1.0, _WORTH[_tenth(over)] / max(_LONGER_COST * cost, 1.0))


def _tenth(over: float) -> int:
    return min(9, max(0, int(10 * over)))
