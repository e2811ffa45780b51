"""What the server asks of the world around it: the time, and to have things done."""

from collections.abc import Callable
from typing import Any

import attrs


@attrs.frozen
class Outside:
    """Time and places to work; the reactor's in `command`, a test's own in tests."""

    now: Callable[[], float]  # seconds that never jump
    today: Callable[[], str]  # UTC, `2026-01-31T09:30:00`
    later: Callable[[float, Callable[[], None]], object]
    """Does something after so many seconds, and after all that has come in by now."""
    aside: Callable[[Callable[[], Any], Callable[[Any], None]], object]
    """Does the first somewhere else and calls the second with what came of it."""
