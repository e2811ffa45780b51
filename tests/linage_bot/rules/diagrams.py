"""Positions as text: `X` First's stones, `O` Second's, `.` empty; rows from the top.

A hexagon's rows hold only the points that exist and are indented as they lie on the board:

     . . .
    . X . .
   . . . . .
    . . . .
     . . .
"""

import textwrap

import attrs

from linage_bot.rules.boards import Board, Points
from linage_bot.rules.game import PASS, Game, Player, Position


def draw(position: Position) -> str:
    """The diagram of a position."""
    board = position.game.board
    lines = []
    for row in reversed(range(board.rows)):
        points = [board.at(column, row) for column in range(board.columns)]
        signs = [
            "X" if position.first >> p & 1 else "O" if position.second >> p & 1 else "."
            for p in points
            if p is not None
        ]
        lines.append(" " * (board.columns - len(signs)) + " ".join(signs))
    return "\n".join(lines)


def read(board: Board, diagram: str) -> tuple[Points, Points]:
    """First's and Second's stones in a diagram; every point must be there."""
    stones = {"X": 0, "O": 0, ".": 0}
    rows = diagram.split("\n")
    rows = [row for row in rows if row.strip()]
    assert len(rows) == board.rows, f"{len(rows)} rows for a {board} board"
    for row, line in zip(reversed(range(board.rows)), rows, strict=True):
        points = [board.at(column, row) for column in range(board.columns)]
        existing = [point for point in points if point is not None]
        for point, sign in zip(existing, line.split(), strict=True):
            stones[sign] |= 1 << point
    return stones["X"], stones["O"]


def place(game: Game, diagram: str, to_move: Player = Player.FIRST) -> Position:
    """The position that a diagram shows, without a past."""
    first, second = read(game.board, diagram)
    start: Position = attrs.evolve(game.start(), first=first, second=second, to_move=to_move)  # type: ignore[type-var]
    return start


def played(game: Game, moves: str) -> Position:
    """The position after moves as vertices, such as `A1 pass B2`."""
    position = game.start()
    for move in moves.split():
        position = position.play(PASS if move == "pass" else game.board.point(move))
    return position


def dedented(diagram: str) -> str:
    """A diagram from a table, as `draw` writes it."""
    return textwrap.dedent(diagram.strip("\n")).rstrip()
