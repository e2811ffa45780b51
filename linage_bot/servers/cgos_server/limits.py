"""Limits for one address or one connection. Time comes in with every call, in seconds."""

import ipaddress
import logging
from typing import Final, TypeVar

_log = logging.getLogger(__name__)

_BURST_SECONDS: Final = 10.0
_MINUTE: Final = 60.0
_MOST_KEPT: Final = 10_000
_MOST_LINES: Final = 10

K = TypeVar("K")
V = TypeVar("V")


class MessageAllowance:
    """An allowance of messages that grows with time, up to ten seconds' worth, at least 20."""

    def __init__(self, per_second: float, now: float) -> None:
        self._per_second = per_second
        self._most = max(20.0, per_second * _BURST_SECONDS)
        self._left = self._most
        self._counted_at = now

    def take(self, now: float) -> bool:
        """Count a message; return False if that is too many."""
        grown = self._left + (now - self._counted_at) * self._per_second
        self._left = min(self._most, grown) - 1
        self._counted_at = now
        return self._left >= 0


def origin(address: str) -> str:
    """Return an address for counting; of IPv6 the 64 bits that a provider gives to one customer."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:  # a socket of the file system has none
        return address
    if ip.version == 4:
        return str(ip)
    return str(ip.ipv4_mapped or ipaddress.IPv6Address(int(ip) >> 64 << 64))


def keep(kept: dict[K, V], key: K, value: V, most: int = _MOST_KEPT) -> None:
    """Store a value as the latest; drop the oldest one if there are more than `most`."""
    kept.pop(key, None)
    kept[key] = value
    if len(kept) > most:
        del kept[next(iter(kept))]


class RefusalLog:
    """The log of refused clients; at most ten lines a minute for each address, then a count."""

    def __init__(self) -> None:
        self._minutes: dict[str, tuple[float, int]] = {}  # when each is over, and the refusals

    def add(self, address: str, name: str, reason: str, now: float) -> None:
        """Write a line to the log, unless the address has had too many in this minute."""
        own = origin(address)
        until, count = self._minutes.get(own, (now, 0))
        if now >= until:
            if count > _MOST_LINES:
                _log.info("%s: refused %d more times", own, count - _MOST_LINES)
            until, count = now + _MINUTE, 0
        count += 1
        if count <= _MOST_LINES:
            more = "; further refusals are counted for a minute" if count == _MOST_LINES else ""
            _log.info("%s: %s%s", f"{address} {name}".rstrip(), reason, more)
        keep(self._minutes, own, (until, count))
