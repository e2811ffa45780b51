"""A game on CGOS as SGF: one of ours as `records` writes it, any other as Go."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import attrs
from sgfmill import sgf as sgfmill_sgf

from linage_bot.records import Record, to_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.boards import BadSize, NoSuchPoint
from linage_bot.rules.game import PASS, BadOption
from linage_bot.servers.cgos_client.player import AnnouncedGame
from linage_bot.settings.disk import write_whole
from protocol.arguments import PASS as GO_PASS
from protocol.arguments import Vertex, parse_vertex
from protocol.cgos import Setup
from protocol.cgos_words import sgf_result
from protocol.errors import CommandFailed


@attrs.frozen
class PlayedGame:
    """A game as far as it is known; an empty `result` means that its end was not seen."""

    server: str
    setup: Setup  # its moves are not looked at
    rules: AnnouncedGame
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
        """The whole file; a game that is none of ours, or makes no sense as one, is Go."""
        try:
            return to_sgf(self._record())
        except (KeyError, BadSize, BadOption, NoSuchPoint):
            return self._as_go()

    def _record(self) -> Record:
        kind = GAMES[self.rules.game]
        size = kind.board_kind.of_array(self.setup.size, self.setup.size).size
        game = kind.configure(size, None, dict(self.rules.options)).with_komi(self.setup.komi)
        return Record(
            game=game,
            moves=tuple(
                PASS if word.lower() == "pass" else game.board.point(word) for word in self.moves
            ),
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
            point = _go_point(word, size)
            if point is None:
                break
            node = game.extend_main_sequence()
            node.set_move("w" if number % 2 else "b", point or None)
            if comment := self.comments.get(number + 1):
                node.add_comment_text(comment)
        data: bytes = game.serialise()
        return data.decode("utf-8")


def _go_point(word: str, size: int) -> tuple[int, ...] | None:
    """Row and column, nothing for a pass; None for what is no point of the board."""
    try:
        move = parse_vertex(word)
    except CommandFailed:
        return None
    if isinstance(move, Vertex):
        return (move.row, move.column) if max(move.column, move.row) < size else None
    return () if move is GO_PASS else None


def _safe(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_.@-]", "_", name)


def write(folder: Path, participant: str, game: PlayedGame) -> Path:
    """Write the game into a folder of the participant's own, made if need be; raises `OSError`.

    Two participants may have played each other.
    """
    path = folder / _safe(participant) / game.file_name
    write_whole(path, game.as_sgf())
    return path
