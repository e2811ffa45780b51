"""Text diagrams of positions: rows from the top, `X` for First, `O` for Second, `.` for empty.

Any other sign is a label on an empty point. A hexagon's rows hold only the points that exist.
"""

from typing import Any

import attrs

from linage_bot.rules.boards import Board, Point
from linage_bot.rules.game import Game, Player, Position


def size_of(diagram: str) -> str:
    """Return the size of the square board in a diagram, in the form `Game.configure` reads."""
    rows = _rows(diagram)
    return f"{len(rows[0])}x{len(rows)}"


def shown(game: Game, diagram: str, to_move: Player = Player.FIRST, **fields: Any) -> Position:
    """Return the position in a diagram on the game's board; `fields` set its other fields."""
    stones = {"X": 0, "O": 0}
    for point, sign in _signs(game.board, diagram):
        if sign in stones:
            stones[sign] |= 1 << point
    position: Position = attrs.evolve(
        game.start(), first=stones["X"], second=stones["O"], to_move=to_move, **fields
    )
    return position


def labels(board: Board, diagram: str) -> dict[Point, str]:
    """Return the labels in a diagram, by point."""
    return {point: sign for point, sign in _signs(board, diagram) if sign not in "XO."}


def _rows(diagram: str) -> list[list[str]]:
    return [line.split() for line in diagram.strip().split("\n")]


def _signs(board: Board, diagram: str) -> list[tuple[Point, str]]:
    """Return every point of the board with its sign; raises `ValueError` on a size mismatch."""
    found = []
    for row, signs in zip(reversed(range(board.rows)), _rows(diagram), strict=True):
        points = [board.at(column, row) for column in range(board.columns)]
        existing = [point for point in points if point is not None]
        found += list(zip(existing, signs, strict=True))
    return found
