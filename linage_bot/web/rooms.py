"""All sessions by their names: bounded in number, and cleared when nobody comes any more.

Everything runs on the reactor's thread.
"""

import secrets
from typing import Any

from linage_bot.engine.search.loading import begin
from linage_bot.engine.solver.loading import solver_ready
from linage_bot.engine.solver.sums.sums import makes_sums
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.course import Course, Deed
from linage_bot.web.errors import Refused
from linage_bot.web.news import tell, tell_compiling
from linage_bot.web.session import Session
from linage_bot.web.stream import Stream
from linage_bot.web.turns import Turns

MOST_TABLES = 64
MOST_STREAMS = 8  # to one table
IDLE_SECONDS = 4 * 3600.0  # without any request
FORGET_SECONDS = 60.0  # without a page that looks on, until search trees are dropped
ALIVE_SECONDS = 20.0  # from one word to silent pages to the next
LOOK_SECONDS = 0.5  # from one look at the compiler to the next


class Rooms:
    """Serves requests that were allowed."""

    def __init__(self, reactor: Any, settings: PlaySettings, turns: Turns) -> None:
        self._reactor = reactor
        self._settings = settings
        self._turns = turns
        self._sessions: dict[str, Session] = {}

    def start(self) -> None:
        """Tidy up now and then from now on."""
        self._reactor.callLater(ALIVE_SECONDS, self._tidy)
        self._reactor.callLater(LOOK_SECONDS, self._look_at_compiler)

    def open(self, course: Course) -> str:
        """A name for a new session; when all tables are taken, of the one longest left alone.

        Raises `Refused` if somebody looks on at every table.
        """
        if len(self._sessions) >= MOST_TABLES:
            left = [name for name, session in self._sessions.items() if not session.streams]
            if not left:
                raise Refused(503, f"all {MOST_TABLES} tables are in use: close a page")
            del self._sessions[min(left, key=lambda name: self._sessions[name].used)]
        name = secrets.token_urlsafe(9)
        session = self._sessions[name] = Session(course, self._settings)
        session.used = self._reactor.seconds()
        # So that the first search need not wait for the compiler.
        session.code = begin(course.game).begin()
        if makes_sums(course.game):
            solver_ready(course.game)
        self._turns.look(session)
        return name

    def find(self, name: str) -> Session:
        """The session of this name; raises `Refused`."""
        session = self._sessions.get(name)
        if session is None:
            raise Refused(404, "this game is not here any more")
        session.used = self._reactor.seconds()
        return session

    def do(self, name: str, deed: Deed) -> None:
        """Do what a page asks, and tell all pages; raises `Refused` and `Declined`."""
        session = self.find(name)
        session.do(deed)
        self._turns.look(session)
        tell(session)

    def watch(self, name: str, request: Any) -> None:
        """Tell a page what happens from now on; raises `Refused`."""
        session = self.find(name)
        if len(session.streams) >= MOST_STREAMS:
            raise Refused(503, f"{MOST_STREAMS} pages look at this game already")
        stream = Stream(request)
        request.notifyFinish().addBoth(lambda _: self._leave(session, stream))
        session.streams.append(stream)
        tell(session, stream)
        self._turns.look(session)

    def _leave(self, session: Session, stream: Stream) -> None:
        session.streams.remove(stream)
        self._turns.look(session)

    def _look_at_compiler(self) -> None:
        self._reactor.callLater(LOOK_SECONDS, self._look_at_compiler)
        for session in self._sessions.values():
            if session.streams:
                tell_compiling(session)

    def _tidy(self) -> None:
        """Drop what was left alone for long, and keep what is looked at alive."""
        self._reactor.callLater(ALIVE_SECONDS, self._tidy)
        now = self._reactor.seconds()
        for name, session in list(self._sessions.items()):
            if session.streams:
                session.used = now
            elif now - session.used > IDLE_SECONDS:
                del self._sessions[name]
            elif now - session.used > FORGET_SECONDS and not self._turns.thinks(session):
                session.forget()
            for stream in session.streams:
                stream.keep_alive()
            self._turns.look(session)  # what was not ready when it was wanted may be so now
