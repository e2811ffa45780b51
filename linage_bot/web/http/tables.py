"""The registry of all tables by name, with the limits on loaded tables and on their viewers.

All tables are on the disk. An unloaded one is only there, and is loaded by the next request for it.
Everything runs on the reactor's thread.
"""

import functools
import logging
import secrets
import sqlite3
from collections.abc import Callable
from typing import Any

import attrs

from linage_bot.settings.playing import PlaySettings
from linage_bot.web.http.new_table import rematch
from linage_bot.web.messages.events import (
    send_changes,
    send_everything,
    send_presence,
    send_progress,
)
from linage_bot.web.messages.requests import NewTableRequest
from linage_bot.web.messages.stream import Stream
from linage_bot.web.table.actions import PageAction
from linage_bot.web.table.errors import ActionRefused, HttpError, check
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.persistence import written
from linage_bot.web.table.seats import hashed
from linage_bot.web.table.view import FOLLOWING, View
from linage_bot.web.table.viewer import Viewer
from linage_bot.web.thinking.advice import PendingQuestion
from linage_bot.web.thinking.questions import Answer, Asked
from linage_bot.web.thinking.scheduler import SearchScheduler
from linage_bot.web.thinking.session import Session
from linage_bot.web.thinking.store import GameStore

_log = logging.getLogger(__name__)

MOST_TABLES = 64  # in memory
MOST_VIEWERS = 24  # at one table,
MOST_MORE_FOR_PLAYERS = 8  # and this number more for the pages of people with a seat
IDLE_SECONDS = 3600.0  # without any request, until a table is unloaded
FORGET_SECONDS = 60.0  # without a viewer, until search trees are dropped
ALIVE_SECONDS = 20.0  # between two comments that keep streams alive
CHECK_SECONDS = 0.5  # between two checks of the compiler's progress


class TableRegistry:
    """All tables by name; serves requests whose access was already checked."""

    def __init__(
        self,
        reactor: Any,
        settings: PlaySettings,
        scheduler: SearchScheduler,
        store: GameStore,
        most_tables: int = MOST_TABLES,
    ) -> None:
        """`most_tables` is the largest number of tables in memory."""
        self._reactor = reactor
        self._settings = settings
        self._scheduler = scheduler
        self._store = store
        self._most_tables = most_tables
        self._sessions: dict[str, Session] = {}

    def start(self) -> None:
        """Start the regular clean-up and the checks of the compiler's progress."""
        self._reactor.callLater(ALIVE_SECONDS, self._maintain)
        self._reactor.callLater(CHECK_SECONDS, self._check_compiler)

    def open(self, game: TableGame) -> str:
        """Return the name of a new table; if memory is full, unload the one unused longest.

        Raise `HttpError` if all tables are in use, and `ActionRefused` if it cannot be saved.
        """
        name = secrets.token_urlsafe(9)
        self._make_room()
        self._keep(name, game)
        self._delete_old()
        self.load(name, game)
        return name

    def stored_text(self, name: str) -> str | None:
        """Return the text of a table that is only on the disk; None if there is none.

        Raise `HttpError` if it cannot be read.
        """
        try:
            return None if name in self._sessions else self._store.read(name)
        except sqlite3.Error:
            _log.exception("a game cannot be read")
            raise HttpError(503, "this game cannot be read from the disk") from None

    def load(self, name: str, game: TableGame) -> None:
        """Load a table that is on the disk into memory. Raise `HttpError` as `open` does."""
        if name in self._sessions:
            return
        self._make_room()
        keep = functools.partial(self._keep, name)
        session = self._sessions[name] = Session(game, self._settings, keep, self._reactor.seconds)
        session.used = self._reactor.seconds()
        self._touch(name)
        # Compile early, so that the first search need not wait.
        session.code = self._scheduler.prepare(game.rules)
        self._scheduler.update(session)

    def _make_room(self) -> None:
        """Make room for one more table in memory. Raise `HttpError` if all are in use."""
        if len(self._sessions) >= self._most_tables:
            left = [name for name, each in self._sessions.items() if self._is_unused(each)]
            if not left:
                raise HttpError(503, f"all {self._most_tables} tables are in use: close a page")
            self._unload(min(left, key=lambda name: self._sessions[name].used))

    def _is_unused(self, session: Session) -> bool:
        """Return whether a table is unused: no viewer, no running clock and no search.

        A waiting question counts as use, too.
        """
        return not (session.viewers or session.busy or self._scheduler.is_searching(session))

    def _unload(self, name: str) -> None:
        self._scheduler.remove(self._sessions.pop(name))
        self._touch(name)  # a viewer may have been here until now

    def _touch(self, name: str) -> None:
        try:
            self._store.touch(name)
        except sqlite3.Error:  # the table is only deleted sooner
            _log.exception("the use of a game cannot be written")

    def _keep(self, name: str, game: TableGame) -> None:
        """Save a table. Raise `ActionRefused` if the disk fails."""
        begun = len(game.tree) > 1 or game.seats is not None
        try:
            self._store.write(name, written(game), begun=begun)
        except sqlite3.Error as error:
            _log.exception("a game cannot be kept")
            raise ActionRefused(f"the server cannot keep this game: {error}") from None

    def _delete_old(self) -> None:
        try:
            self._store.forget_old(self._sessions, self._most_tables)
        except sqlite3.Error:  # perhaps the disk is full: other requests report it
            _log.exception("old games cannot be dropped")

    def find(self, name: str) -> Session:
        """Return the session of a loaded table. Raise `HttpError` if there is none."""
        session = self._sessions.get(name)
        if session is None:
            raise HttpError(404, "this game is not here any more")
        session.used = self._reactor.seconds()
        return session

    def do(self, name: str, action: PageAction, page: str = "", *, secret: str = "") -> None:
        """Carry out a page's action, and update all pages. Raise `HttpError`, `ActionRefused`.

        `secret` is that of the person's seat, empty without one.
        """
        session = self.find(name)
        session.act(action, session.viewer(page), hashed(secret) if secret else "")
        self._scheduler.update(session)
        send_changes(session)

    def take(self, name: str, word: str, secret: str) -> None:
        """Assign the seat of an invitation link's word to the owner of a secret.

        Raise `HttpError` and `ActionRefused`.
        """
        session = self.find(name)
        session.take(hashed(word), hashed(secret))
        send_changes(session)

    def discard(self, name: str) -> None:
        """Delete a table from memory and disk.

        Raise `HttpError`, and `ActionRefused` if other people may need it.
        """
        session = self.find(name)
        check(session.game.seats is None, "a game between two people stays on the server")
        check(not session.viewers, "another page shows this game")
        try:
            self._store.delete(name)
        except sqlite3.Error as error:
            _log.exception("a game cannot be deleted")
            raise ActionRefused(f"the server cannot delete this game: {error}") from None
        self._scheduler.remove(self._sessions.pop(name))

    def rematch(self, name: str, secret: str, other: NewTableRequest | None = None) -> str:
        """Return the name of the table of a next game. Raise `HttpError`, `ActionRefused`.

        It is the same game, or the `other` that is requested. Two people share one, which the first
        request opens. `secret` is that of the person's seat.
        """
        session = self.find(name)
        game = session.game
        if game.seats is None:
            return self.open(rematch(game, other))
        seat = game.seats.seat_of(hashed(secret) if secret else "")
        check(seat is not None, "only the two players can play here")
        check(game.over, "the game is not over yet")
        if not game.again:
            again = self.open(rematch(game, other))
            session.do(lambda game: attrs.evolve(game, again=again))
            send_changes(session)
        return session.game.again

    def move_now(self, name: str) -> None:
        """Make the engine at a table move now. Raise `HttpError` and `ActionRefused`."""
        self._scheduler.move_now(self.find(name))

    def ask(
        self,
        name: str,
        about: Callable[[Session], Answer | Asked],
        answered: Callable[[Answer], None],
        failed: Callable[[Exception], None],
    ) -> Callable[[], None]:
        """Answer one page, now or after a search. Raise `HttpError`, `ActionRefused`.

        Return a function that withdraws the question, for when the page disconnects.
        """
        session = self.find(name)
        found = about(session)
        if isinstance(found, Answer):
            answered(found)
            return lambda: None
        question = PendingQuestion(found, answered, failed)
        session.ask(question)
        self._scheduler.update(session)

        def withdraw() -> None:
            session.withdraw(question)
            self._scheduler.update(session)

        return withdraw

    def watch(
        self,
        name: str,
        request: Any,
        page: str = "",
        *,
        view: View = FOLLOWING,
        secret: str = "",
    ) -> None:
        """Connect a page to a table's events from now on. Raise `HttpError`."""
        session = self.find(name)
        holder = hashed(secret) if secret else ""
        seats = session.game.seats
        plays = seats is not None and seats.seat_of(holder) is not None
        # Viewers without a seat must not keep players out.
        if len(session.viewers) >= MOST_VIEWERS + (MOST_MORE_FOR_PLAYERS if plays else 0):
            raise HttpError(503, f"{len(session.viewers)} pages look at this game already")
        viewer = Viewer(Stream(request), page, view.within(session.game), holder)
        request.notifyFinish().addBoth(lambda _: self._leave(session, viewer))
        session.join(viewer)
        send_everything(session, viewer)
        send_presence(session)
        self._scheduler.update(session)

    def _leave(self, session: Session, viewer: Viewer) -> None:
        session.leave(viewer)
        send_presence(session)
        self._scheduler.update(session)

    def _check_compiler(self) -> None:
        self._reactor.callLater(CHECK_SECONDS, self._check_compiler)
        for session in self._sessions.values():
            if session.viewers:
                send_progress(session)
            if session.game.clock is not None:
                self._scheduler.update(session)  # the clock starts when the code is loaded

    def _maintain(self) -> None:
        """Unload tables unused for long, and keep the connections of viewed tables alive."""
        self._reactor.callLater(ALIVE_SECONDS, self._maintain)
        now = self._reactor.seconds()
        for name, session in list(self._sessions.items()):
            if session.viewers:
                session.used = now
            elif self._is_unused(session) and now - session.used > IDLE_SECONDS:
                self._unload(name)
                continue
            elif not self._scheduler.is_searching(session) and now - session.used > FORGET_SECONDS:
                session.forget()
            for viewer in session.viewers:
                viewer.stream.keep_alive()
            self._scheduler.update(session)  # a task that was not ready before may be so now
