"""Compilation and loading of code in a background thread; a caller's wait can be stopped."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent import futures
from typing import Generic, TypeVar

from linage_bot.engine.forks import watch_forks
from linage_bot.engine.jit.address_space import check_room_for_code
from linage_bot.engine.jit.import_guard import lean_loading

T = TypeVar("T")
_POLL_SECONDS = 0.01

_log = logging.getLogger(__name__)


class Loading(Generic[T]):
    """An object that is compiled, or loaded from disk, in the background on first use.

    After a failure the next use tries again, as the cause may be gone by then.
    """

    def __init__(self, what: str, load: Callable[[], T]) -> None:
        self._what = what
        self._load = load
        self._lock = threading.Lock()
        self._attempt: futures.Future[T] | None = None
        self._loaded: tuple[T] | None = None
        watch_forks(self)

    def forked(self) -> None:
        """Reset in a forked child, which lacks the loading thread, but keep a loaded object."""
        self._lock, self._attempt = threading.Lock(), None
        if self._loaded is not None:
            self._attempt = futures.Future()
            self._attempt.set_result(*self._loaded)

    def begin(self) -> futures.Future[T]:
        """Start to load in the background, unless an attempt is running or has succeeded.

        Return the future of the attempt.
        """
        with self._lock:
            attempt = self._attempt
            if attempt is None or (attempt.done() and attempt.exception()):
                attempt = futures.Future()
                # A daemon thread, so that the process can exit without waiting for a compiler.
                threading.Thread(
                    target=self._run, args=(attempt,), name=f"load {self._what}", daemon=True
                ).start()
                self._attempt = attempt
            return attempt

    def _run(self, attempt: futures.Future[T]) -> None:
        """Load, and store the result or any exception in the attempt's future."""
        try:
            check_room_for_code()
            with lean_loading():
                loaded = self._load()
        except BaseException as error:
            _log.warning("%s could not be loaded: %r", self._what, error)
            attempt.set_exception(error)
        else:
            self._loaded = (loaded,)
            attempt.set_result(loaded)

    def wait(self, stopped: threading.Event, seconds: float | None = None) -> T | None:
        """Return the loaded object; None if `stopped` is set first or after `seconds`.

        Raises the exception that the loading raised.
        """
        attempt = self.begin()
        deadline = None if seconds is None else time.monotonic() + seconds
        while not attempt.done() and not stopped.is_set():
            if deadline is not None and time.monotonic() >= deadline:
                return None
            futures.wait([attempt], _POLL_SECONDS)
        return attempt.result() if attempt.done() else None

    @property
    def loaded(self) -> T | None:
        """The loaded object, or None if it is not loaded yet; loading starts if necessary."""
        attempt = self.begin()
        return attempt.result() if attempt.done() and not attempt.exception() else None
