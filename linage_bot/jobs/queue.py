"""A queue of jobs: the most urgent first, jobs of equal priority first come, first served.

A client of the queue has at most one job at a time. The queue requests the job when it can start.
A client with more to do joins the queue again at its end, so that busy clients get equal shares.

The search trees of a client are on the worker where its last job ran, the client's home. A free
worker takes the first queued client whose home it is. It takes a client with another home if that
spreads the homes more evenly, or if the client was overtaken too often; then it becomes the
client's home. A job whose worker was lost runs again before all others.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Future
from functools import partial
from queue import SimpleQueue
from typing import Any, Final, Generic, TypeVar

import attrs

from linage_bot.engine.worker import Worker
from linage_bot.jobs.executor import ClusterGone, Executor, Report, WorkerLost
from linage_bot.rules.game import Game

C = TypeVar("C")  # a client of a queue; a key of dictionaries
J = TypeVar("J")  # the subject of its jobs
T = TypeVar("T")  # the result of a job

URGENT: Final = 0.0
LATER: Final = 1.0

_OVERTAKEN: Final = 2  # times by every client; one that waits for its home then waits no longer


@attrs.frozen(eq=False)
class Job(Generic[J, T]):
    """Work for an executor: `work(stopped)`, or `work(stopped, report)` if it has a `report`.

    `task` is the job's subject, for its client. A lower `priority` comes first. `game` is the game
    whose code the work calls, if any; a job whose `code` is still being compiled leaves room for
    another job. A `sticky` job makes its worker the home of its client. The work of a `parallel`
    job is also given `processors`, the number of processors that it may use.
    """

    task: J
    work: Callable[..., T]
    game: Game | None = None
    priority: float = URGENT
    report: Report | None = None
    code: Future[Any] | None = None
    sticky: bool = False
    parallel: bool = False

    @property
    def waits(self) -> bool:
        """Whether the job does nothing but wait for compiled code."""
        return self.code is not None and not self.code.done()


@attrs.frozen(eq=False)
class _Running(Generic[J, T]):
    job: Job[J, T]
    worker: str
    thread: Worker[T]


class JobQueue(Generic[C, J, T]):
    """Runs the jobs of its clients, as many at once as the executor has room for; thread-safe."""

    def __init__(
        self,
        executor: Executor,
        next_job: Callable[[C], Job[J, T] | None],
        ended: Callable[[C, J, T | Exception], None],
        began: Callable[[C, J], None] = lambda _client, _task: None,
        call: Callable[..., None] = lambda function, *arguments: function(*arguments),
    ) -> None:
        """`next_job` returns the job that a client wants to run now, or None.

        `ended` is called with the result, the exception, or `WorkerLost` if the job is queued
        again, and `began` at each start. `call` runs `ended` on the right thread; by default that
        is the thread of the job.
        """
        self._executor = executor
        self._next_job = next_job
        self._ended = ended
        self._began = began
        self._call = call
        self._lock = threading.RLock()
        self._queue: dict[C, int] = {}  # clients in their order, each with the number that it drew
        self._drawn = 0
        self._homes: dict[C, str] = {}
        self._running: dict[C, _Running[J, T]] = {}
        self._stopped = False

    def watch(self) -> None:
        """Use workers that join later, too."""
        self._executor.watch(partial(self._call, self.start))

    def add(self, client: C) -> None:
        """Queue a client, unless it is queued or has a job; start the jobs there is room for."""
        self.add_all((client,))

    def add_all(self, clients: Iterable[C]) -> None:
        """Queue several clients, in their order, as `add` does."""
        with self._lock:
            for client in clients:
                if client not in self._queue and client not in self._running:
                    self._drawn += 1
                    self._queue[client] = self._drawn
        self.start()

    @property
    def running(self) -> dict[C, J]:
        """The tasks of the jobs that are running, by client."""
        with self._lock:
            return {client: each.job.task for client, each in self._running.items()}

    def stop_job(self, client: C) -> None:
        """Tell the job of a client to end soon, if it is running."""
        with self._lock:
            running = self._running.get(client)
        if running is not None:
            running.thread.stop()

    def remove(self, client: C) -> bool:
        """Forget a client that has no running job; return False if it was not queued."""
        with self._lock:
            self._homes.pop(client, None)
            return self._queue.pop(client, None) is not None

    def stop(self) -> None:
        """Tell all jobs to end soon, and start none any more."""
        with self._lock:
            self._stopped = True
            self._queue.clear()
            running = list(self._running.values())
        for each in running:
            each.thread.stop()

    def start(self) -> None:
        """Start the jobs that there is room for."""
        while True:
            with self._lock:
                found = None if self._stopped else self._next()
                if found is None:
                    return
                client, job, worker = found
                del self._queue[client]
                if job.sticky:
                    self._homes[client] = worker
                done = partial(self._call, self._done, client, job)
                work = job.work
                if job.parallel:
                    jobs = 1 + len(self._running) + len(self._queue)
                    work = partial(work, processors=self._executor.processors_each(jobs))
                thread = self._executor.thread_for(worker, work, done, job.report)
                self._running[client] = _Running(job, worker, thread)
                thread.begin()
            self._began(client, job.task)

    def _done(self, client: C, job: Job[J, T], found: T | Exception) -> None:
        with self._lock:
            del self._running[client]
            if isinstance(found, WorkerLost) and not self._stopped:
                number = min(self._queue.values(), default=self._drawn)
                self._queue = {client: number, **self._queue}
        self._ended(client, job.task, found)
        self.start()

    def _next(self) -> tuple[C, Job[J, T], str] | None:
        """Return the client that is to run a job now, the job and the worker; None if none can."""
        used = Counter(each.worker for each in self._running.values() if not each.job.waits)
        if all(used[worker] >= most for worker, most in self._executor.ready(None).items()):
            return None  # before clients are asked for jobs, which may take them a while
        jobs: dict[C, Job[J, T]] = {}
        for client in list(self._queue):
            job = self._next_job(client)
            if job is None:
                del self._queue[client]
            else:
                jobs[client] = job
        later = [client for client, job in jobs.items() if job.priority > URGENT]
        for client, job in sorted(jobs.items(), key=lambda each: each[1].priority):
            ready = self._executor.ready(job.game)
            free = [worker for worker, most in ready.items() if used[worker] < most]
            others = later if job.priority > URGENT else ()
            worker = self._worker_for(client, free, ready, others)
            if worker is not None:
                return client, job, worker
        return None

    def _worker_for(
        self, client: C, free: list[str], ready: Mapping[str, int], others: Collection[C]
    ) -> str | None:
        """Return the client's home, or another worker that no client at home there needs soon."""
        home = self._homes.get(client)
        if home in free or not free:
            return home if home in free else None
        active = [*self._queue, *self._running]
        running = {each: found.worker for each, found in self._running.items()}
        homes = Counter(self._homes.get(each, running.get(each)) for each in active)
        if home is not None and home in ready:  # it is busy, but not for long
            most = self._queue[client] + _OVERTAKEN * len(active)
            near = {self._homes.get(each) for each in others if self._queue[each] <= most}
            crowd = homes[home] / ready[home]
            free = [
                worker
                for worker in free
                if worker not in near or (homes[worker] + 1) / ready[worker] < crowd
            ]
        return min(free, key=lambda worker: homes[worker] / ready[worker], default=None)


def run_all(executor: Executor, jobs: Mapping[C, Job[J, T]]) -> Iterator[tuple[C, T | Exception]]:
    """Run jobs, and yield each client with the result or the exception of its job, as jobs end.

    A job whose worker is lost runs again. Raises `ClusterGone` if the cluster is lost.
    """
    ended: SimpleQueue[tuple[C, T | Exception]] = SimpleQueue()

    def tell(client: C, _task: J, found: T | Exception) -> None:
        if not isinstance(found, WorkerLost) or isinstance(found, ClusterGone):
            ended.put((client, found))

    queue = JobQueue(executor, jobs.get, tell)
    queue.watch()
    queue.add_all(jobs)
    try:
        for _ in jobs:
            client, found = ended.get()
            if isinstance(found, ClusterGone):
                raise found
            yield client, found
    finally:
        queue.stop()
