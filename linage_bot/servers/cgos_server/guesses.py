"""Wrong passwords: whoever says one waits before the next is looked at, each time longer.

Nobody is shut out by what others do. An address that has been wrong delays itself. A name that is
guessed at is looked at only every two seconds, wherever the guesses come from, except where its
owner has been let in before: there only that address's own mistakes with that name count (as with
the "device cookies" that OWASP recommends to web sites). All that is kept is bounded.
"""

from typing import Final

import attrs

from linage_bot.servers.cgos_server.limits import keep

_ADDRESS_SECONDS: Final = 15.0
"""The longest pause of an address: four guesses a minute in the long run."""
_NAME_SECONDS: Final = 2.0
_PATIENCE_SECONDS: Final = 30.0
_MEMORY_SECONDS: Final = 3600.0

_Key = tuple[str, str]  # a name, an address, or both


@attrs.define
class _Pauses:
    """How often somebody was wrong, and when the next password may be looked at."""

    most_seconds: float
    wrong: int = 0
    free_at: float = 0.0
    until: float = 0.0  # then all is forgotten

    @property
    def seconds(self) -> float:
        """The pause after the next password."""
        return min(self.most_seconds, 2.0 ** min(self.wrong - 1, 10)) if self.wrong else 0.0


class Guesses:
    """Who has been wrong of late. Time comes in with every call, in seconds."""

    def __init__(self) -> None:
        self._pauses: dict[_Key, _Pauses] = {}
        self._let_in: dict[_Key, None] = {}

    def wait(self, name: str, address: str, now: float) -> float | None:
        """Seconds before a password may be looked at; None if too many wait for that already."""
        known = [self._pauses.get(key) for key in self._keys(name, address)]
        pauses = [each for each in known if each is not None and each.until >= now]
        seconds = max((each.free_at - now for each in pauses), default=0.0)
        if seconds > _PATIENCE_SECONDS:
            return None
        for each in pauses:
            each.free_at = max(now, each.free_at) + each.seconds
        return max(0.0, seconds)

    def wrong(self, name: str, address: str, now: float) -> None:
        """A password was wrong."""
        for key in self._keys(name, address):
            pauses = self._pauses.get(key)
            if pauses is None or pauses.until < now:
                pauses = _Pauses(_ADDRESS_SECONDS if key[1] else _NAME_SECONDS)
            pauses.wrong += 1
            pauses.free_at = max(pauses.free_at, now + pauses.seconds)
            pauses.until = now + _MEMORY_SECONDS
            keep(self._pauses, key, pauses)

    def right(self, name: str, address: str) -> None:
        """A password was right: others' mistakes count for nothing here from now on."""
        keep(self._let_in, (name, address), None)

    def _keys(self, name: str, address: str) -> tuple[_Key, ...]:
        """What counts for somebody who comes under a name from an address."""
        if (name, address) in self._let_in:
            return ((name, address),)
        return (name, ""), ("", address)
