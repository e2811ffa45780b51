"""When a search may stop: so many visits, so many seconds, or when it is told."""

from __future__ import annotations

import attrs


@attrs.frozen
class Limits:
    """Bounds of one search; whichever is met first ends it. None: no bound of this kind."""

    visits: int | None = None
    seconds: float | None = None
    patience_seconds: float | None = None  # to wait for compiled code before the search begins

    @property
    def bounded_by_visits(self) -> bool:
        """Whether the search ends by itself however the clock runs: the same again with a seed."""
        return self.visits is not None and self.seconds is None
