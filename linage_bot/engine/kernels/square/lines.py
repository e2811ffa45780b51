"""Lines in compiled code: the points on lines, and the placements that leave every part a line.

Strategy. The window around a point nearly always decides whether a placement cuts a neighbour off
from every line. A neighbour that is connected, within the window, with a point of a line is safe.
One whose part ends inside the window without a line is not. Only if the part continues beyond the
window is the whole board searched.

Of a line of four or five points a window often shows only a part. Horizontal ones are found in the
words of a set, which hold whole rows. Vertical ones are found in two windows, one above the other.
Together these hold the rows from seven below a cell to eight above it, and a line of five through a
point of the window between them lies within these rows.
"""

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import State, compiled
from linage_bot.engine.kernels.square.board import BOARD_TYPE
from linage_bot.engine.kernels.square.windows import (
    ACROSS,
    BOTH,
    CENTRE,
    FLOOD_TYPE,
    HALF_WINDOWS,
    MARGIN,
    NEXT,
    RIM,
    SET,
    UPRIGHT,
    Set,
    add,
    cell_in_window,
    filled,
    queue_neighbours,
    remove,
    window_at,
)
from linage_bot.engine.kernels.words import Word, lowest

_U = np.uint64
_0, _1, _2, _3, _4, _5, _7, _8, _16 = map(np.uint64, (0, 1, 2, 3, 4, 5, 7, 8, 16))
_24, _31, _32, _48, _56 = map(np.uint64, (24, 31, 32, 48, 56))
# The lowest points of vertical lines of four or five through the middle of a window's top row.
_THROUGH_4 = _U(0x0808080800000000)
_THROUGH_5 = _U(0x0808080808000000)


@compiled(types.uint64(types.uint64, types.uint64))
def _starts(word: Word, line: Word) -> Word:
    """Return the points of a word of rows from which a line of four or five runs to the right.

    To the right means to higher columns, which are higher bits.
    """
    word &= word >> _1
    word &= word >> _2
    return word & word >> (line - _4)


@compiled(types.uint64(types.uint64, types.uint64))
def _whole(starts: Word, line: Word) -> Word:
    """Return all points of the lines that run from these starts to higher columns."""
    starts |= starts << _1
    starts |= starts << _2
    return starts | starts << (line - _4)


@compiled(types.uint64(SET, types.uint64, types.uint64))
def across_lines(points: Set, cell: Word, line: Word) -> Word:
    """Return the points of a cell's window on horizontal lines that do not contain the cell.

    A stone on the cell leaves these lines whole. The cell itself is added if it is on a horizontal
    line. Lines have four or five points.
    """
    j, x = cell >> _5, cell & _31
    first, second = _starts(points[j - _3], line), _starts(points[j - _2], line)
    third, fourth = _starts(points[j - _1], line), _starts(points[j], line)
    through = fourth << line >> (x + _4) & ((_1 << line) - _1)
    fourth ^= through << (x + _4) >> line
    return (
        (_whole(first, line) >> x & HALF_WINDOWS)
        | (_whole(second, line) >> x & HALF_WINDOWS) << _8
        | (_whole(third, line) >> x & HALF_WINDOWS) << _16
        | (_whole(fourth, line) >> x & HALF_WINDOWS) << _24
        | (CENTRE if through else _0)
    )


@compiled(types.uint64(SET, types.uint64, types.uint64))
def upright_lines(points: Set, cell: Word, line: Word) -> Word:
    """Return the points of a cell's window on vertical lines that do not contain the cell.

    A stone on the cell leaves these lines whole. The cell itself is added if it is on a vertical
    line. Lines have four or five points.
    """
    low, high = window_at(points, cell - _4 * _32), window_at(points, cell + _4 * _32)
    low, high = low & (low >> _8 | high << _56), high & high >> _8
    low, high = low & (low >> _16 | high << _48), high & high >> _16
    if line == _5:
        low, high = low & (low >> _8 | high << _56), high & high >> _8
        through = low & _THROUGH_5
    else:
        through = low & _THROUGH_4
    low ^= through
    low, high = low | low << _8, high | high << _8 | low >> _56
    low, high = low | low << _16, high | high << _16 | low >> _48
    if line == _5:
        low, high = low | low << _8, high | high << _8 | low >> _56
    return low >> _32 | high << _32 | (CENTRE if through else _0)


@compiled(types.int64(SET, types.uint64, types.uint64))
def kinds_through(points: Set, cell: Word, line: Word) -> int:
    """Return the kinds of lines through a cell; lines may have any length from two to five."""
    j, x = cell >> _5, cell & _31
    row, column = points[j] << line >> (x + _4), _0  # the cell is bit line - 1 of both
    for k in range(j - line + _1, j + line):
        column = column << _1 | points[k] >> (x + _3) & _1
    across, upright = row, column
    for k in range(_1, line):
        across &= row >> k
        upright &= column >> k
    mask = (_1 << line) - _1
    kinds = ACROSS if across & mask else 0
    return kinds | UPRIGHT if upright & mask else kinds


@compiled(types.int64(SET, FLOOD_TYPE, types.uint64, types.uint64, types.int64, types.int64))
def search_lines(points: Set, flood: State, cell: Word, part: Word, known: int, wanted: int) -> int:
    """Search a region breadth first for lines, and return the kinds of lines found.

    `part` is the connected part of the region within the window of `cell`, and `known` the kinds of
    lines found in it; lines that leave the window may be missing. The search starts at the rim of
    the window, which every such line crosses. It ends early when it has found both kinds, if
    `wanted` is `BOTH`, or a line of either kind, if `wanted` is `ACROSS`. Afterwards
    `flood.queue` holds the `flood.reached` cells that were reached; unless the search ended early,
    these are the whole region except `part & ~RIM`.
    """
    seen, queue = flood.seen, flood.queue
    for k in range(_U(MARGIN) - _1, _U(MARGIN) + flood.rows + _1):
        seen[k] = np.uint32(points[k] & _U(0xFFFFFFFF))  # here: points that are not yet reached
    bottom, x = (cell >> _5) - _3, cell & _31
    for k in range(_8):
        seen[bottom + k] &= ~np.uint32((part >> (k << _3) & _U(0x7F)) << x)
    kinds = known
    head: Word = _0
    tail: Word = _0
    rim = part & RIM
    while rim:
        queue[tail] = cell_in_window(cell, lowest(rim))
        tail += _1
        rim &= rim - _1
    while head < tail:
        at = _U(queue[head])
        head += _1
        kinds |= kinds_through(points, at, flood.line)
        if kinds == BOTH or (kinds and wanted != BOTH):
            break
        tail = queue_neighbours(seen, queue, at, tail)
    flood.reached = tail
    return kinds


@compiled(types.uint64(SET, FLOOD_TYPE, types.uint64, types.uint64, types.uint64, types.uint64))
def cut_off(
    points: Set, flood: State, cell: Word, left: Word, on_lines: Word, doubtful: Word
) -> Word:
    """Return a neighbour that a stone on `cell` would cut off from every line; 0 if there is none.

    `left` is the window without the cell, `on_lines` the points on lines in it, and `doubtful` the
    neighbours that are not yet known to be connected with one of these.
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
        if not search_lines(points, flood, cell, part, 0, ACROSS):
            neighbour = candidate
    if taken:
        add(points, cell)
    return neighbour


@compiled(types.uint64(SET, FLOOD_TYPE, types.uint64))
def cut_off_by(points: Set, flood: State, cell: Word) -> Word:
    """Return a neighbour that a stone on a cell of the set would cut off from every line, or 0."""
    left = window_at(points, cell) ^ CENTRE
    if flood.line == _3:
        across = left & left >> _1 & left << _1  # the middle points of lines
        upright = left & left >> _8 & left << _8
        on_lines = across | across << _1 | across >> _1 | upright | upright << _8 | upright >> _8
    elif flood.line == _2:
        on_lines = left & (left << _1 | left >> _1 | left << _8 | left >> _8)
    else:
        on_lines = across_lines(points, cell, flood.line) & ~CENTRE
        on_lines |= upright_lines(points, cell, flood.line) & ~CENTRE
    beside = on_lines << _1 | on_lines >> _1 | on_lines << _8 | on_lines >> _8
    doubtful = NEXT & left & ~(on_lines | beside)
    if not doubtful:
        return _0
    return cut_off(points, flood, cell, left, on_lines, doubtful)


@compiled(types.boolean(BOARD_TYPE, types.uint64))
def may_place(board: State, cell: Word) -> bool:
    """Return whether a stone on a cell leaves a line in every part; park the cell if not.

    The cell has just been removed from the list.
    """
    neighbour = cut_off_by(board.open, board.flood, cell)
    if not neighbour:
        return True
    board.blocked_by[cell] = neighbour
    return False
