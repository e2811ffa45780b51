"""Games as SGF: for download, and in the folder that the settings name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs

from linage_bot.arena.records import GameRecord, Key, Rules
from linage_bot.records import to_sgf
from linage_bot.rules.game import Game
from linage_bot.servers.cgos_server.rows import ABORTED, GameRow, MoveRow
from linage_bot.servers.cgos_server.store import ServerStore

_RESULTS = {"Draw": "0", "Resign": "R", "Time": "T", "Illegal": "F"}


def sgf_of(game: Game, event: str, row: GameRow, moves: Sequence[MoveRow]) -> str:
    """A game, finished or not, with who won and why it ended."""
    record = _record(row, moves, Rules.of(game)).sgf_record(event)
    players = f"{row.first} ({row.first_rating})", f"{row.second} ({row.second_rating})"
    return to_sgf(attrs.evolve(record, players=players, result=_result(row)))


def _record(row: GameRow, moves: Sequence[MoveRow], rules: Rules) -> GameRecord:
    """A game as matches record it."""
    return GameRecord(
        key=Key((row.first, row.second), row.number),
        number=row.number,
        players=(row.first, row.second),
        rules=rules,
        moves=tuple(each.move for each in moves),
        result=row.result or "?",
        winner=row.winner,
        ending=row.ending or "",
        reason=row.reason or "",
        started=row.began,
    )


def _result(row: GameRow) -> str | None:
    """SGF's word: `B+3.5`, `0`, `W+R`, `W+T`, `W+F`, `Void`; none while the game is played."""
    if row.result is None:
        return None
    if row.ending == ABORTED:
        return "Void"
    head, plus, how = row.result.partition("+")
    return f"{head}+{_RESULTS.get(how, how)}" if plus else _RESULTS.get(head, head)


class SgfFolder:
    """A folder with a file for every finished game, `2026/01/31/17.sgf`."""

    def __init__(self, folder: Path, game: Game, event: str) -> None:
        self._folder = folder
        self._game = game
        self._event = event

    def keep(self, row: GameRow, moves: Sequence[MoveRow]) -> None:
        """Write a game's file; raises `OSError`."""
        path = self._path(row)
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".sgf.part")
        unfinished.write_text(sgf_of(self._game, self._event, row, moves), encoding="utf-8")
        unfinished.replace(path)

    def restore(self, store: ServerStore) -> int:
        """Write the files that are missing, and return how many; raises `OSError`."""
        missing = [row for row in store.finished_games() if not self._path(row).exists()]
        for row in missing:
            self.keep(row, store.moves(row.number))
        return len(missing)

    def _path(self, row: GameRow) -> Path:
        return self._folder.joinpath(*row.began[:10].split("-"), f"{row.number}.sgf")
