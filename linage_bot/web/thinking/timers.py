"""Timers for events without a request: a flag falls, or the engines' rest between moves ends."""

from collections.abc import Callable
from typing import Any

from linage_bot.web.thinking.session import Session


class ClockTimers:
    """At most one timer for each session; `rang` is called with it on the reactor's thread."""

    def __init__(self, reactor: Any, rang: Callable[[Session], None]) -> None:
        self._reactor = reactor
        self._timer_fired = rang
        self._set: dict[Session, Any] = {}  # the reactor's delayed calls

    def set(self, session: Session, seconds: float | None) -> None:
        """Replace the session's timer by one of `seconds`; None: remove it."""
        call = self._set.pop(session, None)
        if call is not None:
            call.cancel()
        if seconds is not None:
            self._set[session] = self._reactor.callLater(max(0.0, seconds), self._ring, session)

    def _ring(self, session: Session) -> None:
        del self._set[session]
        self._timer_fired(session)
