"""All tables by their names: bounded in number, and cleared when nobody comes any more."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator

import attrs

from linage_bot.web.errors import Refused
from linage_bot.web.session import Session

MOST_TABLES = 64
IDLE_SECONDS = 4 * 3600.0  # without any request
_FORGET_SECONDS = 60.0  # without a page that looks on, until search trees are dropped


@attrs.define(eq=False)
class Table:
    """A session under its name, and when somebody last asked for it."""

    name: str
    session: Session
    used: float  # by the rooms' clock


class Rooms:
    """The tables; `now` is a clock in seconds, `thinks` whether a session's agents are in use."""

    def __init__(self, now: Callable[[], float], thinks: Callable[[Session], bool]) -> None:
        self._now = now
        self._thinks = thinks
        self._tables: dict[str, Table] = {}

    def __iter__(self) -> Iterator[Session]:
        return iter([table.session for table in self._tables.values()])

    def open(self, session: Session) -> str:
        """A name for a new session; when all tables are taken, of the one longest left alone.

        Raises `Refused` if somebody looks on at every table.
        """
        if len(self._tables) >= MOST_TABLES:
            left = [table for table in self._tables.values() if not table.session.watchers]
            if not left:
                raise Refused(503, f"all {MOST_TABLES} tables are in use: close a page")
            del self._tables[min(left, key=lambda table: table.used).name]
        name = secrets.token_urlsafe(9)
        self._tables[name] = Table(name, session, self._now())
        return name

    def find(self, name: str) -> Session:
        """The session of this name; raises `Refused`."""
        table = self._tables.get(name)
        if table is None:
            raise Refused(404, "this game is not here any more")
        table.used = self._now()
        return table.session

    def tidy(self) -> None:
        """Drop what was left alone for long."""
        now = self._now()
        for table in list(self._tables.values()):
            session = table.session
            if session.watchers:
                table.used = now
            elif now - table.used > IDLE_SECONDS:
                del self._tables[table.name]
            elif now - table.used > _FORGET_SECONDS and not self._thinks(session):
                session.forget()
