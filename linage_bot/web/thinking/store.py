"""The games on disk: one SQLite file with every table and the server's access token.

Each action is written before it is shown to any page, so that a killed server loses nothing that
was seen. Writes do not wait for the disk itself, so a power cut may lose the last moves. Only one
server at a time can open the file.
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
"""The number of tables kept besides those in memory; the least recently used are dropped."""
KEPT_SECONDS: Final = 30 * 24 * 3600.0
"""The time for which an unused table is kept."""
UNBEGUN_SECONDS: Final = 24 * 3600.0
"""The time for which an unused table without any moves or shared seats is kept."""
_VERSION: Final = 1
_TABLES: Final = """
create table if not exists keys (name text primary key, value text not null);
create table if not exists tables (
    name text primary key, used real not null, begun integer not null, text text not null);
create index if not exists tables_by_use on tables (used);
"""


def usual_file() -> Path:
    """Return the default path of the games file."""
    return platformdirs.user_data_path("linage-bot", appauthor=False) / "games.sqlite"


class GameStore:
    """The open games file; `clock` returns the time of day in seconds."""

    def __init__(
        self, database: sqlite3.Connection, clock: Callable[[], float] = time.time
    ) -> None:
        """Use a database that is empty or made by this program. Raise `sqlite3.Error`."""
        database.isolation_level = None  # each statement is a transaction of its own
        (version,) = database.execute("pragma user_version").fetchone()
        if version not in (0, _VERSION):
            raise sqlite3.DatabaseError("made by another version of this program")
        database.executescript(f"begin; {_TABLES} pragma user_version = {_VERSION}; commit")
        self._database = database
        self._clock = clock

    @classmethod
    def open(cls, path: Path) -> GameStore:
        """Open or create a file. Raise `SettingFault`, also if another server has it open."""
        make_folder("games", path.parent)
        with file_under("games", path, "another server"), contextlib.ExitStack() as undo:
            private_database(path)  # the token in it gives access to the server
            database = sqlite3.connect(path, timeout=0)
            undo.callback(database.close)
            database.execute("pragma locking_mode = exclusive")
            database.execute("pragma journal_mode = wal")
            database.execute("pragma synchronous = normal")
            store = cls(database)
            undo.pop_all()
            return store

    def close(self) -> None:
        """Close the file, so that another server can open it."""
        self._database.close()

    def token(self) -> str:
        """Return the server's access token, which stays the same as long as the file exists."""
        fresh = secrets.token_urlsafe(24)
        self._database.execute("insert or ignore into keys values ('token', ?)", (fresh,))
        query = "select value from keys where name = 'token'"
        (token,) = self._database.execute(query).fetchone()
        return str(token)

    def write(self, name: str, text: str, *, begun: bool) -> None:
        """Save the state of a table. Raise `sqlite3.Error`."""
        row = name, self._clock(), begun, text
        self._database.execute("replace into tables values (?, ?, ?, ?)", row)

    def read(self, name: str) -> str | None:
        """Return the saved text of a table; None if there is none. Raise `sqlite3.Error`."""
        found = self._database.execute("select text from tables where name = ?", (name,))
        row = found.fetchone()
        return None if row is None else str(row[0])

    def delete(self, name: str) -> None:
        """Delete a table. Raise `sqlite3.Error`."""
        self._database.execute("delete from tables where name = ?", (name,))

    def touch(self, name: str) -> None:
        """Record that an unchanged table was used now. Raise `sqlite3.Error`."""
        self._database.execute("update tables set used = ? where name = ?", (self._clock(), name))

    def forget_old(self, awake: Collection[str] = (), most_awake: int = 0) -> None:
        """Delete tables unused for long or above the limit. Raise `sqlite3.Error`.

        Tables in `awake` are in use and stay, however old their last change is. `most_awake` is
        their largest number, now or before the server's last restart; it is added to the limit.
        """
        now = self._clock()
        old = self._database.execute(
            "select name from tables where used < ? or (used < ? and not begun) or name in"
            " (select name from tables order by used desc limit -1 offset ?)",
            (now - KEPT_SECONDS, now - UNBEGUN_SECONDS, MOST_KEPT + most_awake),
        )
        gone = [row for row in old.fetchall() if row[0] not in awake]
        self._database.executemany("delete from tables where name = ?", gone)
