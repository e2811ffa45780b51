"""Fair sharing of the processors: no more threads compute at once than there are processors.

More would finish no sooner, and would delay the threads that answer requests.
"""

import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from linage_bot.engine.forks import watch_forks


class Processors:
    """A first-come, first-served semaphore for threads that compute.

    A thread holds one place inside a `with` statement, for some ten milliseconds. Not reentrant.
    """

    def __init__(self, count: int) -> None:
        self._count = self._free = count
        self._changing = threading.Lock()
        # Each thread waits for its own lock to be released. An ordinary semaphore would let a
        # thread that returns immediately overtake those that wait.
        self._queue: deque[threading.Lock] = deque()
        watch_forks(self)

    def forked(self) -> None:
        """Free the places of threads that a forked child lacks."""
        self._free, self._changing, self._queue = self._count, threading.Lock(), deque()

    def share(self, steps: Iterator[None]) -> None:
        """Run all steps, waiting for a place before each; pass on their exceptions."""
        more = True
        while more:
            with self:
                more = next(steps, False) is None

    @contextmanager
    def if_idle(self) -> Iterator[bool]:
        """Take a place if one is free, without waiting; yield whether one was."""
        with self._changing:
            free = self._free > 0
            self._free -= free
        try:
            yield free
        finally:
            if free:
                self.__exit__()

    def __enter__(self) -> None:
        with self._changing:
            if self._free:
                self._free -= 1
                return
            turn = threading.Lock()
            turn.acquire()
            self._queue.append(turn)
        try:
            turn.acquire()
        except BaseException:  # the user will not wait any longer
            self._give_up(turn)
            raise

    def __exit__(self, *_error: object) -> None:
        with self._changing:
            if self._queue:
                self._queue.popleft().release()
            else:
                # A child forked while it held a place still holds it, though all are free.
                self._free = min(self._count, self._free + 1)

    def _give_up(self, turn: threading.Lock) -> None:
        with self._changing:
            if turn in self._queue:
                self._queue.remove(turn)
                return
        self.__exit__()  # it was given a place in the meantime


PROCESSORS = Processors(os.cpu_count() or 1)

_WORTHWHILE: Final = 3
_MOST: Final = 6


def search_threads(processors: int) -> int:
    """Return how many threads one search should have where so many processors are idle.

    Two threads make 1.4 times the visits of one, and three more than twice as many. More than six
    added nothing when this was measured, see docs/search/notebook.md#many-threads.
    """
    return min(processors, _MOST) if processors >= _WORTHWHILE else 1
