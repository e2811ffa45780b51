"""Who thinks when: few searches at once, in slices, so that many tables get their share.

An engine that is to move goes before an analysis; among equals it is first come, first served. A
session that wants more after its turn queues again. All of this runs on the reactor's thread.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from typing import Protocol

import attrs

from linage_bot.web.session import Session
from linage_bot.web.tasks import Found, Task
from linage_bot.web.thoughts import Thought

_log = logging.getLogger(__name__)


class Threads(Protocol):
    """Where searches run, and the way back to the one thread on which all else does."""

    def run(self, work: Callable[[], Found], done: Callable[[Found | Exception], None]) -> None:
        """Call `work` on another thread, then `done` on this one with what it returns or raises."""

    def call(self, function: Callable[[], None]) -> None:
        """Call a function on this thread soon; may be asked for on any."""


class Audience(Protocol):
    """Who hears what the searches come to."""

    def changed(self, session: Session) -> None:
        """A game has changed."""

    def noted(self, session: Session) -> None:
        """Something was found out of a game's positions."""

    def told(self, session: Session, task: Task, thought: Thought) -> None:
        """There is news of a search under way."""


@attrs.frozen(eq=False)
class _Running:
    task: Task
    stopped: threading.Event


class Turns:
    """The searches of all sessions, `at_once` of them at a time."""

    def __init__(self, threads: Threads, audience: Audience, at_once: int) -> None:
        self._threads = threads
        self._audience = audience
        self._at_once = at_once
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
        self._audience.changed(session)

    def _run(self, session: Session, task: Task) -> None:
        running = self._running[session] = _Running(task, threading.Event())

        def tell(thought: Thought) -> None:
            self._threads.call(lambda: self._audience.told(session, task, thought))

        def done(found: Found | Exception) -> None:
            del self._running[session]
            if isinstance(found, Exception):
                self._failed(session, found)
            elif session.accept(task, found):
                self._audience.changed(session)
            else:
                self._audience.noted(session)
            self.look(session)

        self._threads.run(lambda: task.run(running.stopped, tell), done)
