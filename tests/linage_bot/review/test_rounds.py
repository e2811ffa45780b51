"""Work in rounds on several threads: all of it is done once, and a failure ends it."""

import threading

import pytest

from linage_bot.review.rounds import in_rounds


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_all_work_is_done_once(threads):
    """Each work runs to its end, whether it pauses often or never."""
    done = []

    def work(number):
        for step in range(number % 4):
            done.append((number, step))
            yield
        done.append((number, "end"))

    rounds = sum(1 for _ in in_rounds(map(work, range(20)), lambda: threads))
    expected = [(number, step) for number in range(20) for step in (*range(number % 4), "end")]
    assert sorted(done, key=str) == sorted(expected, key=str)
    assert rounds >= 30 / threads  # the pauses


def test_each_round_has_its_own_number_of_threads():
    """In every round as many works run side by side as are wanted then."""
    sizes, together = [3, 1, 2], threading.Barrier(1)

    def wanted():
        nonlocal together
        together = threading.Barrier(sizes.pop(0))
        return together.parties

    def work():
        while True:
            together.wait(60)
            yield

    rounds = in_rounds([work() for _ in range(3)], wanted)
    for _ in range(3):
        next(rounds)
    assert not sizes


@pytest.mark.parametrize("threads", [1, 3])
def test_a_failure_ends_all_work(threads):
    """An exception of a work is raised, and no other work begins after it."""
    begun = []

    def work(number):
        begun.append(number)
        if number == 1:
            raise OSError("the disk is full")
        yield

    with pytest.raises(OSError, match="the disk is full"):
        for _ in in_rounds(map(work, range(100)), lambda: threads):
            pass
    assert len(begun) <= 2 * threads + 1
