"""The queue of all tables' searches, and the delivery of their results.

A move or an answer that a viewer waits for goes before an analysis. Everything here runs on the
reactor's thread.
"""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from linage_bot.jobs.executor import Executor, WorkerLost
from linage_bot.jobs.queue import LATER, URGENT, Job, JobQueue
from linage_bot.rules.game import Game
from linage_bot.web.table.errors import ActionRefused, check
from linage_bot.web.thinking.questions import Asked
from linage_bot.web.thinking.session import Session
from linage_bot.web.thinking.tasks import Analyse, Found, Judge, Task, Urgent
from linage_bot.web.thinking.timers import ClockTimers

_log = logging.getLogger(__name__)


class SearchScheduler:
    """The scheduler of all sessions' tasks; each session runs one task at a time."""

    def __init__(
        self,
        reactor: Any,
        executor: Executor,
        send_changes: Callable[[Session], None],
        send_clock: Callable[[Session], None],
    ) -> None:
        """`send_changes` sends pages the changes of a session, `send_clock` its clocks."""
        self._executor = executor
        self._send_changes = send_changes
        self._send_clock = send_clock
        self._queue: JobQueue[Session, Task, Found] = JobQueue(
            executor, self._next_job, self._ended, self._began, reactor.callFromThread
        )
        self._hurried: dict[Session, Task] = {}
        self._timers = ClockTimers(reactor, self._timer_fired)

    def start(self) -> None:
        """Use workers that connect from now on, too."""
        self._queue.watch()

    def prepare(self, game: Game) -> Future[Any]:
        """Load a game's compiled code; done when a search would not have to wait for it."""
        return self._executor.prepare(game)

    def is_searching(self, session: Session) -> bool:
        """Return whether a search of the session runs; its engines are then in use."""
        return session in self._queue.running

    def update(self, session: Session) -> None:
        """Stop the session's search if it is no longer wanted, or queue the next one."""
        running = self._queue.running.get(session)
        if running is None:
            self._queue.add(session)
        elif self._wanted(session) is None or not session.still_wanted(running):
            self._queue.stop_job(session)
        self._keep_time(session)

    def _keep_time(self, session: Session) -> None:
        """Start or stop the table's clock, and set its timer."""
        session.keep_time()
        self._send_clock(session)
        self._timers.set(session, session.seconds_to_timer())

    def _timer_fired(self, session: Session) -> None:
        session.wake()
        self._send_changes(session)
        self.update(session)

    def move_now(self, session: Session) -> None:
        """Make the engine move now. Raise `ActionRefused` if it is not searching a move."""
        check(session.game.seats is None, "a table of two people has no engine to hurry")
        running = self._queue.running.get(session)
        if not isinstance(running, Urgent):
            raise ActionRefused("no engine is searching for a move")
        check(not session.waits, "the engine cannot search yet: it is still being compiled")
        self._hurried[session] = running
        self._queue.stop_job(session)

    def remove(self, session: Session) -> None:
        """Remove a session, of which no search runs, from the queue."""
        self._timers.set(session, None)
        self._hurried.pop(session, None)
        self._queue.remove(session)

    def stop(self) -> None:
        """Stop all searches, and start no other."""
        self._queue.stop()

    def _next_job(self, session: Session) -> Job[Task, Found] | None:
        task = self._wanted(session)
        if task is None:
            return None
        priority = URGENT if isinstance(task, Urgent | Asked) else LATER
        game, code = session.game.rules, session.code
        parallel = isinstance(task, Analyse | Judge)
        return Job(task, task.run, game, priority, code=code, sticky=True, parallel=parallel)

    def _wanted(self, session: Session) -> Task | None:
        """Return the session's next task; None if there is none or choosing it fails."""
        try:
            return session.wanted()
        except Exception as error:  # such as a solver that does not compile
            self._failed(session, error)
            return None

    def _began(self, session: Session, task: Task) -> None:
        if self._hurried.get(session) == task:  # its worker was lost after that
            self._queue.stop_job(session)
        session.began(task)
        self._keep_time(session)

    def _ended(self, session: Session, task: Task, found: Found | Exception) -> None:
        if isinstance(found, WorkerLost):  # players need not know this
            _log.info("running again: %s", found)
            session.lost()
            self._keep_time(session)
            return
        self._hurried.pop(session, None)
        if isinstance(found, Exception):  # the session reports any error
            self._failed(session, found)
        else:
            session.accept(task, found)
            self._send_changes(session)
        self.update(session)

    def _failed(self, session: Session, error: Exception) -> None:
        _log.error("a search failed", exc_info=error)
        session.fail(f"the search failed: {error!r:.200}")
        self._send_changes(session)
