"""The analysis of one client's queries, whose positions are searched by a shared queue."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeAlias

from linage_bot.engine.worker import reason_of
from linage_bot.jobs.executor import Executor, WorkerLost
from linage_bot.jobs.queue import Job, JobQueue
from linage_bot.jobs.sticky import StickyObject
from linage_bot.rules.shared import KnownGames
from linage_bot.servers.analysis.engine_pool import ClientEngines
from linage_bot.servers.analysis.games import Warn, is_foreign
from linage_bot.servers.analysis.questions import Question, questions
from linage_bot.servers.analysis.settings import AnalysisSettings
from linage_bot.servers.analysis.thinking import AnalysePosition
from linage_bot.version import __version__
from protocol.kata.messages import PositionReport, Query
from protocol.kata.server import AnalysisUpdate

_log = logging.getLogger(__name__)

PositionQueue: TypeAlias = "JobQueue[PositionThinking, AnalysePosition, PositionReport | None]"


def position_queue(executor: Executor) -> PositionQueue:
    """Return a queue for the positions of all clients of a server, first come, first served."""
    queue: PositionQueue = JobQueue(
        executor, PositionThinking.job, lambda thinking, _task, found: thinking.ended(found)
    )
    queue.watch()
    return queue


class GameAnalyst:
    """A `protocol.kata.server.AnalysisBackend` for all our games; the clients share a queue."""

    version = __version__

    def __init__(
        self,
        settings: AnalysisSettings,
        queue: PositionQueue,
        new_engines: Callable[[], ClientEngines] = ClientEngines,
    ) -> None:
        """Create an analyst; `new_engines` makes a client's engines, here or on a worker."""
        self._settings = settings
        self._queue = queue
        self._games = KnownGames()
        self._engines = StickyObject(new_engines)

    def questions(self, query: Query, warn: Warn) -> list[Question]:
        """Return a question for each of the query's turns; raise `BadField`."""
        return questions(query, self._settings, self._games, warn)

    def is_foreign(self, query: Query) -> bool:
        """Return whether a query's rules are those of another program's game."""
        return is_foreign(query.rules)

    def work(self, question: Question) -> PositionThinking:
        """Return the work that answers a question."""
        return PositionThinking(AnalysePosition(question, self._engines), self._queue)

    def forget(self) -> None:
        """Drop the results of earlier queries, and the trees of running searches when they end."""
        self._engines.here.close()
        self._engines = StickyObject(self._engines.make)

    def close(self) -> None:
        """Drop the engines of a client that is gone."""
        self._engines.here.close()


class PositionThinking:
    """A `protocol.kata.server.PositionWork`, a client of the queue with one job."""

    def __init__(self, task: AnalysePosition, queue: PositionQueue) -> None:
        self._task = task
        self._queue = queue
        self._report: Callable[[AnalysisUpdate], None] = lambda _thought: None

    @property
    def question(self) -> Question:
        """The position and how to analyse it."""
        return self._task.question

    def start(self, report: Callable[[AnalysisUpdate], None]) -> None:
        """Join the queue; `report` may be called on another thread."""
        self._report = report
        self._queue.add(self)

    def stop(self) -> None:
        """Stop as `PositionWork.stop` does; a position that is still in the queue ends at once."""
        if self._queue.remove(self):
            self._report(AnalysisUpdate(None))
        else:
            self._queue.stop_job(self)

    def job(self) -> Job[AnalysePosition, PositionReport | None]:
        """Return the job for the queue."""
        return Job(
            self._task,
            self._task.run,
            self.question.history.game,
            report=self._found_so_far,
            parallel=True,
        )

    def _found_so_far(self, report: PositionReport) -> None:
        self._report(AnalysisUpdate(report, final=False))

    def ended(self, found: PositionReport | Exception | None) -> None:
        """Report the job's result, unless its worker was lost: then the job runs again."""
        if isinstance(found, WorkerLost):
            _log.info("analysing the position again: %s", found)
        elif isinstance(found, Exception):
            if not isinstance(found, MemoryError):
                _log.error("an analysis failed", exc_info=found)
            self._report(AnalysisUpdate(None, error=reason_of(found)))
        else:
            self._report(AnalysisUpdate(found))
