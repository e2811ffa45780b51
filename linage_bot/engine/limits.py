"""When a search may stop: so many visits, so many seconds, or when it is told."""

from __future__ import annotations

import math

import attrs

from linage_bot.settings.checks import limit
from linage_bot.settings.playing import LEVELS, PlaySettings

DEFAULT_SECONDS = 5.0
_PATIENCE_SHARE = 0.5  # of the time left, to wait for compiled code; then any move will do
_COMPILING_SECONDS = 0.5  # not to be waited for: a machine that compiles answers late


@attrs.frozen
class Limits:
    """Bounds of one search; whichever is met first ends it. None: no bound of this kind.

    Raises `ValueError` unless they are finite numbers from 0 up, and visits whole ones.
    """

    visits: int | None = attrs.field(default=None, validator=limit(whole=True))
    seconds: float | None = attrs.field(default=None, validator=limit())
    # Left on the clock that runs meanwhile
    clock_seconds: float | None = attrs.field(default=None, validator=limit())
    # Beyond `seconds`, while another move may turn out to be better
    extra_seconds: float = attrs.field(default=0.0, validator=limit())
    # Without `seconds`: not reckoned with, but never exceeded
    ceiling_seconds: float = attrs.field(default=math.inf, validator=limit(infinite=True))

    @classmethod
    def of(cls, settings: PlaySettings) -> Limits:
        """Where no clock says otherwise: `DEFAULT_SECONDS` if the settings have no limit, too."""
        weak, visits, seconds = LEVELS[settings.level], settings.visits, settings.seconds
        if weak is not None:
            visits = weak if visits is None else min(weak, visits)
        elif visits is None and seconds is None:
            seconds = DEFAULT_SECONDS
        return cls(visits, seconds)

    def less(self, seconds: float) -> Limits:
        """The limits where so many seconds are gone already."""
        if self.seconds is None:
            return self
        left = self.seconds - seconds
        extra = max(0.0, self.extra_seconds + min(0.0, left))
        return attrs.evolve(self, seconds=max(0.0, left), extra_seconds=extra)

    def apart(self, share: float) -> tuple[Limits, Limits]:
        """The limits of two things one after the other, of which the second gets this share."""
        if self.seconds is None:
            return self, self
        first, second = (1 - share) * self.seconds, share * self.seconds
        return attrs.evolve(self, seconds=first), attrs.evolve(self, seconds=second)

    @property
    def patience_seconds(self) -> float | None:
        """How long to wait for compiled code before the search begins; None where no clock runs."""
        if self.clock_seconds is None:
            return None
        return _PATIENCE_SHARE * max(0.0, self.clock_seconds - _COMPILING_SECONDS)

    def waited(self, seconds: float) -> Limits:
        """The limits after so long a wait for compiled code: the same share of what is left.

        It is paid by all moves to come, not by this one alone.
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
    def endless(self) -> bool:
        """Whether no limit ends the search."""
        return self.visits is None and self.seconds is None and math.isinf(self.ceiling_seconds)

    @property
    def bounded_by_visits(self) -> bool:
        """Whether the search ends by itself however the clock runs: the same again with a seed."""
        return self.visits is not None and self.seconds is None
