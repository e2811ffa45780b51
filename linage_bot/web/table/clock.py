"""The clocks of a table: immutable values from which the time left can be computed.

Nothing here waits or measures: the caller passes `now`, in seconds. The time of a turn is deducted
when the turn ends. A clock that is stopped in the middle of a turn, because the engines are paused
or code is compiled, keeps the time used so far.
"""

from __future__ import annotations

from typing import Any

import attrs

from linage_bot.arena.clocks import PlayerClock
from linage_bot.engine.clocks import Clock, TimeSystem
from linage_bot.rules.game import Player
from linage_bot.settings.match import ClockSettings


@attrs.frozen
class TimeLeft:
    """The time that a clock shows."""

    seconds: float  # of the main time, or of the current period
    periods: int = 0  # of byo-yomi left, including the current one; 0: main time


@attrs.frozen(kw_only=True)
class TableClock:
    """First's and Second's clocks, of which that of `mover` runs or is stopped."""

    left: tuple[PlayerClock, PlayerClock]  # at the beginning of the turn
    mover: Player
    used_seconds: float = 0.0  # of this turn, before `since`
    since: float | None = None  # None: it is stopped

    @classmethod
    def full(cls, settings: ClockSettings, mover: Player) -> TableClock:
        """Return a clock that has not run yet."""
        clock = PlayerClock.full(settings)
        return cls(left=(clock, clock), mover=mover)

    @property
    def settings(self) -> ClockSettings:
        """The time settings of both players."""
        return self.left[0].settings

    def spent(self, now: float) -> float:
        """Return the seconds used in this turn."""
        return self.used_seconds + (0.0 if self.since is None else max(0.0, now - self.since))

    def run(self, on: bool, now: float) -> TableClock:
        """Return the clock running or stopped; the same object if it is so already."""
        if on is (self.since is not None):
            return self
        return attrs.evolve(self, used_seconds=self.spent(now), since=now if on else None)

    def moved(self, mover: Player, now: float) -> TableClock:
        """Return the clock after a move, with `mover` to move next.

        A move that took no time earns no increment.
        """
        spent = self.spent(now)
        return self._turn(mover, self.left[self.mover].after(spent) if spent else None)

    def turned(self, mover: Player, now: float) -> TableClock:
        """Return the clock with `mover` to move, but not by a move: no increment is earned.

        The time used so far is still deducted.
        """
        if mover is self.mover:
            return self
        used, before = self.spent(now), self.left[self.mover]
        after = before.after(used) if used else None
        if after is not None:
            main = max(0.0, after.main_left - self.settings.increment_seconds)
            after = attrs.evolve(after, main_left=main)
        return self._turn(mover, after)

    def _turn(self, mover: Player, after: PlayerClock | None) -> TableClock:
        """Return the clock at the start of the next turn; None: no time was used in this one."""
        left = list(self.left)
        left[self.mover] = after or left[self.mover]
        return TableClock(left=(left[0], left[1]), mover=mover)

    def seconds_left(self, now: float) -> float | None:
        """Return the seconds until the flag falls; None if the clock is stopped."""
        if self.since is None:
            return None
        return self.left[self.mover].seconds - self.spent(now)

    def fallen(self, now: float) -> Player | None:
        """Return the player whose flag has fallen; None if neither has."""
        left = self.seconds_left(now)
        return self.mover if left is not None and left <= 0 else None

    def shown(self, player: Player, now: float) -> TimeLeft:
        """Return the time that a player has left."""
        clock, used = self.left[player], self.spent(now) if player is self.mover else 0.0
        if used < clock.main_left or not clock.settings.period_seconds:
            return TimeLeft(max(0.0, clock.main_left - used))
        gone, into = divmod(used - clock.main_left, clock.settings.period_seconds)
        if gone >= clock.periods_left:
            return TimeLeft(0.0, 1)
        return TimeLeft(clock.settings.period_seconds - into, clock.periods_left - int(gone))

    def for_engine(self, now: float) -> Clock:
        """Return the clock of the player to move, as an engine's time control."""
        settings, left = self.settings, self.shown(self.mover, now)
        system = TimeSystem(
            settings.main_seconds,
            settings.period_seconds,
            period_stones=1 if settings.period_seconds else 0,
            periods=settings.periods,
            increment_seconds=settings.increment_seconds,
        )
        return Clock(
            system,
            left.seconds,
            stones_left=1 if left.periods else 0,
            periods_left=left.periods or self.left[self.mover].periods_left,
        )

    def written(self) -> dict[str, Any]:
        """Return the clock as JSON types; it is stopped when it is read back."""
        return {
            "settings": attrs.asdict(self.settings),
            "left": [[clock.main_left, clock.periods_left] for clock in self.left],
            "mover": int(self.mover),
            "used": self.used_seconds,
        }

    @classmethod
    def read(cls, fields: dict[str, Any]) -> TableClock:
        """Return a clock from its JSON types. Raise `KeyError`, `TypeError` or `ValueError`."""
        full = PlayerClock.full(ClockSettings(**fields["settings"]))
        one, two = (
            attrs.evolve(full, main_left=main, periods_left=periods)
            for main, periods in fields["left"]
        )
        return cls(left=(one, two), mover=Player(fields["mover"]), used_seconds=fields["used"])
