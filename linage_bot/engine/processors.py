"""Sharing the processors: no more threads compute at once than there are, and each has its turn.

More would finish no sooner, and would keep the threads waiting that answer everybody else.
"""

import os
import threading
from collections import deque
from collections.abc import Iterator

from linage_bot.engine.forks import watch_forks


class Processors:
    """So many places to compute in, given to threads in the order in which they come.

    `with` it a thread has a place, for some ten milliseconds; not twice at once.
    """

    def __init__(self, count: int) -> None:
        self._count = self._free = count
        self._changing = threading.Lock()
        # Each waits for its own lock to be released. A semaphore would let those pass who leave
        # and come back at once.
        self._queue: deque[threading.Lock] = deque()
        watch_forks(self)

    def forked(self) -> None:
        """Free the places of threads that a forked child lacks."""
        self._free, self._changing, self._queue = self._count, threading.Lock(), deque()

    def share(self, steps: Iterator[None]) -> None:
        """Take all the steps, each in a place of its own turn; raises what they raise."""
        more = True
        while more:
            with self:
                more = next(steps, False) is None

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
                # A child that was forked in a place has it still, beside all those that are free.
                self._free = min(self._count, self._free + 1)

    def _give_up(self, turn: threading.Lock) -> None:
        with self._changing:
            if turn in self._queue:
                self._queue.remove(turn)
                return
        self.__exit__()  # it was given a place meanwhile


PROCESSORS = Processors(os.cpu_count() or 1)
