"""All that goes on: the tables, the pages that look on, and whose turn it is to think."""

from __future__ import annotations

import os
from typing import Any

from linage_bot.engine.engine import AgentSettings
from linage_bot.engine.search.loading import begin
from linage_bot.engine.solver.loading import solver_ready
from linage_bot.engine.solver.sums.sums import is_solvable
from linage_bot.web import view
from linage_bot.web.errors import Refused
from linage_bot.web.requests import ACTIONS, Fields
from linage_bot.web.rooms import Rooms
from linage_bot.web.session import Session
from linage_bot.web.stream import Stream
from linage_bot.web.tasks import Task
from linage_bot.web.thoughts import Thought
from linage_bot.web.threads import SearchThreads
from linage_bot.web.turns import Turns

MOST_STREAMS = 8  # to one table
_ALIVE_SECONDS = 20.0


class Hall:
    """Serves requests that were allowed. Everything runs on the reactor's thread."""

    def __init__(self, reactor: Any, settings: AgentSettings) -> None:
        self._reactor = reactor
        self.settings = settings
        # One processor is left for answering, and for the browser if it is on this machine.
        at_once = max(1, ((os.cpu_count() or 2) - 1) // settings.threads)
        self._turns = Turns(SearchThreads(reactor), self, at_once)
        self.rooms = Rooms(reactor.seconds, self._turns.thinks)
        self._streams: dict[Session, list[Stream]] = {}

    def start(self) -> None:
        """Begin to tidy up now and then."""
        self._reactor.callLater(_ALIVE_SECONDS, self._tidy)

    def stop(self) -> None:
        """Stop all searches."""
        self._turns.stop()

    def open(self, session: Session) -> str:
        """A name for a new session."""
        name = self.rooms.open(session)
        # So that the first search need not wait for the compiler.
        begin(session.game)
        if is_solvable(session.course.position):
            solver_ready()
        self._turns.look(session)
        return name

    def act(self, session: Session, action: str, fields: Fields) -> view.Json:
        """Do what a page asks, tell all pages, and return what it told them.

        Raises `Refused` and `Declined`.
        """
        if action not in ACTIONS:
            raise Refused(404, "there is no such action")
        before = session.viewed
        ACTIONS[action](session, fields)
        session.revision += 1
        self._turns.look(session)
        table = view.table(session)
        self._send(session, "table", table)
        if session.viewed != before or action == "analyse":
            self._send_thoughts(session)
        return table

    def watch(self, session: Session, request: Any) -> None:
        """Begin to tell a page what happens; raises `Refused`."""
        streams = self._streams.setdefault(session, [])
        if len(streams) >= MOST_STREAMS:
            raise Refused(503, f"{MOST_STREAMS} pages look at this game already")
        stream = Stream(request)
        streams.append(stream)
        request.notifyFinish().addBoth(lambda _: self._left(session, stream))
        session.watchers = len(streams)
        stream.send("table", view.table(session))
        self._send_thoughts(session)
        self._turns.look(session)

    def _left(self, session: Session, stream: Stream) -> None:
        streams = self._streams[session]
        streams.remove(stream)
        session.watchers = len(streams)
        if not streams:
            del self._streams[session]
        self._turns.look(session)

    def changed(self, session: Session) -> None:
        """An engine has moved, or failed."""
        session.revision += 1
        self._send(session, "table", view.table(session))
        self._send_thoughts(session)

    def told(self, session: Session, task: Task, thought: Thought) -> None:
        """News of a search under way."""
        news = view.news(session, task, thought)
        if news is not None:
            self._send(session, "analysis", news)

    def noted(self, session: Session) -> None:
        """Something was found out of the game's positions."""
        self._send_thoughts(session)

    def _send_thoughts(self, session: Session) -> None:
        if session.notebook.on:
            at = session.viewed
            thought = session.notebook.thoughts.get(at)
            self._send(session, "analysis", view.analysis(session, at, thought))
            self._send(session, "graph", view.graph(session))

    def _send(self, session: Session, kind: str, value: view.Json) -> None:
        for stream in self._streams.get(session, ()):
            stream.send(kind, value)

    def _tidy(self) -> None:
        self._reactor.callLater(_ALIVE_SECONDS, self._tidy)
        self.rooms.tidy()
        for session in self.rooms:  # what was not ready when it was wanted may be so now
            self._turns.look(session)
        for streams in self._streams.values():
            for stream in streams:
                stream.keep_alive()
