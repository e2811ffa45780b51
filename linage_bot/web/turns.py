"""Who thinks when: few searches at once, in slices, so that many tables get their share.

An engine that is to move goes before an analysis; among equals it is first come, first served. A
session that wants more after its turn queues again. All of this runs on the reactor's thread.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable

import attrs

from linage_bot.web.session import Session
from linage_bot.web.tasks import Task
from linage_bot.web.thoughts import Thought

_log = logging.getLogger(__name__)

InThread = Callable[[Callable[[], object], Callable[[object], None]], None]
"""Call the first function on another thread, and the second with its result on this one.

An exception that the first raises is its result."""


@attrs.frozen(eq=False)
class _Running:
    task: Task
    stopped: threading.Event


class Turns:
    """The searches of all sessions.

    `changed` hears of games that have changed, `noted` of what was found out, `told` of news of a
    search under way.
    """

    def __init__(
        self,
        in_thread: InThread,
        on_this_thread: Callable[[Callable[[], None]], None],
        at_once: int,
        changed: Callable[[Session], None],
        noted: Callable[[Session], None],
        told: Callable[[Session, Task, Thought], None],
    ) -> None:
        """`on_this_thread` calls a function here, from any thread; `at_once`: so many searches."""
        self._in_thread = in_thread
        self._on_this_thread = on_this_thread
        self._at_once = at_once
        self._changed = changed
        self._noted = noted
        self._told = told
        self._queue: deque[Session] = deque()
        self._running: dict[Session, _Running] = {}

    def thinks(self, session: Session) -> bool:
        """Whether a search of the session is under way: its agents are not to be touched."""
        return session in self._running

    def look(self, session: Session) -> None:
        """Something has changed at a table: stop what is not wanted any more, queue what is."""
        running = self._running.get(session)
        if running is not None:
            if self._wanted(session) is None or not session.still_wanted(running.task):
                running.stopped.set()
        elif session not in self._queue and self._wanted(session) is not None:
            self._queue.append(session)
        self._begin()

    def stop(self) -> None:
        """Stop all searches, and begin no other."""
        self._at_once = 0
        self._queue.clear()
        for running in self._running.values():
            running.stopped.set()

    def _begin(self) -> None:
        while self._queue and len(self._running) < self._at_once:
            session, task = self._next()
            if task is not None:
                self._run(session, task)

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

    def _failed(self, session: Session, error: Exception) -> None:
        _log.error("a search failed", exc_info=error)
        session.fail(f"the search failed: {error!r:.200}")
        self._changed(session)

    def _run(self, session: Session, task: Task) -> None:
        running = self._running[session] = _Running(task, threading.Event())

        def tell(thought: Thought) -> None:
            self._on_this_thread(lambda: self._told(session, task, thought))

        def done(found: object) -> None:
            del self._running[session]
            if isinstance(found, Exception):
                self._failed(session, found)
            elif session.accept(task, found):
                self._changed(session)
            else:
                self._noted(session)
            self.look(session)

        self._in_thread(lambda: task.run(running.stopped, tell), done)
