"""All sessions by their names: bounded in number, put to sleep when nobody comes any more.

All of them are on the disk; who sleeps is only there, and wakes when somebody asks for it.
Everything runs on the reactor's thread.
"""

import functools
import logging
import secrets
import sqlite3
from collections.abc import Callable
from typing import Any

from linage_bot.settings.playing import PlaySettings
from linage_bot.web.messages.events import greet, tell, tell_company, tell_compiling
from linage_bot.web.messages.stream import Stream
from linage_bot.web.table.errors import ActionRefused, HttpError
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.persistence import written
from linage_bot.web.table.seats import hashed
from linage_bot.web.table.view import FOLLOWING, View, ViewerAction
from linage_bot.web.table.viewer import Viewer
from linage_bot.web.thinking.advice import PendingQuestion
from linage_bot.web.thinking.questions import Advice, Answer, Asked, Loss
from linage_bot.web.thinking.scheduler import SearchScheduler
from linage_bot.web.thinking.session import Session
from linage_bot.web.thinking.store import GameStore

_log = logging.getLogger(__name__)

MOST_TABLES = 64  # that are awake
MOST_ONLOOKERS = 24  # at one table,
MOST_OF_PLAYERS = 8  # and so many more for the pages of those who have a seat
IDLE_SECONDS = 3600.0  # without any request, until a table sleeps
FORGET_SECONDS = 60.0  # without a page that looks on, until search trees are dropped
ALIVE_SECONDS = 20.0  # from one word to silent pages to the next
LOOK_SECONDS = 0.5  # from one look at the compiler to the next


class TableRegistry:
    """Serves requests that were allowed."""

    def __init__(
        self,
        reactor: Any,
        settings: PlaySettings,
        turns: SearchScheduler,
        store: GameStore,
        most_tables: int = MOST_TABLES,
    ) -> None:
        """At `most_tables` tables there is room at once."""
        self._reactor = reactor
        self._settings = settings
        self._turns = turns
        self._store = store
        self._most_tables = most_tables
        self._sessions: dict[str, Session] = {}

    def start(self) -> None:
        """Tidy up now and then from now on."""
        self._reactor.callLater(ALIVE_SECONDS, self._tidy)
        self._reactor.callLater(LOOK_SECONDS, self._look_at_compiler)

    def open(self, course: TableGame) -> str:
        """A name for a new session; when all tables are taken, the one longest left alone sleeps.

        Raises `HttpError` if somebody looks on at every table, and `ActionRefused`.
        """
        name = secrets.token_urlsafe(9)
        self._make_room()
        self._keep(name, course)
        self._forget_old()
        self.wake(name, course)
        return name

    def asleep(self, name: str) -> str | None:
        """A table that is on the disk alone, as it is written there."""
        try:
            return None if name in self._sessions else self._store.read(name)
        except sqlite3.Error:
            _log.exception("a game cannot be read")
            raise HttpError(503, "this game cannot be read from the disk") from None

    def wake(self, name: str, course: TableGame) -> None:
        """Have a session for a table that is on the disk; raises `HttpError` as `open` does."""
        if name in self._sessions:
            return
        self._make_room()
        keep = functools.partial(self._keep, name)
        session = self._sessions[name] = Session(
            course, self._settings, keep, self._reactor.seconds
        )
        session.used = self._reactor.seconds()
        self._touch(name)
        # So that the first search need not wait for the compiler.
        session.code = self._turns.prepare(course.game)
        self._turns.look(session)

    def _make_room(self) -> None:
        """For one more that is awake; raises `HttpError`."""
        if len(self._sessions) >= self._most_tables:
            left = [name for name, each in self._sessions.items() if self._is_left(each)]
            if not left:
                raise HttpError(503, f"all {self._most_tables} tables are in use: close a page")
            self._sleep(min(left, key=lambda name: self._sessions[name].used))

    def _is_left(self, session: Session) -> bool:
        """Whether nobody looks on, nothing goes on, and no search runs that would write a move."""
        return not (session.onlookers or session.goes_on or self._turns.thinks(session))

    def _sleep(self, name: str) -> None:
        self._turns.leave(self._sessions.pop(name))
        self._touch(name)  # somebody may have looked on until now

    def _touch(self, name: str) -> None:
        try:
            self._store.touch(name)
        except sqlite3.Error:  # it is only forgotten sooner
            _log.exception("the use of a game cannot be written")

    def _keep(self, name: str, course: TableGame) -> None:
        """Write a table; raises `ActionRefused`."""
        begun = len(course.tree) > 1 or course.company is not None
        try:
            self._store.write(name, written(course), begun=begun)
        except sqlite3.Error as error:
            _log.exception("a game cannot be kept")
            raise ActionRefused(f"the server cannot keep this game: {error}") from None

    def _forget_old(self) -> None:
        try:
            self._store.forget_old(self._sessions, self._most_tables)
        except sqlite3.Error:  # a disk without room, perhaps: others can be told what it means
            _log.exception("old games cannot be dropped")

    def find(self, name: str) -> Session:
        """The session of this name; raises `HttpError`."""
        session = self._sessions.get(name)
        if session is None:
            raise HttpError(404, "this game is not here any more")
        session.used = self._reactor.seconds()
        return session

    def do(
        self, name: str, deed: ViewerAction, page: str = "", *, word: str = "", secret: str = ""
    ) -> None:
        """Do what a page asks, and tell all pages; raises `HttpError` and `ActionRefused`.

        `word` names what it is, `secret` is that of the person's seat.
        """
        session = self.find(name)
        session.act(deed, session.onlooker(page), word, hashed(secret) if secret else "")
        self._turns.look(session)
        tell(session)

    def take(self, name: str, word: str, secret: str) -> None:
        """Give who has this secret the seat whose link has this word.

        Raises `HttpError` and `ActionRefused`.
        """
        session = self.find(name)
        session.take(hashed(word), hashed(secret))
        tell(session)

    def hurry(self, name: str) -> None:
        """Have the engine at a table move now; raises `HttpError` and `ActionRefused`."""
        self._turns.hurry(self.find(name))

    def ask(
        self,
        name: str,
        about: Callable[[Session], Answer | Asked],
        answered: Callable[[Answer], None],
        failed: Callable[[Exception], None],
    ) -> Callable[[], None]:
        """Answer a page alone, now or after a search; raises `HttpError`, `ActionRefused`.

        Return what withdraws the question, for when the page has gone.
        """
        session = self.find(name)
        found = about(session)
        if isinstance(found, Advice | Loss):
            answered(found)
            return lambda: None
        question = PendingQuestion(found, answered, failed)
        session.ask(question)
        self._turns.look(session)

        def withdraw() -> None:
            session.withdraw(question)
            self._turns.look(session)

        return withdraw

    def watch(
        self,
        name: str,
        request: Any,
        page: str = "",
        *,
        sight: View = FOLLOWING,
        secret: str = "",
    ) -> None:
        """Tell a page what happens from now on; raises `HttpError`."""
        session = self.find(name)
        holder = hashed(secret) if secret else ""
        company = session.course.company
        plays = company is not None and company.seat_of(holder) is not None
        # Who only looks on keeps no player out.
        if len(session.onlookers) >= MOST_ONLOOKERS + (MOST_OF_PLAYERS if plays else 0):
            raise HttpError(503, f"{len(session.onlookers)} pages look at this game already")
        onlooker = Viewer(Stream(request), page, sight.within(session.course), holder)
        request.notifyFinish().addBoth(lambda _: self._leave(session, onlooker))
        session.join(onlooker)
        greet(session, onlooker)
        tell_company(session)
        self._turns.look(session)

    def _leave(self, session: Session, onlooker: Viewer) -> None:
        session.leave(onlooker)
        tell_company(session)
        self._turns.look(session)

    def _look_at_compiler(self) -> None:
        self._reactor.callLater(LOOK_SECONDS, self._look_at_compiler)
        for session in self._sessions.values():
            if session.onlookers:
                tell_compiling(session)
            if session.course.clock is not None:
                self._turns.look(session)  # it runs as soon as the code is there

    def _tidy(self) -> None:
        """Let sleep what was left alone for long, and keep what is looked at alive."""
        self._reactor.callLater(ALIVE_SECONDS, self._tidy)
        now = self._reactor.seconds()
        for name, session in list(self._sessions.items()):
            if session.onlookers:
                session.used = now
            elif self._is_left(session) and now - session.used > IDLE_SECONDS:
                self._sleep(name)
                continue
            elif not self._turns.thinks(session) and now - session.used > FORGET_SECONDS:
                session.forget()
            for onlooker in session.onlookers:
                onlooker.stream.keep_alive()
            self._turns.look(session)  # what was not ready when it was wanted may be so now
