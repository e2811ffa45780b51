"""Slow work for requests, on other threads: shared by equal requests, dropped with its clients."""

import threading
from collections.abc import Callable, Hashable
from typing import Any

import attrs
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure


@attrs.define(eq=False)
class _Job:
    """One run of a function, and the requests that wait for its result."""

    work: Callable[[threading.Event], Any]
    answers: list[Deferred[Any]] = attrs.field(factory=list)
    stopped: threading.Event = attrs.field(factory=threading.Event)
    runs: bool = False


class SharedJobs:
    """Runs functions on other threads, a few at once, in the order in which they are asked for.

    Requests with equal keys share one run. A job whose clients have all gone is not begun, or is
    told to stop. Everything but the jobs themselves runs on the reactor's thread.
    """

    def __init__(self, elsewhere: Callable[..., Deferred[Any]], most_at_once: int) -> None:
        """`elsewhere` calls a function on another thread."""
        self._elsewhere = elsewhere
        self._most_at_once = most_at_once
        self._running = 0
        self._jobs: dict[Hashable, _Job] = {}  # that some client waits for, in their order

    def run(
        self, request: Any, key: Hashable, work: Callable[[threading.Event], Any]
    ) -> Deferred[Any]:
        """Return the result of `work`, which may end early once its event is set.

        The Deferred never fires if the client goes first. It may be the result of another request
        with the same key.
        """
        job = self._jobs.setdefault(key, _Job(work))
        answer: Deferred[Any] = Deferred()
        job.answers.append(answer)

        def gone(_failure: Failure) -> None:
            if answer in job.answers:
                job.answers.remove(answer)
                if not job.answers:
                    job.stopped.set()
                    del self._jobs[key]

        request.notifyFinish().addErrback(gone)
        self._begin()
        return answer

    def _begin(self) -> None:
        for key, job in list(self._jobs.items()):
            if self._running >= self._most_at_once:
                break
            if not job.runs and job.answers:
                job.runs = True
                self._running += 1
                self._elsewhere(job.work, job.stopped).addBoth(self._ended, key, job)

    def _ended(self, result: Any, key: Hashable, job: _Job) -> None:
        self._running -= 1
        if self._jobs.get(key) is job:
            del self._jobs[key]
        answers, job.answers = job.answers, []
        for answer in answers:
            answer.callback(result)  # a Failure fails it
        self._begin()
