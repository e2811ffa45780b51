"""A game on CGOS as SGF: one of ours as `records` writes it, any other as Go.

The file is written whole or not at all: beside its place first, then moved there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path

import attrs
from sgfmill import sgf as sgfmill_sgf

from linage_bot.records import Record, to_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.boards import BadSize
from linage_bot.rules.game import PASS, BadOption, Game, Move
from linage_bot.servers.cgos_client.player import Rules
from protocol.arguments import Special, Vertex, parse_vertex
from protocol.cgos import Setup
from protocol.cgos_words import sgf_result
from protocol.errors import CommandFailed


@attrs.frozen
class PlayedGame:
    """A game as far as it is known; an empty `result` means that its end was not seen."""

    server: str
    setup: Setup  # its moves are not looked at
    rules: Rules
    moves: tuple[str, ...]  # as GTP writes them
    date: str
    result: str = ""
    comments: Mapping[int, str] = attrs.field(factory=dict)  # by the number of moves made

    @property
    def file_name(self) -> str:
        """`2026-01-31-17-black-white.sgf`."""
        setup = self.setup
        return _safe(f"{self.date}-{setup.number}-{setup.black.name}-{setup.white.name}.sgf")

    def as_sgf(self) -> str:
        """The whole file."""
        game = self._game()
        if game is not None:
            moves = _points(game, self.moves)
            if moves is not None:
                return to_sgf(self._record(game, moves))
        return self._as_go()

    def _game(self) -> Game | None:
        """The game of ours that was played, if it is one and its options make sense."""
        kind = GAMES.get(self.rules.game)
        if kind is None:
            return None
        try:
            board = kind.board_kind.of_array(self.setup.size, self.setup.size)
            game = kind.configure(board.size, None, dict(self.rules.options))
            return game.with_komi(self.setup.komi)
        except (BadSize, BadOption):
            return None

    def _record(self, game: Game, moves: tuple[Move, ...]) -> Record:
        return Record(
            game=game,
            moves=moves,
            players=(self.setup.black.name, self.setup.white.name),
            result=sgf_result(self.result) or None,
            date=self.date,
            event=self.server,
            round=str(self.setup.number),
            comments=self.comments,
        )

    def _as_go(self) -> str:
        """Moves that are no points of the board end the record."""
        size = self.setup.size
        game = sgfmill_sgf.Sgf_game(min(size, 26))
        root = game.get_root()
        facts = {
            "KM": self.setup.komi,
            "PB": self.setup.black.name,
            "PW": self.setup.white.name,
            "BR": self.setup.black.rating,
            "WR": self.setup.white.rating,
            "DT": self.date,
            "EV": self.server,
            "RO": str(self.setup.number),
            "RU": self.rules.game,
            "RE": sgf_result(self.result),
        }
        for name, fact in facts.items():
            if fact != "":
                root.set(name, fact)
        for number, word in enumerate(self.moves):
            move = _vertex(word)
            if move is None or (isinstance(move, Vertex) and max(move.column, move.row) >= size):
                break
            node = game.extend_main_sequence()
            point = (move.row, move.column) if isinstance(move, Vertex) else None
            node.set_move("w" if number % 2 else "b", point)
            if comment := self.comments.get(number + 1):
                node.add_comment_text(comment)
        data: bytes = game.serialise()
        return data.decode("utf-8")


def _vertex(word: str) -> Vertex | Special | None:
    try:
        move = parse_vertex(word)
    except CommandFailed:
        return None
    return None if move is Special.RESIGN else move


def _points(game: Game, words: tuple[str, ...]) -> tuple[Move, ...] | None:
    """The moves on the game's board; None if one of them is not on it."""
    moves: list[Move] = []
    for word in words:
        move = _vertex(word)
        if move is None:
            return None
        point = game.board.at(move.column, move.row) if isinstance(move, Vertex) else PASS
        if point is None:
            return None
        moves.append(point)
    return tuple(moves)


def _safe(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.@-]", "_", name)


def write(folder: Path, seat: str, game: PlayedGame) -> Path:
    """Write the game into the seat's own part of the folder, made if need be; raises `OSError`.

    Two seats may have played each other.
    """
    folder = folder / _safe(seat)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / game.file_name
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_text(game.as_sgf(), encoding="utf-8")
    part.replace(path)
    return path
