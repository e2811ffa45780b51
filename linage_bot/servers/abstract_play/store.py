"""The bot's persistent state in one SQLite file: games, accepted challenges, used nonces.

A row is on the disk when a method returns, so that a bot killed at any moment posts the move it
had chosen and not another one. While a bot runs, no other can open its file.
"""

import contextlib
import enum
import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import attrs

from linage_bot.servers.abstract_play.payloads import MoveWanted
from linage_bot.settings.checks import SettingFault, file_under
from linage_bot.settings.files import private_database
from linage_bot.settings.reading import parse_json, read

_VERSION: Final = 2
_KEEP_OVER_SECONDS: Final = 30 * 86_400.0
_TABLES: Final = """
create table if not exists games (game text primary key, turn text not null);
create table if not exists slots (
    slot integer primary key, variants text not null, until real not null);
create table if not exists nonces (nonce text primary key, until real not null);
"""


class TurnState(enum.Enum):
    """The state of our turn in a game."""

    WAITING = "waiting"  # for the opponent
    DUE = "due"  # a move is to be chosen
    CHOSEN = "chosen"  # it is to be sent
    SENT = "sent"  # and was taken
    REFUSED = "refused"  # finally, it seems
    OVER = "over"


@attrs.frozen(kw_only=True)
class Turn(MoveWanted):
    """The state of a game, with the words that were played when it was last our turn."""

    seat: int
    certain: bool  # whether the site named our seat; else it follows from the first webhook
    deadline: float | None = None  # when our clock runs out, seconds since the epoch
    state: TurnState = TurnState.WAITING
    word: str | None = None  # the chosen word
    tries: int = 0  # to send it, in vain
    refusals: int = 0  # among them
    banned: tuple[str, ...] = ()  # words that the site refuses
    moment: float = 0.0  # of the last change
    try_at: float = 0.0  # when to send the chosen word


class BotStore:
    """The bot's open SQLite file."""

    def __init__(self, path: Path) -> None:
        """Open or create the file; raise `SettingFault`."""
        with file_under("state", path, "another bot"), contextlib.ExitStack() as undo:
            path.parent.mkdir(parents=True, exist_ok=True)
            private_database(path)  # no other user may read or change the chosen words
            self._database = sqlite3.connect(path, timeout=0, isolation_level=None)
            undo.callback(self._database.close)
            self._database.execute("pragma locking_mode = exclusive")
            self._database.execute("pragma synchronous = full")
            self._database.execute("begin exclusive")
            (version,) = self._database.execute("pragma user_version").fetchone()
            if version not in (0, _VERSION):
                raise SettingFault("state", f"{path}: made by another version of this program")
            for statement in _TABLES.split(";"):
                self._database.execute(statement)
            self._database.execute(f"pragma user_version = {_VERSION}")
            self._database.execute("commit")
            rows = self._database.execute("select turn from games")
            turns = [read(parse_json(text), Turn) for (text,) in rows]
            self.turns = {turn.game: turn for turn in turns}
            undo.pop_all()

    def close(self) -> None:
        """Close the file, so that another bot can open it."""
        self._database.close()

    def keep(self, turn: Turn) -> None:
        """Store a game's turn in place of the last one."""
        text = json.dumps(attrs.asdict(turn), default=lambda state: state.value)
        self._database.execute("insert or replace into games values (?, ?)", (turn.game, text))
        self.turns[turn.game] = turn

    def forget(self, now: float) -> None:
        """Delete games that ended long ago, and nonces that are too old to come again."""
        for turn in list(self.turns.values()):
            if turn.state is TurnState.OVER and turn.moment < now - _KEEP_OVER_SECONDS:
                self._database.execute("delete from games where game = ?", (turn.game,))
                del self.turns[turn.game]
        self._database.execute("delete from nonces where until < ?", (now,))

    # ------------------------------------------------------------------------- slots

    def reserve(self, variants: Iterable[str], until: float) -> None:
        """Reserve a slot for a game that is to begin."""
        values = " ".join(sorted(variants)), until
        self._database.execute("insert into slots (variants, until) values (?, ?)", values)

    def fill_slot(self, variants: Iterable[str]) -> None:
        """Delete the oldest slot of these variants: its game has begun."""
        self._database.execute(
            "delete from slots where slot = (select min(slot) from slots where variants = ?)",
            (" ".join(sorted(variants)),),
        )

    def slots(self, now: float) -> int:
        """Return the number of reserved slots."""
        self._database.execute("delete from slots where until < ?", (now,))
        (count,) = self._database.execute("select count(*) from slots").fetchone()
        return int(count)

    # ------------------------------------------------------------------------ nonces

    def use(self, nonce: str, until: float) -> bool:
        """Store a nonce until a time; return False if it is known already."""
        statement = "insert or ignore into nonces values (?, ?)"
        return self._database.execute(statement, (nonce, until)).rowcount > 0
