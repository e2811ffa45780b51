"""Who thinks when: few searches at once, in slices, so that many tables get their share.

An engine that is to move goes before an analysis; among equals it is first come, first served. A
session that wants more after its turn queues again. Who only waits for the compiler is in nobody's
way. All of this runs on the reactor's thread.
"""

import functools
import logging
from collections import deque
from typing import Any

from linage_bot.engine.worker import Worker
from linage_bot.web.news import tell
from linage_bot.web.session import Session
from linage_bot.web.tasks import Found, Task, Urgent

_log = logging.getLogger(__name__)


class Turns:
    """The searches of all sessions, `at_once` of them at a time."""

    def __init__(
        self, reactor: Any, at_once: int, worker: type[Worker[Found]] = Worker[Found]
    ) -> None:
        self._reactor = reactor
        self._at_once = at_once
        self._worker = worker
        self._queue: deque[Session] = deque()
        self._thinking: dict[Session, tuple[Task, Worker[Found]]] = {}

    def thinks(self, session: Session) -> bool:
        """Whether a search of the session is under way: its engines are not to be touched."""
        return session in self._thinking

    def look(self, session: Session) -> None:
        """Something has changed at a table: stop what is not wanted any more, queue what is."""
        if session in self._thinking:
            task, worker = self._thinking[session]
            if self._wanted(session) is None or not session.still_wanted(task):
                worker.stop()
        elif session not in self._queue and self._wanted(session) is not None:
            self._queue.append(session)
        self._begin()

    def stop(self) -> None:
        """Stop all searches, and begin no other."""
        self._at_once = 0
        self._queue.clear()
        for _, worker in self._thinking.values():
            worker.stop()

    def _begin(self) -> None:
        while self._queue and sum(not each.waits for each in self._thinking) < self._at_once:
            session, task = self._next()
            if task is not None:
                call = self._reactor.callFromThread
                worker = self._worker(task.run, functools.partial(call, self._ended, session, task))
                self._thinking[session] = task, worker
                worker.begin()

    def _next(self) -> tuple[Session, Task | None]:
        """The first in the queue whose engine is to move, or else the first."""
        wanted = {session: self._wanted(session) for session in self._queue}
        session = max(wanted, key=lambda each: isinstance(wanted[each], Urgent))
        self._queue.remove(session)
        return session, wanted[session]

    def _wanted(self, session: Session) -> Task | None:
        """What a session wants; one that fails is not asked again, and the others go on."""
        try:
            return session.wanted()
        except Exception as error:  # such as a solver that does not compile
            self._failed(session, error)
            return None

    def _ended(self, session: Session, task: Task, found: Found | Exception) -> None:
        del self._thinking[session]
        if isinstance(found, Exception):  # whatever it is, the session is told
            self._failed(session, found)
        else:
            session.accept(task, found)
            tell(session)
        self.look(session)

    def _failed(self, session: Session, error: Exception) -> None:
        _log.error("a search failed", exc_info=error)
        session.fail(f"the search failed: {error!r:.200}")
        tell(session)
