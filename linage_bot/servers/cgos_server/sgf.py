"""Games as SGF: for download, and in the folder that the settings name."""

from collections.abc import Sequence
from pathlib import Path

from linage_bot.records import Record, to_sgf
from linage_bot.rules.game import Game
from linage_bot.servers.cgos_server.board import move_of
from linage_bot.servers.cgos_server.rows import ABORTED, GameRow, MoveRow
from linage_bot.servers.cgos_server.store import ServerStore
from linage_bot.settings.files import write_whole
from protocol.cgos_words import sgf_result


def sgf_of(game: Game, event: str, row: GameRow, moves: Sequence[MoveRow]) -> str:
    """A game, finished or not, with who won and why it ended."""
    result = "Void" if row.ending == ABORTED else sgf_result(row.result or "")
    record = Record(
        game=game,
        moves=tuple(move_of(game, move) for move in moves),
        players=(f"{row.first} ({row.first_rating})", f"{row.second} ({row.second_rating})"),
        result=result or None,
        date=row.began[:10],
        event=event,
        round=str(row.number),
        comments={len(moves): row.reason} if row.reason else {},
    )
    return to_sgf(record)


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
        write_whole(path, sgf_of(self._game, self._event, row, moves).encode())

    def restore(self, store: ServerStore) -> int:
        """Write the files that are missing, and return how many; raises `OSError`."""
        missing = [row for row in store.finished_games() if not self._path(row).exists()]
        for row in missing:
            self.keep(row, store.moves(row.number))
        return len(missing)

    def _path(self, row: GameRow) -> Path:
        return self._folder.joinpath(*row.began[:10].split("-"), f"{row.number}.sgf")
