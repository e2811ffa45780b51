"""Sharing the processors among threads."""

import threading
import time
from collections.abc import Iterator

import pytest

from linage_bot.engine.processors import Processors, search_threads


def start(run) -> threading.Thread:
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


def test_no_more_threads_compute_at_once_than_there_are_places_and_all_come_to_their_end():
    """At most two of eight jobs run at once, and all of them finish."""
    processors, now, most, steps = Processors(2), [], [], []

    def work() -> Iterator[None]:
        for _ in range(20):
            now.append(1)
            most.append(len(now))
            time.sleep(0.001)
            now.pop()
            steps.append(1)
            yield

    threads = [start(lambda: processors.share(work())) for _ in range(8)]
    for thread in threads:
        thread.join(60)
    assert len(steps) == 8 * 20
    assert max(most) <= 2


def test_who_wants_to_go_on_stands_behind_those_who_wait():
    """Three searches on one processor take turns, each after a slice."""
    processors, order = Processors(1), []
    processors.__enter__()  # so that all of them wait before any starts

    def work(name: str) -> Iterator[None]:
        for _ in range(3):
            order.append(name)
            yield

    threads = []
    for name in "abc":
        threads.append(start(lambda name=name: processors.share(work(name))))
        while len(processors._queue) < len(threads):
            time.sleep(0.001)
    processors.__exit__()
    for thread in threads:
        thread.join(60)
    assert "".join(order) == "abc" * 3


def test_helpers_get_only_processors_that_no_search_waits_for():
    """A free place is lent without waiting, and once to each; afterwards it is free again."""
    processors = Processors(2)
    for _ in range(2):
        with processors, processors.if_idle() as first, processors.if_idle() as second:
            assert (first, second) == (True, False)
        with processors.if_idle() as one, processors.if_idle() as other:
            assert (one, other) == (True, True)


def test_few_idle_processors_do_not_help_a_search_and_many_are_left_to_others():
    """One search has one thread on up to two idle processors, and never more than six."""
    assert [search_threads(count) for count in (1, 2, 3, 4, 6, 7, 64)] == [1, 1, 3, 4, 6, 6, 6]


def test_a_failure_leaves_the_place_to_others():
    """After a search fails, the next one still gets its processor."""
    processors = Processors(1)

    def fail() -> Iterator[None]:
        raise ZeroDivisionError("on purpose")
        yield

    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            processors.share(fail())
