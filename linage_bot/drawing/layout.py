"""The measures of a picture: margins, cells, stones and text; lengths are in SVG's pixels."""

from __future__ import annotations

import math
from collections.abc import Iterator

import attrs

from linage_bot.rules.boards import LETTERS, Board, HexBoard, Point, Points, bits

STEP = 32.0  # between neighbours
RADIUS = 14.0  # of a stone
_ROOM_ABOVE, _ROOM_BELOW_NAMES, _ROOM_BESIDE_NAMES, _ROOM_FOR_CAPTION = 0.85, 1.3, 1.45, 0.85
_HEX_ROOM = 0.35  # more at the sides where names are beside a hexagon's slanted rows


def margins(board: Board) -> Iterator[tuple[str, int, int]]:
    """Yield the coordinates: text, column and row, one step outside the board, left and below."""
    for row in range(board.rows):
        first = next(column for column in range(board.columns) if board.has(column, row))
        yield str(row + 1), first - 1, row
    for column in range(board.columns):
        lowest = next(row for row in range(board.rows) if board.has(column, row))
        yield LETTERS[column], column, lowest - 1


def number(value: float) -> str:
    """Return a coordinate as a short text, rounded to two decimals."""
    return f"{round(value, 2):g}"


@attrs.frozen
class BoardLayout:
    """A board on a sheet of paper."""

    board: Board
    left: float
    top: float
    width: float
    height: float

    @classmethod
    def of(cls, board: Board, *, coordinates: bool, caption: bool) -> BoardLayout:
        """Return the smallest sheet that has room for everything."""
        side = _ROOM_BESIDE_NAMES if coordinates else _ROOM_ABOVE
        extra = _HEX_ROOM if isinstance(board, HexBoard) and coordinates else 0.0
        below = _ROOM_BELOW_NAMES if coordinates else _ROOM_ABOVE
        below += _ROOM_FOR_CAPTION if caption else 0.0
        return cls(
            board,
            left=STEP * (side + extra),
            top=STEP * _ROOM_ABOVE,
            width=STEP * (board.columns - 1 + side + _ROOM_ABOVE + 2 * extra),
            height=STEP * ((board.rows - 1) * _row_distance(board) + _ROOM_ABOVE + below),
        )

    def at(self, column: float, row: float) -> tuple[float, float]:
        """Return the centre of a point, or of a place beside the board."""
        board = self.board
        if isinstance(board, HexBoard):
            column += ((board.rows - 1) / 2 - row) / 2
        across = self.left + column * STEP
        return across, self.top + (board.rows - 1 - row) * STEP * _row_distance(board)

    def of_point(self, point: Point) -> tuple[float, float]:
        """Return the centre of a point."""
        row, column = divmod(point, self.board.columns)
        return self.at(column, row)

    def cells(self, points: Points) -> str:
        """Return the path around the cells of these points.

        A point's cell is the area that is nearer to it than to any other point.
        """
        return "".join(map(self._cell, bits(points)))

    def _cell(self, point: Point) -> str:
        return _polygon(self.corners(point))

    def corners(self, point: Point) -> list[tuple[float, float]]:
        """Return the corners of a point's cell."""
        x, y = self.of_point(point)
        if isinstance(self.board, HexBoard):
            angles = [math.pi * (2 * k + 1) / 6 for k in range(6)]
            reach = STEP / math.sqrt(3)
        else:
            angles = [math.pi * (2 * k + 1) / 4 for k in range(4)]
            reach = STEP / math.sqrt(2)
        return [(x + reach * math.cos(a), y + reach * math.sin(a)) for a in angles]

    def outline(self) -> str:
        """Return the path once around, through the points on the edge."""
        left, right = [], []
        for row in range(self.board.rows):
            columns = [x for x in range(self.board.columns) if self.board.has(x, row)]
            left.append(self.at(columns[0], row))
            right.append(self.at(columns[-1], row))
        return _polygon([*left, *reversed(right)])

    def grid(self) -> str:
        """Return the path with one stroke along every row, column and (on hexagons) diagonal."""
        board = self.board
        strokes = []
        for across, up in (step for step in board.STEPS if step > (0, 0)):
            for start in bits(board.points & ~board.shift(board.points, across, up)):
                row, column = divmod(start, board.columns)
                length = 0
                while board.at(column + across * (length + 1), row + up * (length + 1)) is not None:
                    length += 1
                x, y = self.at(column, row)
                to_x, to_y = self.at(column + across * length, row + up * length)
                strokes.append(f"M{number(x)},{number(y)}L{number(to_x)},{number(to_y)}")
        return "".join(strokes)


def _row_distance(board: Board) -> float:
    """Return the distance from one row to the next, in steps."""
    return math.sqrt(3) / 2 if isinstance(board, HexBoard) else 1.0


def _polygon(corners: list[tuple[float, float]]) -> str:
    return "M" + " ".join(f"{number(x)},{number(y)}" for x, y in corners) + "Z"
