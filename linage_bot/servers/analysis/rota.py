"""Whose position is thought about next: so many at once, in the order in which they came.

Who waits has no thread yet, so that it costs nothing, and can leave at once.
"""

import threading
from collections import deque
from typing import Any

from linage_bot.engine.worker import Worker


class Rota:
    """So many places to think at, shared by the clients of a server."""

    def __init__(self, count: int) -> None:
        self._free = count
        self._changing = threading.Lock()
        self._waiting: deque[Worker[Any]] = deque()

    def join(self, work: Worker[Any]) -> None:
        """Have it begin when it is its turn; it says `leave` when it has ended."""
        with self._changing:
            if not self._free:
                self._waiting.append(work)
                return
            self._free -= 1
        work.begin()

    def withdraw(self, work: Worker[Any]) -> bool:
        """Have it wait no longer; False if it does not wait, but has begun or ended."""
        with self._changing:
            if work not in self._waiting:
                return False
            self._waiting.remove(work)
            return True

    def leave(self) -> None:
        """One that had begun has ended, on any thread."""
        with self._changing:
            if not self._waiting:
                self._free += 1
                return
            work = self._waiting.popleft()
        work.begin()
