"""What a client over the network may ask for: no more than the command line allows."""

import attrs

from linage_bot.settings.playing import PlaySettings

_MANY_VISITS = 1_000_000
_LONG_SECONDS = 600.0


@attrs.frozen
class Bounds:
    """The most that a session may ask for, by the settings that its server was started with."""

    settings: PlaySettings

    @property
    def seconds(self) -> float:
        """Of one move, whatever the clock says, and of one proof."""
        own = self.settings.seconds
        return _LONG_SECONDS if own is None else own

    def most(self, field: str) -> float | None:
        """The most that a field of the settings may become; None: as much as anywhere."""
        if field == "seconds":
            return self.seconds
        if field == "visits" and self.settings.visits is None and self.settings.seconds is None:
            return _MANY_VISITS
        if field in ("visits", "threads", "nodes"):
            own: int | None = getattr(self.settings, field)
            return own
        return None

    def allow_none(self, field: str) -> bool:
        """Whether there need be no limit of this kind: not if the command line sets one."""
        return field not in ("visits", "seconds") or getattr(self.settings, field) is None
