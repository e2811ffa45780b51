"""The points that are plainly safe, found for a whole board at once; compiled.

A stone on a *safe* point leaves each of its neighbours on a whole line, or beside one. So no part
of the region is left without a line. Most legal points are safe, so only the others have to be
examined one by one. In Linage, where only points of free regions are legal, `find_legal` leaves out
safe points that may be in another region.

Strategy. A layer has a word for each row, and an operation on whole words treats all points of a
row. Every loop runs over the rows without branches, so that the compiler makes it vector
instructions, which treat eight rows. For this the layers are arguments that do not overlap, words
keep 32 bits, and the number of rows is rounded up to a multiple of eight. There are few loops,
because each waits until the words that its predecessor wrote can be read. A neighbour to the east
of a point is safe if a line through it, or through one of its own other neighbours, does not
contain the point. So it matters at which end a line begins: `east` holds the points from which a
horizontal line runs to the east, and so on.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import State, compiled
from linage_bot.engine.kernels.square.windows import LAYER, MARGIN, SET, WORDS, Layer, Set
from linage_bot.engine.kernels.words import Word

_LAYERS = (
    *("row", "east", "west", "north", "south", "across", "upright"),
    "near_across",  # points on such a line or beside one
    "near_upright",
    "free",  # points of regions with lines of both kinds
    "legal",  # the safe ones of these
)
SAFE = np.dtype([(name, np.uint32, WORDS) for name in _LAYERS], align=True)
SAFE_TYPE = numba.from_dtype(SAFE)

_U, _HALF = np.uint64, np.uint32
_1, _2, _3, _4, _5, _7, _31 = map(np.uint64, (1, 2, 3, 4, 5, 7, 31))
_ROW = _U(0xFFFFFFFF)
_BOTTOM = _U(MARGIN)
_WORD = types.uint32  # a row
_SKIPPED = types.UniTuple(_WORD, 3)  # type: ignore[no-untyped-call]  # Numba's
_COUNT = types.uint64


@compiled(_SKIPPED(_COUNT))
def _skipped(line: Word) -> tuple[Word, Word, Word]:
    """Return words in place of a third, fourth and fifth point: full if a line has no such."""
    full, none = _HALF(_ROW), _HALF(0)
    return (
        full if line < _3 else none,
        full if line < _4 else none,
        full if line < _5 else none,
    )


@compiled(_WORD(_WORD, _WORD, _WORD, _WORD, _WORD, _SKIPPED))
def _all_of(one: Word, two: Word, three: Word, four: Word, five: Word, skip: Any) -> Word:
    """Return the points that are in each word of those that are not skipped."""
    return one & two & (three | skip[0]) & (four | skip[1]) & (five | skip[2])


@compiled(_WORD(_WORD, _WORD, _WORD, _WORD, _WORD, _SKIPPED))
def _any_of(one: Word, two: Word, three: Word, four: Word, five: Word, skip: Any) -> Word:
    """Return the points that are in any word of those that are not skipped."""
    return one | two | three & ~skip[0] | four & ~skip[1] | five & ~skip[2]


@compiled(_WORD(_WORD, _WORD, _WORD))
def _around(here: Word, below: Word, above: Word) -> Word:
    """Return the points of a row and their neighbours in it, with those of the rows beside it."""
    return here | here << 1 | here >> 1 | below | above


@compiled(types.void(SET, LAYER, LAYER, LAYER, LAYER, _COUNT, _COUNT), distinct=True)
def _find_across(
    points: Set, row: Layer, east: Layer, west: Layer, across: Layer, rows: Word, line: Word
) -> None:
    """Fill the layers of rows and of horizontal lines: their starts to either side, and all."""
    skip = _skipped(line)
    for j in range(_BOTTOM, _BOTTOM + rows):
        word = _HALF(points[j] & _ROW)
        starts = _all_of(word, word >> 1, word >> 2, word >> 3, word >> 4, skip)
        row[j], east[j], west[j] = word, starts, starts << _HALF(line - _1)
        across[j] = _any_of(starts, starts << 1, starts << 2, starts << 3, starts << 4, skip)


@compiled(types.void(LAYER, LAYER, LAYER, LAYER, _COUNT, _COUNT), distinct=True)
def _find_upright(
    row: Layer, north: Layer, south: Layer, upright: Layer, rows: Word, line: Word
) -> None:
    """Fill the layers of vertical lines: their starts to either side, and all points."""
    skip = _skipped(line)
    for j in range(_BOTTOM, _BOTTOM + rows):
        north[j] = _all_of(row[j], row[j + _1], row[j + _2], row[j + _3], row[j + _4], skip)
        south[j] = _all_of(row[j], row[j - _1], row[j - _2], row[j - _3], row[j - _4], skip)
    for j in range(_BOTTOM, _BOTTOM + rows):
        upright[j] = _any_of(
            north[j], north[j - _1], north[j - _2], north[j - _3], north[j - _4], skip
        )


@compiled(types.void(LAYER, LAYER, LAYER, LAYER, LAYER, _COUNT), distinct=True)
def _find_near(
    row: Layer, across: Layer, upright: Layer, near_across: Layer, near_upright: Layer, rows: Word
) -> None:
    """Fill the layers of points on lines of a kind or beside one."""
    for j in range(_BOTTOM, _BOTTOM + rows):
        near_across[j] = row[j] & _around(across[j], across[j - _1], across[j + _1])
        near_upright[j] = row[j] & _around(upright[j], upright[j - _1], upright[j + _1])


@compiled(types.void(LAYER, LAYER, LAYER, LAYER, _COUNT), distinct=True)
def _find_free(
    row: Layer, near_across: Layer, near_upright: Layer, free: Layer, rows: Word
) -> None:
    """Fill the layer of points with lines of both kinds within two steps."""
    for j in range(_BOTTOM, _BOTTOM + rows):
        reach = _around(near_across[j], near_across[j - _1], near_across[j + _1])
        free[j] = (
            row[j] & reach & _around(near_upright[j], near_upright[j - _1], near_upright[j + _1])
        )


@compiled(types.void(LAYER, LAYER, LAYER, _COUNT), distinct=True)
def _spread_free(row: Layer, free: Layer, legal: Layer, rows: Word) -> None:
    """Set `legal` to the points within two steps of free ones in the same region."""
    for j in range(_BOTTOM, _BOTTOM + rows):
        below = row[j - _1] & _around(free[j - _1], free[j - _2], free[j])
        above = row[j + _1] & _around(free[j + _1], free[j], free[j + _2])
        here = row[j] & _around(free[j], free[j - _1], free[j + _1])
        legal[j] = row[j] & _around(here, below, above)


@compiled(_WORD(_WORD, _WORD, _WORD, _WORD))
def _safe_in_row(row: Word, to_east: Word, to_west: Word, beside: Word) -> Word:
    """Return the points whose neighbours in the row are safe.

    `to_east` holds the points on a line that does not contain the neighbour to the west, `beside`
    those with a line in an adjacent row.
    """
    safe_east = ~row | to_east | to_east >> 1 | beside
    safe_west = ~row | to_west | to_west << 1 | beside
    return row & safe_east >> 1 & safe_west << 1


@compiled(types.void(LAYER, LAYER, LAYER, LAYER, LAYER, LAYER, _COUNT), distinct=True)
def _keep_safe_in_rows(
    row: Layer, east: Layer, west: Layer, across: Layer, upright: Layer, legal: Layer, rows: Word
) -> None:
    """Remove points with neighbours in their rows that are not safe."""
    for j in range(_BOTTOM, _BOTTOM + rows):
        beside = across[j + _1] | upright[j + _1] | across[j - _1] | upright[j - _1]
        legal[j] &= _safe_in_row(row[j], upright[j] | east[j], upright[j] | west[j], beside)


@compiled(types.void(LAYER, LAYER, LAYER, LAYER, LAYER, LAYER, _COUNT), distinct=True)
def _keep_safe_in_columns(
    row: Layer, north: Layer, south: Layer, across: Layer, upright: Layer, legal: Layer, rows: Word
) -> None:
    """Remove points with neighbours in their columns that are not safe."""
    for j in range(_BOTTOM, _BOTTOM + rows):
        line = across[j + _1] | upright[j + _1]
        safe = ~row[j + _1] | across[j + _1] | north[j + _1] | line << 1 | line >> 1
        legal[j] &= safe | across[j + _2] | north[j + _2]
        line = across[j - _1] | upright[j - _1]
        safe = ~row[j - _1] | across[j - _1] | south[j - _1] | line << 1 | line >> 1
        legal[j] &= safe | across[j - _2] | south[j - _2]


@compiled(types.void(SET, _COUNT, _COUNT, SAFE_TYPE))
def _find_lines(points: Set, rows: Word, line: Word, safe: State) -> None:
    """Fill the layers of rows and of lines."""
    _find_across(points, safe.row, safe.east, safe.west, safe.across, rows, line)
    _find_upright(safe.row, safe.north, safe.south, safe.upright, rows, line)


@compiled(types.void(_COUNT, SAFE_TYPE))
def _keep_safe(rows: Word, safe: State) -> None:
    """Remove points that are not safe from `safe.legal`."""
    row, across, upright, legal = safe.row, safe.across, safe.upright, safe.legal
    _keep_safe_in_rows(row, safe.east, safe.west, across, upright, legal, rows)
    _keep_safe_in_columns(row, safe.north, safe.south, across, upright, legal, rows)


@compiled(types.void(SET, _COUNT, _COUNT, SAFE_TYPE))
def find_legal(points: Set, rows: Word, line: Word, safe: State) -> None:
    """Set `safe.legal` to the safe points of a set near which there are lines of both kinds.

    The rows above and below the set are empty. Near means: connected within four steps.
    """
    rows = (rows + _7) & ~_7
    _find_lines(points, rows, line, safe)
    _find_near(safe.row, safe.across, safe.upright, safe.near_across, safe.near_upright, rows)
    _find_free(safe.row, safe.near_across, safe.near_upright, safe.free, rows)
    _spread_free(safe.row, safe.free, safe.legal, rows)
    _keep_safe(rows, safe)


@compiled(types.void(SET, _COUNT, _COUNT, SAFE_TYPE))
def find_safe(points: Set, rows: Word, line: Word, safe: State) -> None:
    """Set `safe.legal` to the safe points of a set; the rows above and below it are empty."""
    rows = (rows + _7) & ~_7
    _find_lines(points, rows, line, safe)
    for j in range(_BOTTOM, _BOTTOM + rows):
        safe.legal[j] = safe.row[j]
    _keep_safe(rows, safe)


@compiled(types.void(SET, LAYER, _COUNT))
def find_connected(points: Set, legal: Layer, rows: Word) -> None:
    """Set `legal` to the points of a set that have a neighbour in it."""
    for j in range(_BOTTOM, _BOTTOM + rows):
        row, beside = points[j], points[j - _1] | points[j + _1]
        legal[j] = _HALF(row & (row << _1 | row >> _1 | beside) & _ROW)


@compiled(types.boolean(LAYER, types.uint64))
def in_layer(layer: Layer, cell: Word) -> bool:
    """Return whether a cell is in a layer."""
    return bool(_U(layer[cell >> _5]) >> ((cell & _31) + _3) & _1)


@compiled(types.void(LAYER, types.uint64))
def add_to_layer(layer: Layer, cell: Word) -> None:
    """Add a cell to a layer."""
    layer[cell >> _5] |= np.uint32(_1 << ((cell & _31) + _3))
