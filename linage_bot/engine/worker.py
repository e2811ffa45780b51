"""Thinking on threads of their own, so that the thread that talks to others is always free.

Not even the start of a thread is waited for: Python returns from it when the thread runs, and on a
busy machine that takes a while. Threads are daemons: whoever is in a hurry to exit need not wait
for a compiler.
"""

import functools
import logging
import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from linage_bot.engine.forks import in_forked_children

T = TypeVar("T")

_log = logging.getLogger(__name__)


def _nobody(found: object) -> None:
    if isinstance(found, Exception):
        _log.error("what was done in the background failed", exc_info=found)


def reason_of(error: Exception) -> str:
    """Say in a line why work failed, for the user; all but a lack of memory is our fault."""
    if isinstance(error, MemoryError):
        return (
            "out of memory: start with fewer --nodes or --threads,"
            " or allow the process more (ulimit -v)"
        )
    return f"internal error: {error!r}"


class Worker(Generic[T]):
    """Work that is done once, on a thread of its own, and can be told to stop.

    `work` gets the event that says so, and looks at it often. `done` is called on the same thread
    with what it returns or raises, or with `MemoryError` where the system has no more threads.
    """

    def __init__(
        self,
        work: Callable[[threading.Event], T],
        done: Callable[[T | Exception], None] = _nobody,
        *,
        name: str = "search",
        stopped: threading.Event | None = None,
    ) -> None:
        """`stopped`: the event, if it is to stop more than this."""
        self.stopped = stopped or threading.Event()
        self._work = work
        self._done = done
        self._name = name
        self._through = threading.Event()

    def begin(self) -> None:
        """Have the work done; only once."""
        _starter().put(self._start_thread)

    def stop(self) -> None:
        """Have it end soon; for threads that must not wait, and at any time."""
        self.stopped.set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until all is done, but no longer than that; whether it is. Only once begun."""
        return self._through.wait(seconds)

    @property
    def over(self) -> bool:
        """Whether all is done."""
        return self._through.is_set()

    def _start_thread(self) -> None:
        try:
            threading.Thread(target=self._run, name=self._name, daemon=True).start()
        except RuntimeError as error:  # the system has no more threads, or no memory for one
            self._end(MemoryError(str(error)))

    def _run(self) -> None:
        found: T | Exception
        try:
            found = self._work(self.stopped)
        except Exception as error:
            found = error
        del self._work  # what it holds, such as a search tree, is let go of
        self._end(found)

    def _end(self, found: T | Exception) -> None:
        try:
            self._done(found)
        finally:
            self._through.set()


@functools.cache
def _starter() -> queue.SimpleQueue[Callable[[], None]]:
    """Where to put what starts a thread; a thread of its own does all that, one after another."""
    asked: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()

    def start_all() -> None:
        while True:
            asked.get()()

    threading.Thread(target=start_all, name="starter", daemon=True).start()
    return asked


in_forked_children(_starter.cache_clear)
