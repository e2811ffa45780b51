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
from linage_bot.engine.jit.progress import CompileProgress, CompileReports
from linage_bot.engine.worker import starting_threads

T = TypeVar("T")
_POLL_SECONDS = 0.01

_log = logging.getLogger(__name__)


class Loading(Generic[T]):
    """An object that is compiled, or loaded from disk, in the background on first use.

    After a failure the next use tries again, as the cause may be gone by then.
    """

    def __init__(
        self,
        what: str,
        load: Callable[[], T],
        progress: Callable[[], CompileProgress | None] = lambda: None,
    ) -> None:
        """Create the object, without loading; `progress` returns how far code is compiled."""
        self._what = what
        self._load = load
        self._progress = progress
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
                thread = threading.Thread(
                    target=self._run, args=(attempt,), name=f"load {self._what}", daemon=True
                )
                try:
                    with starting_threads():
                        thread.start()
                except MemoryError as error:
                    attempt.set_exception(error)
                self._attempt = attempt
            return attempt

    def _run(self, attempt: futures.Future[T]) -> None:
        """Load, and store the result or any exception in the attempt's future."""
        try:
            with lean_loading():  # first of all, as a fork amid an import would break the child
                check_room_for_code()
                loaded = self._load()
        except BaseException as error:
            _log.warning("%s could not be loaded: %r", self._what, error)
            attempt.set_exception(error)
        else:
            self._loaded = (loaded,)
            attempt.set_result(loaded)

    def wait(self, stopped: threading.Event, seconds: float | None = None) -> T | None:
        """Return the loaded object; None if `stopped` is set first or after `seconds`.

        Raises the exception that the loading raised. Compilation is reported to the function of
        `reporting_to`, whose exceptions end the wait.
        """
        attempt, reports = self.begin(), CompileReports(self._progress)
        deadline = None if seconds is None else time.monotonic() + seconds
        while not attempt.done() and not stopped.is_set():
            if deadline is not None and time.monotonic() >= deadline:
                return None
            reports.report_if_due()
            futures.wait([attempt], _POLL_SECONDS)
        if not attempt.done():
            return None
        loaded = attempt.result()
        reports.finish()
        return loaded

    @property
    def loaded(self) -> T | None:
        """The loaded object, or None if it is not loaded yet; loading starts if necessary."""
        attempt = self.begin()
        return attempt.result() if attempt.done() and not attempt.exception() else None
