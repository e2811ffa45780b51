"""Who thinks when: few searches at once, in slices, so that many tables get their share.

An engine that is to move goes before an analysis; among equals it is first come, first served. A
session that wants more after its turn queues again. All of this runs on the reactor's thread.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable

from twisted.internet.defer import Deferred

from linage_bot.web.news import tell
from linage_bot.web.session import Session
from linage_bot.web.tasks import Found, Task

_log = logging.getLogger(__name__)

Run = Callable[[Task, threading.Event], Deferred[Found]]
"""Runs a task on another thread until it ends, or soon after the event is set."""


class Turns:
    """The searches of all sessions, `at_once` of them at a time."""

    def __init__(self, run: Run, at_once: int) -> None:
        self._run = run
        self._at_once = at_once
        self._queue: deque[Session] = deque()
        self._thinking: dict[Session, tuple[Task, threading.Event]] = {}

    def thinks(self, session: Session) -> bool:
        """Whether a search of the session is under way: its agents are not to be touched."""
        return session in self._thinking

    def look(self, session: Session) -> None:
        """Something has changed at a table: stop what is not wanted any more, queue what is."""
        if session in self._thinking:
            task, stopped = self._thinking[session]
            if self._wanted(session) is None or not session.still_wanted(task):
                stopped.set()
        elif session not in self._queue and self._wanted(session) is not None:
            self._queue.append(session)
        self._begin()

    def stop(self) -> None:
        """Stop all searches, and begin no other."""
        self._at_once = 0
        self._queue.clear()
        for _, stopped in self._thinking.values():
            stopped.set()

    def _begin(self) -> None:
        while self._queue and len(self._thinking) < self._at_once:
            session, task = self._next()
            if task is not None:
                Deferred.fromCoroutine(self._think(session, task))

    def _next(self) -> tuple[Session, Task | None]:
        """The first in the queue whose engine is to move, or else the first."""
        for session in self._queue:
            task = self._wanted(session)
            if task is not None and task.urgent:
                self._queue.remove(session)
                return session, task
        session = self._queue.popleft()
        return session, self._wanted(session)

    def _wanted(self, session: Session) -> Task | None:
        """What a session wants; one that fails is not asked again, and the others go on."""
        try:
            return session.wanted()
        except Exception as error:  # such as a solver that does not compile
            self._failed(session, error)
            return None

    async def _think(self, session: Session, task: Task) -> None:
        _, stopped = self._thinking[session] = task, threading.Event()
        try:
            session.accept(task, await self._run(task, stopped))
        except Exception as error:  # whatever it is, the session is told
            self._failed(session, error)
        del self._thinking[session]
        tell(session)
        self.look(session)

    def _failed(self, session: Session, error: Exception) -> None:
        _log.error("a search failed", exc_info=error)
        session.fail(f"the search failed: {error!r:.200}")
        tell(session)
