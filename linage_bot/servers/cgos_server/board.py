"""What the page of one game shows: the board after a move, and steps to the others."""

import json
from collections.abc import Sequence
from typing import Final

import attrs
from markupsafe import Markup

from linage_bot.drawing import Picture
from linage_bot.rules.game import PASS, Game, Move, Position
from linage_bot.rules.history import History
from linage_bot.servers.cgos_server.limits import keep
from linage_bot.servers.cgos_server.rows import GameRow, MoveRow

_KEPT_GAMES: Final = 8
_MOST_TOLD: Final = 1e9  # of what players tell; Python cannot print all that JSON can hold


class Replays:
    """The positions of the games that were looked at last.

    Some games have thousands of moves, and whoever steps through one asks for each position.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._kept: dict[int, History] = {}

    def position(self, number: int, moves: Sequence[MoveRow], ply: int) -> Position:
        """A game's position after some of its moves."""
        history = self._kept.get(number) or History(self._game)
        # The referee has judged them, which takes longer than to make them.
        new = [move_of(self._game, move) for move in moves[len(history.moves) : ply]]
        positions = list(history.positions)
        for move in new:
            positions.append(positions[-1].after(move))
        keep(
            self._kept,
            number,
            attrs.evolve(history, moves=(*history.moves, *new), positions=tuple(positions)),
            _KEPT_GAMES,
        )
        return positions[ply]


def move_of(game: Game, move: MoveRow) -> Move:
    """A move as the rules know it."""
    return PASS if move.move == "pass" else game.board.point(move.move)


def diagram(position: Position, last: MoveRow | None) -> Markup:
    """The board, with a dot on the last move."""
    dot = None if last is None else move_of(position.game, last)
    return Markup(Picture(position, last=dot).svg(styled=False))


def clocks(row: GameRow, moves: Sequence[MoveRow]) -> list[int]:
    """The milliseconds that First and Second have left after some moves."""
    left = [row.first_ms, row.second_ms]
    for number, move in enumerate(moves):
        left[number % 2] = move.ms_left
    return left


def opinion(move: MoveRow | None) -> tuple[str, str]:
    """What the player who made a move thought of it and said of it, as far as it told."""
    told = json.loads(move.analysis) if move and move.analysis else {}  # what can be read was kept
    shapes = {"winrate": "Win rate {:.0%}", "score": "score {:+.1f}", "visits": "{:.0f} visits"}
    words = [
        shape.format(told[key])
        for key, shape in shapes.items()
        if isinstance(told.get(key), int | float) and abs(told[key]) <= _MOST_TOLD
    ]
    comment = told.get("comment")
    return ", ".join(words), comment[:200] if isinstance(comment, str) else ""
