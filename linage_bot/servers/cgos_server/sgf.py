"""Games as SGF: for download, and in the folder that the settings name."""

import logging
from collections.abc import Sequence
from pathlib import Path

import attrs

from linage_bot.records.record import Record
from linage_bot.records.writing import to_sgf
from linage_bot.rules.game import Game
from linage_bot.servers.cgos_server.store import ABORTED, GameRow, MoveRow, ServerStore
from linage_bot.settings.checks import file_under, make_folder
from linage_bot.settings.files import write_whole
from protocol.cgos.words import sgf_result

_log = logging.getLogger(__name__)


def sgf_of(game: Game, event: str, row: GameRow, moves: Sequence[MoveRow]) -> str:
    """Return a game as SGF, finished or not, with the winner and the reason of its end."""
    result = "Void" if row.ending == ABORTED else sgf_result(row.result or "")
    record = Record(
        game=game,
        moves=tuple(game.move(move.move) for move in moves),
        players=(f"{row.first} ({row.first_rating})", f"{row.second} ({row.second_rating})"),
        result=result or None,
        date=row.began[:10],
        event=event,
        round=str(row.number),
        comments={len(moves): row.reason} if row.reason else {},
    )
    return to_sgf(record)


@attrs.frozen
class SgfFolder:
    """A folder with a file for every finished game, `2026/01/31/17.sgf`."""

    _folder: Path
    _game: Game
    _event: str

    def keep(self, row: GameRow, moves: Sequence[MoveRow]) -> None:
        """Write a game's file; if that fails, `restore` does it at the next start."""
        try:
            self._write(row, moves)
        except OSError as error:
            _log.error("game %d: cannot write its SGF file: %s", row.number, error)

    def restore(self, store: ServerStore) -> None:
        """Write the missing files; raise `SettingFault`."""
        make_folder("sgf", self._folder)
        with file_under("sgf", self._folder):
            missing = [row for row in store.finished_games() if not self._path(row).exists()]
            for row in missing:
                self._write(row, store.moves(row.number))
        if missing:
            _log.info("writing %d missing SGF files", len(missing))

    def _write(self, row: GameRow, moves: Sequence[MoveRow]) -> None:
        path = self._path(row)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, sgf_of(self._game, self._event, row, moves).encode())

    def _path(self, row: GameRow) -> Path:
        return self._folder.joinpath(*row.began[:10].split("-"), f"{row.number}.sgf")
