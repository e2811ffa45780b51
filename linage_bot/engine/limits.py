"""When a search may stop: so many visits, so many seconds, or when it is told."""

from __future__ import annotations

import attrs

from linage_bot.settings.playing import LEVELS, PlaySettings

DEFAULT_SECONDS = 5.0


@attrs.frozen
class Limits:
    """Bounds of one search; whichever is met first ends it. None: no bound of this kind."""

    visits: int | None = None
    seconds: float | None = None
    patience_seconds: float | None = None  # to wait for compiled code before the search begins
    extra_seconds: float = 0.0  # beyond `seconds`, while another move may turn out to be better

    @classmethod
    def of(cls, settings: PlaySettings) -> Limits:
        """Where no clock says otherwise: `DEFAULT_SECONDS` if the settings have no limit, too."""
        weak, visits, seconds = LEVELS[settings.level - 1].visits, settings.visits, settings.seconds
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

    @property
    def bounded_by_visits(self) -> bool:
        """Whether the search ends by itself however the clock runs: the same again with a seed."""
        return self.visits is not None and self.seconds is None
