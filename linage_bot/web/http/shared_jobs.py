"""Slow work for requests, in a queue: shared by equal requests, dropped with its clients."""

import threading
from collections.abc import Callable, Hashable
from typing import Any

import attrs
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from linage_bot.jobs.executor import Executor
from linage_bot.jobs.queue import Job, JobQueue


@attrs.define(eq=False)
class _SharedJob:
    """Work for the requests that wait for its result."""

    key: Hashable
    work: Callable[[threading.Event], Any]
    answers: list[Deferred[Any]] = attrs.field(factory=list)

    def job(self) -> Job[None, Any]:
        return Job(None, self.work)


class SharedJobs:
    """A queue of functions to run on other threads, in the order of their requests.

    Requests with equal keys share one run. A job whose clients have all disconnected is removed
    from the queue, or is stopped if it runs. Everything but the jobs themselves runs on the
    reactor's thread.
    """

    def __init__(self, executor: Executor, call: Callable[..., None]) -> None:
        """`call` calls a function on the reactor's thread."""
        self._queue: JobQueue[_SharedJob, None, Any] = JobQueue(
            executor, _SharedJob.job, self._ended, call=call
        )
        self._jobs: dict[Hashable, _SharedJob] = {}  # each has a waiting client

    def run(
        self, request: Any, key: Hashable, work: Callable[[threading.Event], Any]
    ) -> Deferred[Any]:
        """Return a Deferred of the result of `work`, which may end early once its event is set.

        The Deferred never fires if the client disconnects first. Its result may be that of another
        request with the same key.
        """
        job = self._jobs.setdefault(key, _SharedJob(key, work))
        answer: Deferred[Any] = Deferred()
        job.answers.append(answer)

        def forget_answer(_failure: Failure) -> None:
            if answer in job.answers:
                job.answers.remove(answer)
                if not job.answers:
                    del self._jobs[key]
                    if not self._queue.remove(job):
                        self._queue.stop_job(job)

        request.notifyFinish().addErrback(forget_answer)
        self._queue.add(job)
        return answer

    def _ended(self, job: _SharedJob, _task: None, found: Any) -> None:
        if self._jobs.get(job.key) is job:
            del self._jobs[job.key]
        answers, job.answers = job.answers, []
        for answer in answers:
            answer.callback(Failure(found) if isinstance(found, Exception) else found)
