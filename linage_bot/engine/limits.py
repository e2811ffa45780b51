"""Limits of a search: visits, seconds, or none until it is stopped."""

from __future__ import annotations

import math

import attrs

from linage_bot.rules.arguments import number, whole_number
from linage_bot.settings.checks import limit
from linage_bot.settings.playing import LEVELS, PlaySettings

DEFAULT_SECONDS = 5.0
_PATIENCE_SHARE = 0.5  # of the time left, to wait for compiled code; then any move is played
_COMPILING_SECONDS = 0.5  # never spent on the wait: a machine that compiles answers late


@attrs.frozen
class Limits:
    """Limits of one search, which ends at the first that is reached. None: no such limit.

    Raises `ValueError` unless they are finite numbers from 0 up, and visits whole ones.
    """

    visits: int | None = attrs.field(
        default=None, converter=whole_number, validator=limit(whole=True)
    )
    seconds: float | None = attrs.field(default=None, converter=number, validator=limit())
    # Left on the clock that runs during the search
    clock_seconds: float | None = attrs.field(default=None, converter=number, validator=limit())
    # Beyond `seconds`, while another move may turn out to be better
    extra_seconds: float = attrs.field(default=0.0, converter=number, validator=limit())
    # Without `seconds`: not planned for, but never exceeded
    ceiling_seconds: float = attrs.field(
        default=math.inf, converter=number, validator=limit(infinite=True)
    )

    @classmethod
    def of(cls, settings: PlaySettings) -> Limits:
        """Return the limits of a search without a clock, by default `DEFAULT_SECONDS`."""
        weak, visits, seconds = LEVELS[settings.level], settings.visits, settings.seconds
        if weak is not None:
            visits = weak if visits is None else min(weak, visits)
        elif visits is None and seconds is None:
            seconds = DEFAULT_SECONDS
        return cls(visits, seconds)

    def less(self, seconds: float) -> Limits:
        """Return the limits that are left after this many seconds."""
        if self.seconds is None:
            return self
        left = self.seconds - seconds
        extra = max(0.0, self.extra_seconds + min(0.0, left))
        return attrs.evolve(self, seconds=max(0.0, left), extra_seconds=extra)

    def split(self, share: float) -> tuple[Limits, Limits]:
        """Return the limits of two consecutive steps, of which the second gets this share."""
        if self.seconds is None:
            return self, self
        first, second = (1 - share) * self.seconds, share * self.seconds
        return attrs.evolve(self, seconds=first), attrs.evolve(self, seconds=second)

    @property
    def patience_seconds(self) -> float | None:
        """The longest wait for compiled code before a search, in seconds; None without a clock."""
        if self.clock_seconds is None:
            return None
        return _PATIENCE_SHARE * max(0.0, self.clock_seconds - _COMPILING_SECONDS)

    def after_wait(self, seconds: float) -> Limits:
        """Return the limits after a wait for compiled code, scaled to the time that is left.

        The wait is shared by all moves to come, not charged to this one alone.
        """
        if not self.clock_seconds or self.seconds is None:
            return self
        share = max(0.0, 1 - seconds / self.clock_seconds)
        return attrs.evolve(
            self,
            seconds=share * self.seconds,
            clock_seconds=share * self.clock_seconds,
            extra_seconds=share * self.extra_seconds,
        )

    @property
    def unlimited(self) -> bool:
        """Whether no limit ends the search."""
        return self.visits is None and self.seconds is None and math.isinf(self.ceiling_seconds)

    @property
    def bounded_by_visits(self) -> bool:
        """Whether visits are the only limit, so that a search with a seed is repeatable."""
        return self.visits is not None and self.seconds is None
