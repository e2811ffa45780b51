"""A job queue: the order of jobs and their results."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import attrs
import pytest

from linage_bot.jobs.executor import ClusterGone, ThreadExecutor, WorkerLost
from linage_bot.jobs.queue import Job, JobQueue, run_all

PATIENCE_SECONDS = 30


@attrs.define
class Desk:
    """A queue with a limited number of running jobs, which end when the test says so."""

    room: int = 1
    priorities: dict[str, float] = attrs.field(factory=dict)
    ended: list[tuple[str, object]] = attrs.field(factory=list)
    gates: dict[str, threading.Event] = attrs.field(factory=dict)
    changed: threading.Condition = attrs.field(factory=threading.Condition)
    queue: JobQueue[str, str, str] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.queue = JobQueue(ThreadExecutor(self.room), self.job, self.end)

    def job(self, name: str) -> Job[str, str]:
        gate = self.gates.setdefault(name, threading.Event())

        def work(stopped: threading.Event) -> str:
            while not gate.wait(0.01):
                if stopped.is_set():
                    return "stopped"
            return "done"

        return Job(name, work, priority=self.priorities.get(name, 0.0))

    def end(self, name: str, _task: str, found: object) -> None:
        with self.changed:
            self.ended.append((name, found))
            self.changed.notify_all()

    def finish(self, name: str) -> None:
        """End a job and wait for its result."""
        self.gates[name].set()
        with self.changed:
            assert self.changed.wait_for(
                lambda: name in dict(self.ended) and name not in self.queue.running,
                PATIENCE_SECONDS,
            )


def test_jobs_run_in_their_order_and_urgent_ones_first() -> None:
    """Jobs run in order, urgent ones first, and never more than the limit."""
    desk = Desk(2, {"d": -1.0})
    desk.queue.add_all("abcd")
    assert set(desk.queue.running) == {"d", "a"}
    desk.finish("d")
    assert set(desk.queue.running) == {"a", "b"}
    desk.finish("a")
    assert set(desk.queue.running) == {"b", "c"}
    desk.queue.stop()


def test_clients_are_asked_for_jobs_only_when_there_is_room() -> None:
    """A queue without room costs nothing, however many clients wait and join."""
    desk = Desk()
    desk.queue.add("a")
    desk.queue.add_all("bcd")
    desk.queue.add("e")
    assert set(desk.gates) == {"a"}
    desk.finish("a")
    assert set(desk.queue.running) == {"b"}
    desk.queue.stop()


def test_a_job_that_was_removed_never_runs_and_one_that_runs_is_stopped() -> None:
    """A removed job never runs, and a running one can be stopped."""
    desk = Desk()
    desk.queue.add_all("abc")
    assert (desk.queue.remove("a"), desk.queue.remove("b")) == (False, True)
    desk.queue.stop_job("a")
    with desk.changed:
        assert desk.changed.wait_for(lambda: desk.ended, PATIENCE_SECONDS)
    desk.finish("c")
    assert desk.ended == [("a", "stopped"), ("c", "done")]


def test_idle_processors_go_to_the_jobs_that_can_use_them() -> None:
    """A job gets all processors while no other runs or waits, and else an equal share of them.

    Never more than the limit for each job, and without such a limit one.
    """

    def share(names: str, **limit: int) -> list[int]:
        begun, given = threading.Event(), dict[str, int]()

        def work(name: str, _stopped: threading.Event, processors: int) -> None:
            given[name] = processors
            if len(given) == min(4, len(names)):
                begun.set()
            assert begun.wait(PATIENCE_SECONDS)

        jobs = {name: Job(None, partial(work, name), parallel=True) for name in names}
        found = run_all(ThreadExecutor(4, **limit), jobs)
        assert [result for _, result in found] == [None] * len(names)
        return [given[name] for name in names]

    assert share("a", most_each=4) == [4]
    assert share("ab", most_each=4) == [2, 2]
    assert share("abc", most_each=4) == [1, 1, 1]
    assert share("abcde", most_each=4)[:4] == [1, 1, 1, 1]
    assert (share("a", most_each=3), share("a")) == ([3], [1])


def test_where_the_address_space_is_limited_a_job_has_one_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Under `ulimit -v` a review or an analysis needs no more memory than one search."""
    executor = ThreadExecutor(4, most_each=4)
    assert executor.processors_each(1) == 4
    monkeypatch.setattr("linage_bot.jobs.executor.room", lambda: 4.0 * (1 << 30))
    assert executor.processors_each(1) == 1


def test_results_and_errors_come_as_jobs_end() -> None:
    """Results and errors are returned as jobs end."""

    def work(number: int, _stopped: threading.Event) -> float:
        return 12 / number

    jobs = {number: Job(None, partial(work, number)) for number in (3, 0, 4)}
    found = dict(run_all(ThreadExecutor(2), jobs))
    assert (found[3], found[4]) == (4, 3)
    assert isinstance(found[0], ZeroDivisionError)


def test_a_job_reports_what_it_has_found_so_far() -> None:
    """A job can report intermediate results."""
    heard: list[str] = []

    def work(_stopped: threading.Event, report: Callable[[str], None]) -> str:
        report("half")
        return "all"

    assert [*run_all(ThreadExecutor(1), {"a": Job(None, work, report=heard.append)})] == [
        ("a", "all")
    ]
    assert heard == ["half"]


class LosingExecutor(ThreadExecutor):
    """An executor that loses its first worker."""

    def __init__(self, error: WorkerLost) -> None:
        super().__init__(1)
        self.error: WorkerLost | None = error

    def thread_for(self, worker: str, work: Any, done: Any, report: Any = None) -> Any:
        error, self.error = self.error, None

        def fail(*_arguments: object) -> None:
            assert error is not None
            raise error

        return super().thread_for(worker, fail if error else work, done, report)


def test_a_job_whose_worker_was_lost_runs_again_before_all_others() -> None:
    """A job whose worker was lost runs again before all others, and has one result."""
    begun: list[str] = []

    def work(name: str, _stopped: threading.Event) -> str:
        begun.append(name)
        return name.upper()

    jobs = {name: Job(None, partial(work, name)) for name in "abc"}
    found = [*run_all(LosingExecutor(WorkerLost("gone")), jobs)]
    assert begun == ["a", "b", "c"]
    assert found == [("a", "A"), ("b", "B"), ("c", "C")]


def test_without_a_cluster_there_are_no_results() -> None:
    """Without a cluster the run fails with `ClusterGone`."""
    jobs = {name: Job(None, lambda _stopped: None) for name in "abc"}
    with pytest.raises(ClusterGone, match="away"):
        next(run_all(LosingExecutor(ClusterGone("away")), jobs))
