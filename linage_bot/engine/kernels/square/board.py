"""A square board in compiled code: its open points, and a list of those that a playout still tries.

Strategy. A placement may be illegal because of one neighbour: the part of the region in which it
would leave that neighbour lacks a line, or has too few points. Parts only shrink, so the placement
stays illegal until a stone is put on that neighbour. Until then the point is *parked*: it is not on
the list and is not examined again.

Invariants.
- The list has no order; `place` of a listed cell is its index.
- A cell is listed, or parked, or neither: then it has a stone, or no stone may ever be put there.
- `blocked_by` of a parked cell is that neighbour. Of any other cell it is not a neighbour, or it is
  one that already has a stone.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import State, compiled
from linage_bot.engine.kernels.square.windows import (
    FLOOD,
    MARGIN,
    PADDED_CELLS,
    SET,
    WORDS,
    Set,
    layer_rows,
    padded_cell,
    remove,
)
from linage_bot.engine.kernels.words import Word
from linage_bot.rules.boards import bits
from linage_bot.rules.game import Position

BOARD = np.dtype(
    [
        ("open", np.uint64, WORDS),  # the set of open points: all empty ones, or fewer
        ("listed", np.uint16, 640),
        ("place", np.uint16, PADDED_CELLS),  # a listed cell's index in `listed`; else UNLISTED
        ("blocked_by", np.uint16, PADDED_CELLS),
        ("count", np.uint64),  # of listed cells
        ("flood", FLOOD),
        ("columns", np.uint64),
    ],
    align=True,
)
BOARD_TYPE = numba.from_dtype(BOARD)

_U = np.uint64
_0, _1, _5, _32 = map(np.uint64, (0, 1, 5, 32))
UNLISTED = np.uint16(0xFFFF)


@compiled(types.void(BOARD_TYPE, types.uint64))
def unlist(board: State, cell: Word) -> None:
    """Remove a cell from the list if it is listed."""
    place = board.place[cell]
    if place != UNLISTED:
        board.count -= _1
        last = board.listed[board.count]
        board.listed[_U(place)] = last
        board.place[_U(last)] = place
        board.place[cell] = UNLISTED


@compiled(types.void(BOARD_TYPE, types.uint64))
def enlist(board: State, cell: Word) -> None:
    """Add a cell to the list."""
    board.listed[board.count] = cell
    board.place[cell] = board.count
    board.count += _1


@compiled(types.void(BOARD_TYPE, types.uint64, types.uint64))
def enlist_at(board: State, cell: Word, place: Word) -> None:
    """Insert a cell into the list at an index, and move the cell that was there to the end."""
    enlist(board, cell)
    last = board.count - _1
    other = _U(board.listed[place])
    board.listed[place], board.listed[last] = cell, other
    board.place[other] = last
    board.place[cell] = place


@compiled(types.void(BOARD_TYPE, types.uint64))
def put(board: State, cell: Word) -> None:
    """Put a stone on a cell that is not listed, and list the points parked because of that cell."""
    remove(board.open, cell)
    blocked_by = board.blocked_by
    for neighbour in (cell - _1, cell + _1, cell - _32, cell + _32):
        if blocked_by[neighbour] == cell:
            enlist(board, neighbour)


@compiled(types.void(BOARD_TYPE, BOARD_TYPE))
def copy_board(to: State, source: State) -> None:
    """Make `to` equal to `source`, except for scratch and the rows above the board."""
    rows = source.flood.rows
    copy_set(to.open, source.open, rows)
    for i in range(source.count):
        to.listed[i] = source.listed[i]
    for cell in range(padded_cell(_0, _0) - _32, (_U(MARGIN) + rows + _1) << _5):
        to.place[cell] = source.place[cell]
        to.blocked_by[cell] = source.blocked_by[cell]
    to.count, to.columns = source.count, source.columns
    to.flood.rows, to.flood.line = rows, source.flood.line


@compiled(types.void(SET, SET, types.uint64))
def copy_set(to: Set, source: Set, rows: Word) -> None:
    """Make a set of points equal to another, up to one row above a board with `rows` rows."""
    for j in range(_U(MARGIN) + rows + _1):
        to[j] = source[j]


def encode_board(board: Any, position: Position, line: int) -> None:
    """Write a board into a record of zeros, with every empty point open and listed."""
    columns, rows = position.game.board.columns, position.game.board.rows
    board["columns"] = columns
    board["flood"]["rows"], board["flood"]["line"] = rows, line
    y, x = np.divmod(np.array([*bits(position.empty)], np.int64), columns)
    cells, count = y + MARGIN << 5 | x, len(x)
    board["listed"][:count] = cells
    board["place"][:] = UNLISTED
    board["place"][cells] = np.arange(count)
    board["count"] = count
    for j, row in layer_rows(position.empty, position.game.board):
        board["open"][j] |= row  # the two words of a set that hold a row
        board["open"][j - 4] |= row << 32
