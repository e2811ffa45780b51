"""The server's environment: the clock, timers and threads."""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import attrs


@attrs.frozen(kw_only=True)
class Environment:
    """The functions for time and work; `command` gives the reactor's, tests their own."""

    now: Callable[[], float]  # seconds that never jump
    today: Callable[[], str]  # UTC, `2026-01-31T09:30:00`
    soon: Callable[[Callable[[], None]], object]
    """Calls a function after the pending input has been handled."""
    sleep: Callable[[float], Awaitable[object]]  # for a number of seconds
    in_thread: Callable[..., Awaitable[Any]]
    """Calls its first argument with the rest on another thread."""
    start: Callable[[Coroutine[Any, Any, None]], object]
    """Starts a coroutine."""
