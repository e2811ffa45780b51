"""Lines of four and five points, which a window often shows only a part of.

Most functions here tell which points of a window are on lines, wherever the rest of those lines may
be. Horizontal lines are found in the words of a set, which hold whole rows. Vertical ones are found
in two windows, one upon the other: together they hold the rows from seven below a cell to eight
above it, and a line of five through a point of the window between them needs no more.
"""

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.square.windows import (
    ACROSS,
    CENTRE,
    HALF_WINDOWS,
    SET,
    UPRIGHT,
    Set,
    window_at,
)
from linage_bot.engine.kernels.words import Word

_U = np.uint64
_0, _1, _2, _3, _4, _5, _8, _16 = map(np.uint64, (0, 1, 2, 3, 4, 5, 8, 16))
_24, _31, _32, _48, _56 = map(np.uint64, (24, 31, 32, 48, 56))
# From where lines run upwards through the point in the middle of the top row of a window.
_THROUGH_4 = _U(0x0808080800000000)
_THROUGH_5 = _U(0x0808080808000000)


@compiled(types.uint64(types.uint64, types.uint64))
def _starts(word: Word, line: Word) -> Word:
    """The points of a word of rows from which a line of four or five runs to higher columns."""
    word &= word >> _1
    word &= word >> _2
    return word & word >> (line - _4)


@compiled(types.uint64(types.uint64, types.uint64))
def _whole(starts: Word, line: Word) -> Word:
    """All points of the lines that run from some starts to higher columns."""
    starts |= starts << _1
    starts |= starts << _2
    return starts | starts << (line - _4)


@compiled(types.uint64(SET, types.uint64, types.uint64))
def across_lines(points: Set, cell: Word, line: Word) -> Word:
    """The points of a window on horizontal lines that a stone on its cell would leave.

    The cell is among them if a horizontal line goes through it.
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
    """The points of a window on vertical lines that a stone on its cell would leave.

    The cell is among them if a vertical line goes through it.
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
    """The kinds of lines of any length from two to five through a cell."""
    j, x = cell >> _5, cell & _31
    row, column = points[j] << line >> (x + _4), _0  # in both the cell is bit line - 1
    for k in range(j - line + _1, j + line):
        column = column << _1 | points[k] >> (x + _3) & _1
    across, upright = row, column
    for k in range(_1, line):
        across &= row >> k
        upright &= column >> k
    mask = (_1 << line) - _1
    kinds = ACROSS if across & mask else 0
    return kinds | UPRIGHT if upright & mask else kinds
