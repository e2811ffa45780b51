"""Sets of points of a square board in compiled code, and the window around one point.

The point in column x and row y is *cell* `(y + 8) << 5 | x`: a step is 1 or 32, and no step from
the board leaves the arrays. Rows are bit sets with column x at bit x + 3. Word j of a set holds
row j in its low half and row j + 4 in its high half, so that four words give the eight rows
j - 3 to j + 4 around a cell as one 64-bit *window*: eight bits a row, of which seven are the
columns x - 3 to x + 3. The cell is bit 27. No line, flood or step within a window wraps from one
row into the next, because the eighth bit is always 0.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numba
import numpy as np
from numba import types

from linage_bot.kernels.contract import State, compiled
from linage_bot.kernels.words import Word, lowest

MARGIN = 8  # rows below the board, so that windows and their erasing stay inside the arrays
WORDS = MARGIN + 25 + 8
CELLS = WORDS << 5

FLOOD = np.dtype(
    [
        ("line", np.uint64),  # the board's facts, that a search of a whole region needs
        ("rows", np.uint64),
        ("seen", np.uint32, WORDS),  # and its scratch
        ("queue", np.uint16, 640),
        ("reached", np.uint64),
    ],
    align=True,
)
SET = types.NestedArray(types.uint64, (WORDS,))
Set: TypeAlias = Any  # a field of a state: WORDS words
_FLOOD = numba.from_dtype(FLOOD)

CENTRE = np.uint64(1 << 27)
NEXT = np.uint64(1 << 26 | 1 << 28 | 1 << 19 | 1 << 35)
RIM = np.uint64(0x7F0000000000007F | 0x4141414141414141)  # a region touching it may go on outside
ACROSS, UPRIGHT, BOTH = 1, 2, 3  # kinds of lines, as flags
ROW, COLUMN = np.uint64(1), np.uint64(8)  # bits from a point of a window to the next

_U = np.uint64
_0, _1, _2, _3, _4, _5, _7, _8, _32 = map(np.uint64, (0, 1, 2, 3, 4, 5, 7, 8, 32))
_31, _16, _24 = map(np.uint64, (31, 16, 24))
_HALF_WINDOWS = _U(0x7F0000007F)  # two rows of seven columns


@compiled(types.uint64(types.uint64, types.uint64))
def cell_of(x: Word, y: Word) -> Word:
    """The cell in column x and row y."""
    return (y + _U(MARGIN)) << _5 | x


@compiled(types.int64(types.uint64, types.uint64))
def point_of(cell: Word, columns: Word) -> int:
    """The point of the board that a cell is."""
    return int(((cell >> _5) - _U(MARGIN)) * columns + (cell & _31))


@compiled(types.uint64(SET, types.uint64))
def holds(points: Set, cell: Word) -> Word:
    """1 if the cell is in the set, else 0."""
    return points[cell >> _5] >> ((cell & _31) + _3) & _1


@compiled(types.void(SET, types.uint64))
def remove(points: Set, cell: Word) -> None:
    """Take a cell out, in both words that hold its row."""
    j, bit = cell >> _5, (cell & _31) + _3
    points[j] &= ~(_1 << bit)
    points[j - _4] &= ~(_1 << (bit + _32))


@compiled(types.void(SET, types.uint64))
def add(points: Set, cell: Word) -> None:
    """Put a cell in, in both words that hold its row."""
    j, bit = cell >> _5, (cell & _31) + _3
    points[j] |= _1 << bit
    points[j - _4] |= _1 << (bit + _32)


@compiled(types.uint64(SET, types.uint64))
def window_at(points: Set, cell: Word) -> Word:
    """The points around a cell."""
    j, x = cell >> _5, cell & _31
    return (
        (points[j - _3] >> x & _HALF_WINDOWS)
        | (points[j - _2] >> x & _HALF_WINDOWS) << _8
        | (points[j - _1] >> x & _HALF_WINDOWS) << _16
        | (points[j] >> x & _HALF_WINDOWS) << _24
    )


@compiled(types.uint64(types.uint64, types.uint64))
def cell_in_window(centre: Word, bit: Word) -> Word:
    """The cell at a bit of the window around the cell `centre`."""
    return centre - _3 * _32 - _3 + (bit >> _3 << _5) + (bit & _7)


@compiled(types.uint64(types.uint64, types.uint64))
def grown(region: Word, window: Word) -> Word:
    """One step of a flood: along the rows, then along the columns."""
    region |= (region << _1 | region >> _1) & window
    return region | (region << _8 | region >> _8) & window


@compiled(types.uint64(types.uint64, types.uint64))
def filled(region: Word, window: Word) -> Word:
    """A flood to its end."""
    before: Word = _0
    while region != before:
        before = region
        region = grown(region, window)
    return region


@compiled(types.uint64(types.uint64, types.uint64, types.uint64))
def starts(window: Word, line: Word, step: Word) -> Word:
    """The points of a window from which a whole line runs to higher bits, `step` bits a point."""
    found = window
    for _ in range(line - _1):
        found = window & found >> step
    return found


@compiled(types.uint64(types.uint64, types.uint64, types.uint64))
def lines(window: Word, line: Word, step: Word) -> Word:
    """All points of a window on lines in the direction `ROW` or `COLUMN`."""
    points = starts(window, line, step)
    for _ in range(line - _1):
        points |= points << step
    return points


@compiled(types.int64(SET, types.uint64))
def _kinds_through_3(points: Set, cell: Word) -> int:
    """The kinds of three-point lines through a cell."""
    j, x = cell >> _5, cell & _31
    row = points[j] >> (x + _1)  # the cell is bit 2
    below2, below1 = points[j - _2] >> (x + _3), points[j - _1] >> (x + _3)
    above1, above2 = points[j + _1] >> (x + _3), points[j + _2] >> (x + _3)
    kinds = ACROSS if row & row >> _1 & row >> _2 & _7 else 0
    upright = (below2 & below1 | below1 & above1 | above1 & above2) & _1
    return kinds | UPRIGHT if upright else kinds


@compiled(types.int64(SET, types.uint64, types.uint64))
def _kinds_through(points: Set, line: Word, cell: Word) -> int:
    """The kinds of lines through a cell, for any length of line."""
    right: Word = _1
    while holds(points, cell + right):
        right += _1
    left: Word = _1
    while holds(points, cell - left):
        left += _1
    up: Word = _1
    while holds(points, cell + up * _32):
        up += _1
    down: Word = _1
    while holds(points, cell - down * _32):
        down += _1
    kinds = ACROSS if right + left - _1 >= line else 0
    return kinds | UPRIGHT if up + down - _1 >= line else kinds


@compiled(types.int64(SET, _FLOOD, types.uint64, types.int64))
def search_lines(points: Set, flood: State, start: Word, wanted: int) -> int:
    """Search a region breadth first, from `start`, until lines of a wanted set of kinds are found.

    `wanted` is `BOTH`, or `ACROSS` for a line of any kind. Returns the kinds found;
    `flood.queue` holds the `flood.reached` cells, the whole region if the search was not cut short.
    """
    seen, queue = flood.seen, flood.queue
    for k in range(_U(MARGIN) - _1, _U(MARGIN) + flood.rows + _1):
        seen[k] = np.uint32(points[k] & _U(0xFFFFFFFF))  # here: in the set and not yet reached
    kinds = 0
    head: Word = _0
    tail: Word = _1
    queue[_0] = start
    seen[start >> _5] &= ~np.uint32(_1 << ((start & _31) + _3))
    while head < tail:
        cell = _U(queue[head])
        head += _1
        if flood.line == _3:
            kinds |= _kinds_through_3(points, cell)
        else:
            kinds |= _kinds_through(points, flood.line, cell)
        if kinds == BOTH or (kinds and wanted != BOTH):
            break
        j, bit = cell >> _5, (cell & _31) + _3
        # Written without branches: each neighbour is stored, and kept if it was not yet reached.
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
    flood.reached = tail
    return kinds


@compiled(types.uint64(SET, _FLOOD, types.uint64, types.uint64, types.uint64, types.uint64))
def stranded(
    points: Set, flood: State, cell: Word, left: Word, on_lines: Word, doubtful: Word
) -> Word:
    """A neighbour that a stone on `cell` would cut off from every line; 0 if there is none.

    `left` is the window without the cell, `on_lines` the points on its lines, `doubtful` the
    neighbours not yet known to be connected to one.
    """
    neighbour: Word = _0
    taken = False
    while doubtful and not neighbour:
        first = doubtful & -doubtful
        part = filled(first, left)
        doubtful &= ~part
        if part & on_lines:
            continue
        candidate = cell_in_window(cell, lowest(first))
        if not part & RIM:
            neighbour = candidate
            continue
        if not taken:
            remove(points, cell)
            taken = True
        if not search_lines(points, flood, candidate, ACROSS):
            neighbour = candidate
    if taken:
        add(points, cell)
    return neighbour


@compiled(types.uint64(SET, _FLOOD, types.uint64))
def stranded_by(points: Set, flood: State, cell: Word) -> Word:
    """A neighbour that a stone on a cell of the set would cut off from every line; 0 if none."""
    left = window_at(points, cell) ^ CENTRE
    if flood.line == _3:
        across = left & left >> _1 & left << _1  # the middles of lines
        upright = left & left >> _8 & left << _8
        on_lines = across | across << _1 | across >> _1 | upright | upright << _8 | upright >> _8
    else:
        on_lines = lines(left, flood.line, ROW) | lines(left, flood.line, COLUMN)
    beside = on_lines << _1 | on_lines >> _1 | on_lines << _8 | on_lines >> _8
    doubtful = NEXT & left & ~(on_lines | beside)
    if not doubtful:
        return _0
    return stranded(points, flood, cell, left, on_lines, doubtful)
