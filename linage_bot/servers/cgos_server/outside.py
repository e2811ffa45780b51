"""What the server asks of the world around it: the time, and to have things done."""

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import attrs


@attrs.frozen(kw_only=True)
class Outside:
    """Time and places to work; the reactor's in `command`, a test's own in tests."""

    now: Callable[[], float]  # seconds that never jump
    today: Callable[[], str]  # UTC, `2026-01-31T09:30:00`
    soon: Callable[[Callable[[], None]], object]
    """Does something after all that has come in by now."""
    sleep: Callable[[float], Awaitable[object]]  # for so many seconds
    aside: Callable[..., Awaitable[Any]]
    """Calls the first with the rest somewhere else."""
    start: Callable[[Coroutine[Any, Any, None]], object]
    """Has something done that waits in between."""
