"""Executors, which run jobs on threads of this process or on the workers of a cluster."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Any, Final, Protocol, TypeAlias, TypeVar

from linage_bot.engine.jit.address_space import room
from linage_bot.engine.search.loading import begin
from linage_bot.engine.solver.loading import prepare_solver
from linage_bot.engine.worker import Worker
from linage_bot.rules.game import Game

T = TypeVar("T")

Report: TypeAlias = Callable[[Any], None]
"""Called with a job's results so far."""

HERE: Final = "here"


class WorkerLost(RuntimeError):
    """The worker that ran a job is gone: the job has to run again."""


class ClusterGone(WorkerLost):
    """The scheduler of the cluster cannot be reached any more, or has dropped a job."""


class Executor(Protocol):
    """A place that runs jobs. A job that continues another one should run on the same worker."""

    def watch(self, changed: Callable[[], None]) -> None:
        """Have `changed` called, on any thread, when there are other workers or more room."""

    def prepare(self, game: Game) -> Future[Any]:
        """Load the compiled code of a game; done when a search would not have to wait for it."""

    def ready(self, game: Game | None) -> Mapping[str, int]:
        """Return how many jobs each worker runs at once, by the worker's name.

        Of the workers that have loaded the game's code; of all if there is no game.
        """

    def processors_each(self, jobs: int) -> int:
        """Return how many processors each of this many jobs may use, running or queued."""

    def thread_for(
        self,
        worker: str,
        work: Callable[..., T],
        done: Callable[[T | Exception], None],
        report: Report | None = None,
    ) -> Worker[T]:
        """Return a thread that runs a job on a worker; it is not started.

        `work` is called with the event that stops it and, if there is a `report`, with a function
        that passes its results so far to `report`. `done` is called with the result or the
        exception. A worker of a cluster calls a copy of `work`, and `done` may get `WorkerLost`.
        """


def load(game: Game) -> Future[Any]:
    """Load a game's compiled code in the background of this process.

    And its solver's, unless that is compiled for this game alone: then it is loaded when needed.
    """
    code = begin(game).begin()
    prepare_solver(game)
    return code


class ThreadExecutor:
    """An `Executor` that runs a limited number of jobs at once on threads of this process."""

    def __init__(
        self, at_once: int, worker: type[Worker[Any]] = Worker[Any], *, most_each: int = 1
    ) -> None:
        """`most_each` is the most processors that a job may use while others are idle."""
        self._at_once = at_once
        self._worker = worker
        self._most_each = most_each

    def watch(self, changed: Callable[[], None]) -> None:
        """Do nothing: the worker is always the same."""

    def prepare(self, game: Game) -> Future[Any]:
        """Load the code in the background, as `load` does."""
        return load(game)

    def ready(self, _game: Game | None) -> Mapping[str, int]:
        """Return the limit, whether the code is loaded or not: the job waits for it."""
        return {HERE: self._at_once}

    def processors_each(self, jobs: int) -> int:
        """Return an equal share of the processors, one for each job that may run at once.

        With a limit of the address space (`ulimit -v`) it is one, as every thread needs some.
        """
        most = self._most_each if room() == math.inf else 1
        return max(1, min(most, self._at_once // jobs))

    def thread_for(
        self,
        _worker: str,
        work: Callable[..., T],
        done: Callable[[T | Exception], None],
        report: Report | None = None,
    ) -> Worker[T]:
        """Return a thread of this process."""
        return self._worker(with_report(work, report), done)


def with_report(work: Callable[..., T], report: Report | None) -> Callable[[threading.Event], T]:
    """Return the work as a function of the event alone."""
    return work if report is None else partial(_reporting, work, report)


def _reporting(work: Callable[..., T], report: Report, stopped: threading.Event) -> T:
    return work(stopped, report)
