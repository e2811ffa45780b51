"""Getting compiled code in a thread: nothing else is held up, and who waits can be told to stop."""

import logging
import threading
import time
from collections.abc import Callable
from concurrent import futures
from typing import Generic, TypeVar

from linage_bot.engine.forks import watch_forks
from linage_bot.engine.jit.lean import lean_loading
from linage_bot.engine.jit.room import check_room_for_code

T = TypeVar("T")
_POLL_SECONDS = 0.01

_log = logging.getLogger(__name__)


class Loading(Generic[T]):
    """Something that is compiled, or loaded from disk, once it is wanted.

    What failed is tried again when it is next wanted: the reason may be gone by then.
    """

    def __init__(self, what: str, load: Callable[[], T]) -> None:
        self._what = what
        self._load = load
        self._lock = threading.Lock()
        self._attempt: futures.Future[T] | None = None
        self._loaded: tuple[T] | None = None
        watch_forks(self)

    def forked(self) -> None:
        """Begin anew in a forked child, which lacks the thread that loads, with what was loaded."""
        self._lock, self._attempt = threading.Lock(), None
        if self._loaded is not None:
            self._attempt = futures.Future()
            self._attempt.set_result(*self._loaded)

    def begin(self) -> futures.Future[T]:
        """Load in the background, unless that was begun before and has not failed."""
        with self._lock:
            attempt = self._attempt
            if attempt is None or (attempt.done() and attempt.exception()):
                attempt = futures.Future()
                # A daemon: whoever is in a hurry to exit need not wait for a compiler.
                threading.Thread(
                    target=self._run, args=(attempt,), name=f"load {self._what}", daemon=True
                ).start()
                self._attempt = attempt
            return attempt

    def _run(self, attempt: futures.Future[T]) -> None:
        """Load; whoever waits is told what went wrong, whatever it is."""
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
        """What was loaded; None if `stopped` came first, or so many seconds passed.

        Raises whatever loading raised.
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
        """What was loaded; None as long as it is not there, and it is begun then."""
        attempt = self.begin()
        return attempt.result() if attempt.done() and not attempt.exception() else None
