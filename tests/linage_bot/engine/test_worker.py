"""Jobs on threads of their own."""

import queue
import threading

from linage_bot.engine.worker import Worker


def test_what_is_returned_or_raised_is_handed_over():
    """The result or error of a worker is delivered to its caller, from the worker's thread."""
    found: queue.Queue = queue.Queue()
    Worker(lambda _stopped: 7, found.put).begin()
    assert found.get(timeout=60) == 7
    Worker(lambda _stopped: 1 / 0, found.put).begin()
    assert isinstance(found.get(timeout=60), ZeroDivisionError)


def test_who_waits_is_told_when_all_is_done():
    """`wait` returns only after the result was delivered."""
    found = []
    worker = Worker(lambda stopped: stopped.wait(60), found.append)
    worker.begin()
    assert not worker.wait(0)
    worker.stop()
    assert worker.wait(60)
    assert found == [True]


def test_one_event_may_stop_several():
    """Stopping one worker stops the others that share its event."""
    stopped = threading.Event()
    workers = [Worker(lambda stop: stop.wait(60), stopped=stopped) for _ in range(2)]
    for worker in workers:
        worker.begin()
    workers[0].stop()
    assert all(worker.wait(60) for worker in workers)


def test_a_failure_that_nobody_hears_of_is_logged(caplog):
    """An error of a worker without a receiver is logged."""
    worker = Worker(lambda _stopped: 1 / 0)
    worker.begin()
    assert worker.wait(60)
    assert "division by zero" in caplog.text
