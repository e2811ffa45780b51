"""Getting compiled code in a thread: nothing else is held up, and who waits can be told to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from linage_bot.kernels.lean import lean_loading

T = TypeVar("T")
_POLL_SECONDS = 0.01


class Loading(threading.Thread, Generic[T]):
    """Compiles something, or loads it from disk, once started."""

    def __init__(self, what: str, load: Callable[[], T]) -> None:
        super().__init__(name=f"load {what}", daemon=True)
        self._load = load
        self._loaded: list[T] = []
        self._error: Exception | None = None

    def run(self) -> None:
        """Load; whoever waits is told what went wrong, whatever it is."""
        try:
            with lean_loading():
                self._loaded.append(self._load())
        except Exception as error:
            self._error = error

    def wait(self, stopped: threading.Event, seconds: float | None = None) -> T | None:
        """What was loaded; None if `stopped` came first, or so many seconds passed.

        Raises whatever loading raised.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while self.is_alive() and not stopped.is_set():
            if deadline is not None and time.monotonic() >= deadline:
                return None
            self.join(_POLL_SECONDS)
        return self.loaded

    @property
    def loaded(self) -> T | None:
        """What was loaded; None until then. Raises whatever loading raised."""
        if self._error is not None:
            raise self._error
        return self._loaded[0] if self._loaded else None
