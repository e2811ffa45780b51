"""A board of coloured stones in compiled code: the content of each cell, and a list of empty cells.

The point in column x and row y is the *bordered cell* `(y + 1) << 5 | (x + 1)`. A step is 1 or 32
on square boards, and 1, 32 or 33 on hexagonal ones. Every step from a point of the board ends on a
cell of the arrays; cells that are no points hold `OFF`. (Sets of points use *padded* cells, see
`square.windows`.)

Strategy. The list of empty cells has no order, so adding or removing a stone takes only a few
nanoseconds. Each flood marks the cells that it has reached with a fresh number, so that no marks
need to be cleared.

Invariant. `place` of an empty cell is its index in `empty`, and `empty[:empties]` are all empty
cells.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import Moves, State, compiled
from linage_bot.engine.kernels.words import Word
from linage_bot.rules.boards import bits
from linage_bot.rules.game import Position

FIRST, SECOND, EMPTY, OFF = 0, 1, 2, 3  # a player's stones have the player's number
BORDERED_CELLS = 27 << 5
LISTED = 25 * 25 + 7  # room for every point

STONES = np.dtype(
    [
        ("on", np.uint8, BORDERED_CELLS),
        ("place", np.uint16, BORDERED_CELLS),  # an empty cell's index in `empty`
        ("empty", np.uint16, LISTED),
        ("empties", np.uint64),
        ("count", np.uint64, 2),  # stones, by player
        ("columns", np.uint64),
        ("rows", np.uint64),
        ("mark", np.uint32, BORDERED_CELLS),  # scratch of floods
        ("marked", np.uint32),  # the last number used as a mark
    ],
    align=True,
)
STONES_TYPE = numba.from_dtype(STONES)

_U = np.uint64
_1, _5, _31 = map(np.uint64, (1, 5, 31))


@compiled(types.uint64(types.uint64, types.uint64))
def bordered_cell(x: Word, y: Word) -> Word:
    """Return the cell of the point in column x and row y."""
    return (y + _1) << _5 | (x + _1)


@compiled(types.uint64(types.int64, types.uint64))
def bordered_at(point: int, columns: Word) -> Word:
    """Return the cell of a point of the board."""
    width = np.int64(columns)
    return bordered_cell(_U(point % width), _U(point // width))


@compiled(types.int64(types.uint64, types.uint64))
def bordered_point(cell: Word, columns: Word) -> int:
    """Return the point of the board at a cell."""
    return int(((cell >> _5) - _1) * columns + (cell & _31) - _1)


@compiled(types.void(STONES_TYPE, types.uint64, types.uint64))
def put(stones: State, cell: Word, player: Word) -> None:
    """Put a player's stone on an empty cell."""
    stones.on[cell] = player
    stones.count[player] += _1
    stones.empties -= _1
    last, place = stones.empty[stones.empties], stones.place[cell]
    stones.empty[_U(place)] = last
    stones.place[_U(last)] = place


@compiled(types.void(STONES_TYPE, types.uint64))
def take(stones: State, cell: Word) -> None:
    """Remove the stone from a cell."""
    stones.count[_U(stones.on[cell])] -= _1
    stones.on[cell] = EMPTY
    stones.empty[stones.empties] = cell
    stones.place[cell] = stones.empties
    stones.empties += _1


@compiled(types.uint64(STONES_TYPE, types.uint64, types.uint64))
def take_empty(stones: State, chosen: Word, left: Word) -> Word:
    """Return the empty cell at index `chosen` of the list, and swap it with the last of `left`.

    A caller that then draws from the first `left - 1` cells draws no cell twice.
    """
    last = left - _1
    cell, other = stones.empty[chosen], stones.empty[last]
    stones.empty[chosen], stones.empty[last] = other, cell
    stones.place[_U(other)], stones.place[_U(cell)] = chosen, last
    return _U(cell)


@compiled(types.uint64(STONES_TYPE))
def fresh_mark(stones: State) -> Word:
    """Return a number that marks no cell yet."""
    stones.marked += np.uint32(1)
    if stones.marked == 0:  # every number has been used
        for cell in range(BORDERED_CELLS):
            stones.mark[cell] = 0
        stones.marked = 1
    return _U(stones.marked)


@compiled(types.void(STONES_TYPE, STONES_TYPE))
def copy_stones(to: State, source: State) -> None:
    """Make `to` equal to `source`, except for scratch; both must come from the same game."""
    cells = (source.rows + _1 + _1) << _5
    for cell in range(cells):
        to.on[cell] = source.on[cell]
    for cell in range(cells):
        to.place[cell] = source.place[cell]
    for i in range(source.empties):
        to.empty[i] = source.empty[i]
    to.empties = source.empties
    to.count[FIRST], to.count[SECOND] = source.count[FIRST], source.count[SECOND]
    to.columns, to.rows = source.columns, source.rows


@compiled(types.void(STONES_TYPE, Moves))
def fill_contents(stones: State, points: Any) -> None:
    """Fill in the content of every point: 0 for none, 1 and 2 for stones of First and Second."""
    point = 0
    for y in range(stones.rows):
        for x in range(stones.columns):
            on = np.int64(stones.on[bordered_cell(x, y)])
            points[point] = on + 1 if on < EMPTY else 0
            point += 1


def encode_stones(stones: Any, position: Position) -> None:
    """Write the stones of a position into a record of zeros."""
    board = position.game.board
    stones["on"][:] = OFF
    stones["columns"], stones["rows"] = board.columns, board.rows
    for count, point in enumerate(bits(board.points)):
        y, x = divmod(point, board.columns)
        cell = int(bordered_cell(x, y))
        stones["on"][cell] = EMPTY
        stones["empty"][count], stones["place"][cell] = cell, count
        stones["empties"] = count + 1
    for player, points in enumerate((position.first, position.second)):
        for point in bits(points):
            y, x = divmod(point, board.columns)
            put(stones, bordered_cell(x, y), player)
