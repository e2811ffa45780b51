"""The limits for clients over the network: no more than the server's own options allow."""

import math
from typing import Final

from linage_bot.settings.playing import PlaySettings

_LONG_SECONDS: Final = 600.0  # where the server has no limit
_MANY_VISITS: Final = 1_000_000  # where it limits neither visits nor seconds


def most_seconds(server: PlaySettings) -> float:
    """Return the most seconds that a client may request, for one move or one position."""
    return _LONG_SECONDS if server.seconds is None else server.seconds


def most_for_client(server: PlaySettings, field: str) -> float:
    """Return the most that a client may set a field of `PlaySettings` to; infinity: anything."""
    if field == "seconds":
        return most_seconds(server)
    if field in ("threads", "nodes"):
        return float(getattr(server, field))
    if field != "visits":
        return math.inf
    if server.visits is not None:
        return server.visits
    return _MANY_VISITS if server.seconds is None else math.inf
