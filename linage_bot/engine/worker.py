"""Background work on separate threads, so that the thread that does input and output stays free.

Not even the start of a thread is waited for: Python returns from it when the thread runs, and on a
busy machine that takes a while. Threads are daemons, so that the process can exit without waiting
for a compiler.
"""

import contextlib
import functools
import logging
import queue
import threading
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from linage_bot.engine.forks import in_forked_children

T = TypeVar("T")

_log = logging.getLogger(__name__)


def _log_failure(found: object) -> None:
    if isinstance(found, Exception):
        _log.error("background work failed", exc_info=found)


def reason_of(error: Exception) -> str:
    """Return a one-line error message for the user; all but `MemoryError` is an internal error."""
    if isinstance(error, MemoryError):
        return (
            "out of memory: start with fewer --nodes or --threads,"
            " or raise the limit of the process (ulimit -v)"
        )
    return f"internal error: {error!r}"


@contextlib.contextmanager
def starting_threads() -> Iterator[None]:
    """Raise `MemoryError` if a thread cannot start, which `threading` reports as `RuntimeError`."""
    try:
        yield
    except RuntimeError as error:
        raise MemoryError(str(error)) from None


class Worker(Generic[T]):
    """A job that runs once, on its own thread, and can be stopped.

    `work` receives the stop event and checks it often. `done` is called on the same thread with
    the returned value or the exception, or with `MemoryError` if no thread could be started.
    """

    def __init__(
        self,
        work: Callable[[threading.Event], T],
        done: Callable[[T | Exception], None] = _log_failure,
        *,
        name: str = "search",
        stopped: threading.Event | None = None,
    ) -> None:
        """Create a worker; `stopped` is its stop event, if it is shared with other work."""
        self.stopped = stopped or threading.Event()
        self._work = work
        self._done = done
        self._name = name
        self._finished = threading.Event()

    def begin(self) -> None:
        """Start the work; call this only once."""
        _starter().put(self._start_thread)

    def stop(self) -> None:
        """Signal the work to stop, without waiting; at any time, from any thread."""
        self.stopped.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the work and `done` to finish; return False on a timeout. Only after `begin`."""
        return self._finished.wait(seconds)

    @property
    def over(self) -> bool:
        """Whether the work and `done` have finished."""
        return self._finished.is_set()

    def _start_thread(self) -> None:
        try:
            with starting_threads():
                threading.Thread(target=self._run, name=self._name, daemon=True).start()
        except MemoryError as error:
            self._end(error)

    def _run(self) -> None:
        found: T | Exception
        try:
            found = self._work(self.stopped)
        except Exception as error:
            found = error
        del self._work  # frees the objects that it refers to, such as a search tree
        self._end(found)

    def _end(self, found: T | Exception) -> None:
        try:
            self._done(found)
        finally:
            self._finished.set()


@functools.cache
def _starter() -> queue.SimpleQueue[Callable[[], None]]:
    """Return the queue of functions that start threads; a separate thread calls them in order."""
    asked: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()

    def start_all() -> None:
        while True:
            asked.get()()

    threading.Thread(target=start_all, name="starter", daemon=True).start()
    return asked


in_forked_children(_starter.cache_clear)
