"""Several pieces of work at once, each a generator that pauses where it yields."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable
from typing import TypeAlias

from linage_bot.engine.worker import Worker

Work: TypeAlias = Generator[None, None, None]


def in_rounds(works: Iterable[Work], at_once: Callable[[], int]) -> Work:
    """Run all works to their ends, in their order, and yield after each round.

    In a round, each of `at_once()` threads runs works until one of them pauses; works that paused
    come first in the next round. An exception of a work ends them all, and is raised.
    """
    waiting = deque(works)
    while waiting:
        waiting.extendleft(reversed(_round(waiting, at_once())))
        yield


def _round(waiting: deque[Work], threads: int) -> list[Work]:
    """Run works on this thread and others; return those that paused."""
    stopped, paused, failures = threading.Event(), list[Work](), list[Exception]()

    def run(stopped: threading.Event) -> None:
        while waiting and not stopped.is_set():
            try:
                work = waiting.popleft()
            except IndexError:  # another thread took the last one
                return
            for _ in work:
                paused.append(work)
                return

    def note(failure: Exception | None) -> None:
        if failure is not None:
            failures.append(failure)
            stopped.set()

    others = [
        Worker(run, note, name="review", stopped=stopped)
        for _ in range(min(threads, len(waiting)) - 1)
    ]
    for other in others:
        other.begin()
    try:
        run(stopped)
    except BaseException:
        stopped.set()
        raise
    finally:
        for other in others:
            other.wait()
    if failures:
        raise failures[0]
    return paused
