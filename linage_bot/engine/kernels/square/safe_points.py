"""The points that are plainly safe, found for a whole board at once; compiled.

A stone on a *safe* point leaves each of its neighbours on a whole line, or beside one. So no part
of the region is left without a line. Safe points of a free region are legal, and most legal points
are of this kind, so only the others have to be examined one by one.

Strategy. A layer has a word for each row, and an operation on whole words treats all points of a
row. Every loop runs over the rows without branches, so that the compiler makes it vector
instructions. A neighbour to the east of a point is safe if a line through it, or through one of its
own other neighbours, does not contain the point. So it matters at which end a line begins: `east`
holds the points from which a horizontal line runs to the east, and so on.
"""

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import State, compiled
from linage_bot.engine.kernels.square.windows import LAYER, MARGIN, SET, WORDS, Layer, Set
from linage_bot.engine.kernels.words import Word

_LAYERS = ("row", "east", "west", "north", "south", "across", "upright")
SAFE = np.dtype(
    [
        *((name, np.uint32, WORDS) for name in _LAYERS),
        ("near_across", np.uint32, WORDS),  # points on such a line or beside one
        ("near_upright", np.uint32, WORDS),
        ("uncut", np.uint32, WORDS),  # the safe points
        ("legal", np.uint32, WORDS),  # those of them near which there are lines of both kinds
    ],
    align=True,
)
SAFE_TYPE = numba.from_dtype(SAFE)

_U = np.uint64
_1, _2, _3, _4, _5, _31 = map(np.uint64, (1, 2, 3, 4, 5, 31))
_ROW = _U(0xFFFFFFFF)
_BOTTOM = _U(MARGIN)


@compiled(types.void(SET, types.uint64, types.uint64, SAFE_TYPE))
def _find_lines(points: Set, rows: Word, line: Word, safe: State) -> None:
    """Fill the layers of lines of two to five points, and that of the rows themselves."""
    row, east, west, north, south = safe.row, safe.east, safe.west, safe.north, safe.south
    bottom, top = _BOTTOM, _BOTTOM + rows
    skip3 = _ROW if line < _3 else _U(0)  # in place of a third point that is not needed
    skip4 = _ROW if line < _4 else _U(0)
    skip5 = _ROW if line < _5 else _U(0)
    for j in range(bottom, top):
        row[j] = np.uint32(points[j] & _ROW)
    for j in range(bottom, top):
        word = _U(row[j])
        starts = word & word >> _1 & (word >> _2 | skip3) & (word >> _3 | skip4)
        starts &= word >> _4 | skip5
        east[j] = np.uint32(starts)
        west[j] = np.uint32(starts << (line - _1))
        whole = starts | starts << _1 | starts << _2 & ~skip3
        safe.across[j] = np.uint32(whole | starts << _3 & ~skip4 | starts << _4 & ~skip5)
    for j in range(bottom, top):
        word = _U(row[j] & row[j + _1]) & (_U(row[j + _2]) | skip3)
        north[j] = np.uint32(word & (_U(row[j + _3]) | skip4) & (_U(row[j + _4]) | skip5))
    for j in range(bottom, top):
        word = _U(row[j] & row[j - _1]) & (_U(row[j - _2]) | skip3)
        south[j] = np.uint32(word & (_U(row[j - _3]) | skip4) & (_U(row[j - _4]) | skip5))
    for j in range(bottom, top):
        word = _U(north[j] | north[j - _1]) | _U(north[j - _2]) & ~skip3
        word |= _U(north[j - _3]) & ~skip4 | _U(north[j - _4]) & ~skip5
        safe.upright[j] = np.uint32(word)


@compiled(types.void(SET, types.uint64, types.uint64, SAFE_TYPE))
def find_safe(points: Set, rows: Word, line: Word, safe: State) -> None:
    """Set `safe.uncut` to the safe points of a set, whose rows above and below are empty."""
    _find_lines(points, rows, line, safe)
    row, across, upright, uncut = safe.row, safe.across, safe.upright, safe.uncut
    east, west, north, south = safe.east, safe.west, safe.north, safe.south
    for j in range(_BOTTOM, _BOTTOM + rows):
        word, beside = (
            _U(row[j]),
            across[j + _1] | upright[j + _1] | across[j - _1] | upright[j - _1],
        )
        to_east, to_west = _U(upright[j] | east[j]), _U(upright[j] | west[j])
        safe_east = ~word | to_east | to_east >> _1 | beside
        safe_west = ~word | to_west | to_west << _1 | beside
        uncut[j] = np.uint32(word & safe_east >> _1 & safe_west << _1)
    for j in range(_BOTTOM, _BOTTOM + rows):
        above, here = _U(across[j + _1] | upright[j + _1]), _U(across[j + _1] | north[j + _1])
        here |= above << _1 | above >> _1 | _U(across[j + _2] | north[j + _2])
        uncut[j] &= np.uint32(~row[j + _1] | here)
    for j in range(_BOTTOM, _BOTTOM + rows):
        below, here = _U(across[j - _1] | upright[j - _1]), _U(across[j - _1] | south[j - _1])
        here |= below << _1 | below >> _1 | _U(across[j - _2] | south[j - _2])
        uncut[j] &= np.uint32(~row[j - _1] | here)


@compiled(types.void(SET, types.uint64, types.uint64, SAFE_TYPE))
def find_legal(points: Set, rows: Word, line: Word, safe: State) -> None:
    """Set `safe.legal` to the safe points of a set with lines of both kinds within two steps."""
    find_safe(points, rows, line, safe)
    row, across, upright = safe.row, safe.across, safe.upright
    near_across, near_upright = safe.near_across, safe.near_upright
    for j in range(_BOTTOM, _BOTTOM + rows):
        word = _U(across[j])
        near = word | word << _1 | word >> _1 | across[j - _1] | across[j + _1]
        near_across[j] = np.uint32(near & row[j])
        word = _U(upright[j])
        near = word | word << _1 | word >> _1 | upright[j - _1] | upright[j + _1]
        near_upright[j] = np.uint32(near & row[j])
    for j in range(_BOTTOM, _BOTTOM + rows):
        word = _U(near_across[j])
        free = word | word << _1 | word >> _1 | near_across[j - _1] | near_across[j + _1]
        word = _U(near_upright[j])
        free &= word | word << _1 | word >> _1 | near_upright[j - _1] | near_upright[j + _1]
        safe.legal[j] = np.uint32(free & safe.uncut[j])


@compiled(types.boolean(LAYER, types.uint64))
def in_layer(layer: Layer, cell: Word) -> bool:
    """Return whether a cell is in a layer."""
    return bool(_U(layer[cell >> _5]) >> ((cell & _31) + _3) & _1)


@compiled(types.void(LAYER, types.uint64))
def add_to_layer(layer: Layer, cell: Word) -> None:
    """Add a cell to a layer."""
    layer[cell >> _5] |= np.uint32(_1 << ((cell & _31) + _3))
