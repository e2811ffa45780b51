"""What one address or one connection may do. Time comes in with every call, in seconds."""

import ipaddress
from collections import Counter
from typing import Final, TypeVar

from linage_bot.servers.cgos_server.settings import LimitSettings

_BURST_SECONDS: Final = 10.0
_HOUR: Final = 3600.0
_MOST_KEPT: Final = 10_000

K = TypeVar("K")
V = TypeVar("V")


class MessageAllowance:
    """A number of messages that grows again with time, up to what ten seconds bring."""

    def __init__(self, per_second: float, now: float) -> None:
        self._per_second = per_second
        self._most = max(20.0, per_second * _BURST_SECONDS)
        self._left = self._most
        self._counted_at = now

    def take(self, now: float) -> bool:
        """Count a message; False if that is too many."""
        grown = self._left + (now - self._counted_at) * self._per_second
        self._left = min(self._most, grown) - 1
        self._counted_at = now
        return self._left >= 0

    def give_back(self) -> None:
        """The message was asked for: it does not count."""
        self._left += 1


def origin(address: str) -> str:
    """What counts as one address: of IPv6 the 64 bits that a provider hands out to one customer."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:  # a socket of the file system has none
        return address
    if ip.version == 4:
        return str(ip)
    return str(ip.ipv4_mapped or ipaddress.IPv6Address(int(ip) >> 64 << 64))


def keep(kept: dict[K, V], key: K, value: V, most: int = _MOST_KEPT) -> None:
    """Remember what happened last; what happened longest ago goes when there is too much."""
    kept.pop(key, None)
    kept[key] = value
    if len(kept) > most:
        del kept[next(iter(kept))]


class Addresses:
    """How many connections each address has, and how many players it has registered of late."""

    def __init__(self, settings: LimitSettings) -> None:
        self._settings = settings
        self._connections: Counter[str] = Counter()
        self._registrations: dict[str, list[float]] = {}

    def connected(self, address: str) -> str | None:
        """Count a connection, or tell why there may not be another one."""
        if self._connections.total() >= self._settings.connections:
            return "too many connections"
        if self._connections[address] >= self._settings.connections_per_address:
            return "too many connections from your address"
        self._connections[address] += 1
        return None

    def lost(self, address: str) -> None:
        """A connection that was counted is gone."""
        self._connections[address] -= 1
        if not self._connections[address]:
            del self._connections[address]

    def registers(self, address: str, now: float) -> str | None:
        """Count a new player, or tell why there may not be another one."""
        moments = [at for at in self._registrations.get(address, ()) if at >= now - _HOUR]
        if len(moments) >= self._settings.registrations_per_hour:
            return "too many new players from your address; try again in an hour"
        keep(self._registrations, address, [*moments, now])
        return None
