"""Positions as text."""

from collections.abc import Iterable

from linage_bot.drawing.layout import margins
from linage_bot.rules.boards import HexBoard, Point, bits
from linage_bot.rules.game import Move, Position
from linage_bot.rules.history import History, position_of


def as_text(
    position: Position | History,
    last: Move | str | None = None,
    starred: Iterable[Point | str] = (),
) -> str:
    """Return the position as text, coordinates at the left and below, `last` in brackets.

    Empty points are `.`, or `*` if starred, First's stones `X`, Second's `O`; in games of one
    colour all are `X`. Raises `NoSuchPoint` for text that names no point.
    """
    position = position_of(position)
    board = position.game.board
    last = None if last is None else position.game.move(last)
    stars = frozenset(position.game.parse_moves(starred))
    lines = [[" "] * (2 * board.columns + board.rows + 6) for _ in range(board.rows + 1)]

    def put(column: int, row: int, text: str, after: int = 0) -> None:
        """Write text that ends at the point, or `after` letters further right."""
        end = 5 + 2 * column + after
        if isinstance(board, HexBoard):
            end += (board.rows - 1) // 2 - row
        lines[row + 1][end - len(text) : end] = text

    for text, column, row in margins(board):
        put(column, row, text)
    for point in bits(board.points):
        row, column = divmod(point, board.columns)
        put(column, row, "*" if point in stars else _letter(position, point))
        if point == last:
            put(column, row, f"({_letter(position, point)})", after=1)
    return "\n".join("".join(line).rstrip() for line in reversed(lines))


def _letter(position: Position, point: Point) -> str:
    if position.empty >> point & 1:
        return "."
    if position.game.one_colour or position.first >> point & 1:
        return "X"
    return "O"
