"""The server's persistent state in one SQLite file: players, games, every move.

Writes join the transaction that is open until `commit`; no result may be sent before that. So a
server killed at any moment has stored all that it has sent, and one write to the disk serves all
moves that came in together. Other programs may read the file while a server runs, but no other
server can write to it.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs

from linage_bot.arena.records import Rules
from linage_bot.rules.game import Game
from linage_bot.settings.checks import SettingFault, file_under
from linage_bot.settings.files import private_database
from protocol.cgos.words import TimedMove

T = TypeVar("T")

ABORTED: Final = "aborted"
"""The ending of a game that does not count; the others are the words of `arena.records`."""
_VERSION: Final = 1
# The columns of players, games and moves are the fields of their rows, in the same order.
_TABLES: Final = """
create table if not exists rules (rules text not null);
create table if not exists players (
    name text primary key, password text not null, registered text not null,
    rating real, error real);
create table if not exists games (
    number integer primary key, first text not null, second text not null,
    first_rating text not null, second_rating text not null, level_ms integer not null,
    first_ms integer not null, second_ms integer not null, began text not null,
    result text, winner integer, ending text, reason text, ended text);
create index if not exists games_of_first on games (first, number);
create index if not exists games_of_second on games (second, number);
create index if not exists live_games on games (number) where result is null;
create table if not exists moves (
    number integer, ply integer, move text not null, ms_left integer not null,
    analysis text not null, primary key (number, ply)) without rowid;
"""


@attrs.frozen
class PlayerRow:
    """A registered player; `rating` is None until the first game has been rated."""

    name: str
    password: str = attrs.field(repr=False)  # its hash
    registered: str
    rating: float | None = None
    error: float | None = None


@attrs.frozen
class MoveRow(TimedMove):
    """A move, the time left after it, and the analysis that its player sent."""

    analysis: str = ""


@attrs.frozen
class GameRow:
    """A game without its moves; times are UTC, `first_ms` and `second_ms` the clocks at the start.

    `result` is CGOS's word and None while the game is played; `ending` is one of the words of
    `arena.records`, or `ABORTED`.
    """

    number: int
    first: str
    second: str
    first_rating: str
    second_rating: str
    level_ms: int
    first_ms: int
    second_ms: int
    began: str
    result: str | None = None
    winner: int | None = None
    ending: str | None = None
    reason: str | None = None
    ended: str | None = None


@attrs.frozen
class Score:
    """The result counts of some games, from the view of one player."""

    won: int = 0
    lost: int = 0
    drawn: int = 0

    @property
    def games(self) -> int:
        """The number of games."""
        return self.won + self.lost + self.drawn

    @property
    def points(self) -> float:
        """The points: a win counts 1, a draw 0.5."""
        return self.won + self.drawn / 2

    @property
    def reverse(self) -> Score:
        """The score from the view of the opponent."""
        return Score(self.lost, self.won, self.drawn)

    def __add__(self, more: Score) -> Score:
        return Score(self.won + more.won, self.lost + more.lost, self.drawn + more.drawn)


class ServerStore:
    """The server's open SQLite file."""

    def __init__(self, database: sqlite3.Connection, undo: contextlib.ExitStack) -> None:
        """Wrap an open database; `undo` holds the functions that close it."""
        self._database = database
        self._undo = undo

    @classmethod
    def open(cls, path: Path, game: Game) -> ServerStore:
        """Open or create a server's file; raise `SettingFault`, also if it holds another game."""
        with file_under("database", path, "another server"), contextlib.ExitStack() as undo:
            path.parent.mkdir(parents=True, exist_ok=True)
            private_database(path)  # it holds the hashes of passwords
            # WAL lets readers in, and with them another server; this keeps it out.
            locking = path.with_name(f"{path.name}.lock")
            private_database(locking)
            lock = sqlite3.connect(locking, timeout=0)
            undo.callback(lock.close)
            lock.execute("begin exclusive")
            # The first write begins a transaction.
            database = sqlite3.connect(path, isolation_level="IMMEDIATE")
            undo.callback(database.close)
            database.execute("pragma journal_mode = wal")
            database.execute("pragma synchronous = full")
            _begin_file(database, path, Rules.of(game))
            return cls(database, undo.pop_all())

    def commit(self) -> None:
        """Commit all writes to the disk; raise `SettingFault`, as writing does."""
        with _writing():
            self._database.commit()

    def close(self) -> None:
        """Commit, and close the file, whether the commit succeeds or not."""
        with self._undo:
            self.commit()

    def _write(self, statement: str, values: Sequence[Any]) -> None:
        with _writing():
            self._database.execute(statement, values)

    def _keep(self, table: str, row: PlayerRow | GameRow) -> None:
        values = attrs.astuple(row)
        self._write(f"replace into {table} values ({', '.join('?' * len(values))})", values)

    def _rows(self, kind: Callable[..., T], query: str, *values: Any) -> list[T]:
        return [kind(*row) for row in self._database.execute(query, values)]

    # ------------------------------------------------------------------------ players

    def player(self, name: str) -> PlayerRow | None:
        """Return a registered player, None if there is none."""
        rows = self._rows(PlayerRow, "select * from players where name = ?", name)
        return rows[0] if rows else None

    def namesake(self, name: str) -> str | None:
        """Return the registered name that equals this one but for capital letters, or None."""
        query = "select name from players where name = ? collate nocase order by name <> ?"
        names = self._rows(str, query, name, name)
        return names[0] if names else None

    def players(self) -> list[PlayerRow]:
        """Return all registered players."""
        return self._rows(PlayerRow, "select * from players")

    def register(self, player: PlayerRow) -> None:
        """Add a player, or replace its row."""
        self._keep("players", player)

    def keep_ratings(self, ratings: Iterable[tuple[str, float, float]]) -> None:
        """Store the ratings and errors of players."""
        for name, rating, error in ratings:
            self._write(
                "update players set rating = ?, error = ? where name = ?", (rating, error, name)
            )

    # -------------------------------------------------------------------------- games

    def keep_game(self, game: GameRow) -> None:
        """Add a game, or replace its row."""
        self._keep("games", game)

    def add_move(self, number: int, ply: int, move: MoveRow) -> None:
        """Store the move that follows `ply` others."""
        values = (number, ply, *attrs.astuple(move))
        self._write("insert into moves values (?, ?, ?, ?, ?)", values)

    def last_number(self) -> int:
        """Return the number of the latest game, 0 if there is none."""
        (number,) = self._database.execute("select max(number) from games").fetchone()
        return number or 0

    def game(self, number: int) -> GameRow | None:
        """Return a game, None if there is none."""
        rows = self._games("where number = ?", number)
        return rows[0] if rows else None

    def live_games(self) -> list[GameRow]:
        """Return the games being played."""
        return self._games("where result is null order by number")

    def last_games(self, count: int, before: int = 1 << 62) -> list[GameRow]:
        """Return the latest finished games with numbers less than `before`; the latest first."""
        condition = "where result is not null and number < ? order by number desc limit ?"
        return self._games(condition, before, count)

    def games_of(self, name: str, count: int) -> list[GameRow]:
        """Return a player's latest games, the latest first."""
        # Two index walks; with `or` alone SQLite would sort all games of the player.
        condition = (
            "where number in (select number from (select number from games where first = ?"
            " order by number desc limit ?) union all select number from (select number from games"
            " where second = ? order by number desc limit ?)) order by number desc limit ?"
        )
        return self._games(condition, name, count, name, count, count)

    def finished_games(self) -> list[GameRow]:
        """Return all finished games in order."""
        return self._games("where result is not null order by number")

    def _games(self, condition: str, *values: Any) -> list[GameRow]:
        return self._rows(GameRow, f"select * from games {condition}", *values)

    def moves(self, number: int) -> list[MoveRow]:
        """Return a game's moves in order."""
        query = "select move, ms_left, analysis from moves where number = ? order by ply"
        return self._rows(MoveRow, query, number)

    def scores(self) -> dict[tuple[str, str], Score]:
        """Return the score of each ordered pair that has finished a game, without aborted ones.

        It is from the view of the player who moved first.
        """
        rows = self._database.execute(
            "select first, second, total(winner = 0), total(winner = 1),"
            " total(winner is null) from games"
            f" where ending <> '{ABORTED}' group by first, second"
        )
        return {(row[0], row[1]): Score(*map(int, row[2:])) for row in rows}


def _begin_file(database: sqlite3.Connection, path: Path, rules: Rules) -> None:
    database.execute("begin immediate")
    (version,) = database.execute("pragma user_version").fetchone()
    if version not in (0, _VERSION):
        raise SettingFault("database", f"{path}: made by another version of this program")
    for statement in _TABLES.split(";"):
        database.execute(statement)
    words = json.dumps(attrs.asdict(rules), sort_keys=True)
    row = database.execute("select rules from rules").fetchone()
    (played,) = database.execute("select exists (select * from games)").fetchone()
    if row is None or not played:  # a file without games may change its rules
        database.execute("delete from rules")
        database.execute("insert into rules values (?)", (words,))
    elif row[0] != words:
        raise SettingFault(
            "database",
            f"{path}: has games with other rules, {row[0]}; choose another file, because"
            " ratings of different games do not mix",
        )
    database.execute(f"pragma user_version = {_VERSION}")
    database.commit()


@contextlib.contextmanager
def _writing() -> Iterator[None]:
    """Raise `SettingFault` for a failed write, marked as one that may pass."""
    try:
        yield
    except sqlite3.Error as error:
        raise SettingFault("database", str(error), passing=True) from None
