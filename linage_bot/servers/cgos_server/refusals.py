"""Who was refused, in the log; but no address fills it."""

import logging
from collections.abc import Callable
from typing import Final

import attrs

from linage_bot.servers.cgos_server.limits import keep, origin

_log = logging.getLogger(__name__)

_MOST_LINES: Final = 10
_SECONDS: Final = 60.0


@attrs.define
class _Spell:
    """A minute in which somebody is refused again and again."""

    until: float  # seconds
    refusals: int = 0


class Refusals:
    """Tells of so many refusals a minute for each address, then of none until that is over."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._spells: dict[str, _Spell] = {}

    def tell(self, address: str, name: str, reason: str) -> None:
        """Write a line, unless there were too many."""
        spell = self._spell(origin(address))
        spell.refusals += 1
        if spell.refusals <= _MOST_LINES:
            more = "; no more of it for a minute" if spell.refusals == _MOST_LINES else ""
            _log.info("%s: %s%s", f"{address} {name}".rstrip(), reason, more)

    def _spell(self, address: str) -> _Spell:
        now = self._now()
        spell = self._spells.pop(address, None)
        if spell is not None and now >= spell.until:
            if spell.refusals > _MOST_LINES:
                _log.info("%s: refused %d times more", address, spell.refusals - _MOST_LINES)
            spell = None
        if spell is None:
            spell = _Spell(now + _SECONDS)
        keep(self._spells, address, spell)
        return spell
