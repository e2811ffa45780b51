"""The games on disk: one SQLite file with every table, and the token by which pages get in.

What is done at a table is written before any page hears of it, so a server that is killed knows
all that was seen. Nothing waits for the disk itself: a power cut may cost the last moves. Only one
server at a time has the file.
"""

from __future__ import annotations

import contextlib
import secrets
import sqlite3
import time
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

import platformdirs

from linage_bot.settings.checks import file_under, make_folder
from linage_bot.settings.files import private_database

MOST_KEPT: Final = 1000
"""Tables beside those that are awake; beyond, those used longest ago go."""
KEPT_SECONDS: Final = 30 * 24 * 3600.0
"""How long a table is kept that nobody uses."""
UNBEGUN_SECONDS: Final = 24 * 3600.0
"""The same if nothing has been done there."""
_VERSION: Final = 1
_TABLES: Final = """
create table if not exists keys (name text primary key, value text not null);
create table if not exists tables (
    name text primary key, used real not null, begun integer not null, text text not null);
create index if not exists tables_by_use on tables (used);
"""


def usual_file() -> Path:
    """Where games are kept if the user names no file."""
    return platformdirs.user_data_path("linage-bot", appauthor=False) / "games.sqlite"


class GameStore:
    """The open file; `clock` tells the time of day in seconds."""

    def __init__(
        self, database: sqlite3.Connection, clock: Callable[[], float] = time.time
    ) -> None:
        """A database that is empty or ours; raises `sqlite3.Error`."""
        database.isolation_level = None  # each statement is a transaction of its own
        (version,) = database.execute("pragma user_version").fetchone()
        if version not in (0, _VERSION):
            raise sqlite3.DatabaseError("made by another version of this program")
        database.executescript(f"begin; {_TABLES} pragma user_version = {_VERSION}; commit")
        self._database = database
        self._clock = clock

    @classmethod
    def open(cls, path: Path) -> GameStore:
        """Open or begin a file; raises `SettingFault`, also while another server has it."""
        make_folder("games", path.parent)
        with file_under("games", path, "another server"), contextlib.ExitStack() as undo:
            private_database(path)  # whoever reads the token can play here
            database = sqlite3.connect(path, timeout=0)
            undo.callback(database.close)
            database.execute("pragma locking_mode = exclusive")
            database.execute("pragma journal_mode = wal")
            database.execute("pragma synchronous = normal")
            store = cls(database)
            undo.pop_all()
            return store

    def close(self) -> None:
        """Let others use the file."""
        self._database.close()

    def token(self) -> str:
        """The key to the server, the same as long as the file is there."""
        fresh = secrets.token_urlsafe(24)
        self._database.execute("insert or ignore into keys values ('token', ?)", (fresh,))
        query = "select value from keys where name = 'token'"
        (token,) = self._database.execute(query).fetchone()
        return str(token)

    def write(self, name: str, text: str, *, begun: bool) -> None:
        """Keep a table as it is now; raises `sqlite3.Error`."""
        row = name, self._clock(), begun, text
        self._database.execute("replace into tables values (?, ?, ?, ?)", row)

    def read(self, name: str) -> str | None:
        """A table as it was written last; raises `sqlite3.Error`."""
        found = self._database.execute("select text from tables where name = ?", (name,))
        row = found.fetchone()
        return None if row is None else str(row[0])

    def touch(self, name: str) -> None:
        """A table is used now, though nothing is changed there; raises `sqlite3.Error`."""
        self._database.execute("update tables set used = ? where name = ?", (self._clock(), name))

    def forget_old(self, awake: Collection[str] = (), most_awake: int = 0) -> None:
        """Drop what nobody has used for long, and what is too much; raises `sqlite3.Error`.

        Tables that are `awake` are in use, however long ago anything was changed there. There may
        be so many of them at most, or have been before the server was started again.
        """
        now = self._clock()
        old = self._database.execute(
            "select name from tables where used < ? or (used < ? and not begun) or name in"
            " (select name from tables order by used desc limit -1 offset ?)",
            (now - KEPT_SECONDS, now - UNBEGUN_SECONDS, MOST_KEPT + most_awake),
        )
        gone = [row for row in old.fetchall() if row[0] not in awake]
        self._database.executemany("delete from tables where name = ?", gone)
