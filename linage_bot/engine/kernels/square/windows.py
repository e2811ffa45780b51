"""Sets of points of a square board in compiled code, and the window around one point.

The point in column x and row y is the *padded cell* `(y + 8) << 5 | x`. A step is 1 or 32, and no
step from the board leaves the arrays. (Boards of coloured stones use *bordered* cells, see
`stones`.)

A row is a bit set with column x at bit x + 3. Word j of a set holds row j in its low half and row
j + 4 in its high half, so that four words give the eight rows j - 3 to j + 4 around a cell as one
64-bit *window*. A window has eight bits for each row: seven for the columns x - 3 to x + 3, and one
that is always 0. The cell is bit 27. Because of the zero bit, no line, flood or step within a
window wraps from one row into the next. A *layer* is a plain set: the low halves alone.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word
from linage_bot.rules.boards import Board, Points

MARGIN = 8  # rows below the board, so that windows and their erasing stay inside the arrays
WORDS = MARGIN + 32 + 8  # loops treat eight rows at a time, so 32 of 25
PADDED_CELLS = WORDS << 5

FLOOD = np.dtype(
    [
        ("line", np.uint64),  # facts about the board that a search of a whole region needs
        ("rows", np.uint64),
        ("seen", np.uint32, WORDS),  # scratch of such a search
        ("queue", np.uint16, 640),
        ("reached", np.uint64),
    ],
    align=True,
)
SET = types.NestedArray(types.uint64, (WORDS,))
Set: TypeAlias = Any  # a field of a state: `WORDS` words
LAYER = types.NestedArray(types.uint32, (WORDS,))
Layer: TypeAlias = Any  # `WORDS` half words
_QUEUE = types.NestedArray(types.uint16, (640,))
FLOOD_TYPE = numba.from_dtype(FLOOD)

CENTRE = np.uint64(1 << 27)
NEXT = np.uint64(1 << 26 | 1 << 28 | 1 << 19 | 1 << 35)
HALF_WINDOWS = np.uint64(0x7F0000007F)  # two rows of seven columns
RIM = np.uint64(0x7F0000000000007F | 0x4141414141414141)  # a region may continue beyond its points
ACROSS, UPRIGHT, BOTH = 1, 2, 3  # kinds of lines, as flags

_U = np.uint64
_0, _1, _2, _3, _4, _5, _7, _8, _32 = map(np.uint64, (0, 1, 2, 3, 4, 5, 7, 8, 32))
_31, _16, _24 = map(np.uint64, (31, 16, 24))


def layer_rows(points: Points, board: Board) -> Iterator[tuple[int, int]]:
    """Yield the number and the bits of each row of a layer that holds these points of a board."""
    for y in range(board.rows):
        yield MARGIN + y, (points >> y * board.columns & (1 << board.columns) - 1) << 3


@compiled(types.uint64(types.uint64, types.uint64))
def padded_cell(x: Word, y: Word) -> Word:
    """Return the cell of the point in column x and row y."""
    return (y + _U(MARGIN)) << _5 | x


@compiled(types.uint64(types.int64, types.uint64))
def padded_at(point: int, columns: Word) -> Word:
    """Return the cell of a point of the board."""
    width = np.int64(columns)
    return padded_cell(_U(point % width), _U(point // width))


@compiled(types.int64(types.uint64, types.uint64))
def padded_point(cell: Word, columns: Word) -> int:
    """Return the point of the board at a cell."""
    return int(((cell >> _5) - _U(MARGIN)) * columns + (cell & _31))


@compiled(types.uint64(SET, types.uint64))
def holds(points: Set, cell: Word) -> Word:
    """Return 1 if the cell is in the set, else 0."""
    return points[cell >> _5] >> ((cell & _31) + _3) & _1


@compiled(types.void(SET, types.uint64))
def remove(points: Set, cell: Word) -> None:
    """Remove a cell from a set, in both words that hold its row."""
    j, bit = cell >> _5, (cell & _31) + _3
    points[j] &= ~(_1 << bit)
    points[j - _4] &= ~(_1 << (bit + _32))


@compiled(types.void(SET, types.uint64))
def add(points: Set, cell: Word) -> None:
    """Add a cell to a set, in both words that hold its row."""
    j, bit = cell >> _5, (cell & _31) + _3
    points[j] |= _1 << bit
    points[j - _4] |= _1 << (bit + _32)


@compiled(types.uint64(SET, types.uint64))
def window_at(points: Set, cell: Word) -> Word:
    """Return the window of a cell: the points of a set around it."""
    j, x = cell >> _5, cell & _31
    return (
        (points[j - _3] >> x & HALF_WINDOWS)
        | (points[j - _2] >> x & HALF_WINDOWS) << _8
        | (points[j - _1] >> x & HALF_WINDOWS) << _16
        | (points[j] >> x & HALF_WINDOWS) << _24
    )


@compiled(types.uint64(types.uint64, types.uint64))
def cell_in_window(centre: Word, bit: Word) -> Word:
    """Return the cell at a bit of the window around the cell `centre`."""
    return centre - _3 * _32 - _3 + (bit >> _3 << _5) + (bit & _7)


@compiled(types.uint64(types.uint64, types.uint64))
def grown(region: Word, window: Word) -> Word:
    """Return a region after one step of a flood within a window: along rows, then along columns."""
    region |= (region << _1 | region >> _1) & window
    return region | (region << _8 | region >> _8) & window


@compiled(types.uint64(types.uint64, types.uint64))
def filled(region: Word, window: Word) -> Word:
    """Return a region after a complete flood within a window."""
    before: Word = _0
    while region != before:
        before = region
        region = grown(region, window)
    return region


@compiled(types.uint64(LAYER, _QUEUE, types.uint64, types.uint64))
def queue_neighbours(seen: Layer, queue: Any, cell: Word, tail: Word) -> Word:
    """Move the neighbours of a cell from `seen` to the end of a queue; return the new end.

    The code has no branches: it writes each neighbour behind the end, and advances the end only if
    the neighbour was in `seen`.
    """
    j, bit = cell >> _5, (cell & _31) + _3
    row = _U(seen[j])
    left, right = row >> (bit - _1) & _1, row >> (bit + _1) & _1
    queue[tail] = cell - _1
    tail += left
    queue[tail] = cell + _1
    tail += right
    seen[j] = np.uint32(row & ~(left << (bit - _1) | right << (bit + _1)))
    for beside in (j - _1, j + _1):
        free = _U(seen[beside]) >> bit & _1
        queue[tail] = (beside << _5) | (cell & _31)
        tail += free
        seen[beside] &= ~np.uint32(free << bit)
    return tail
