"""A table of the exact values of small free regions, for compiled code.

A region's *stops* are its values, V - H, with Vertical and with Horizontal to move;
docs/solver/method.md explains how they bound the value of a sum of regions. A region that fits into
eight columns and eight rows is one word, its *shape*: with the region moved into the corner, point
(x, y) is bit 8 y + x. The table has the least of the shapes of its eight images. If that image lies
on its side, rows and columns have changed places, so the region's value is the negative of the one
in the table.

The file holds records of `ENTRY`, ordered by line and then by shape. It is compressed, which
includes a checksum. `benchmarks/small_regions.py` writes it. Its records become constants of the
compiled code, so the name of that code's folder depends on it, too (`cache`).
"""

import logging
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.square.windows import LAYER, MARGIN, Layer
from linage_bot.engine.kernels.words import Word, lowest

FILE = Path(__file__).with_name("small_regions.bin")
LONGEST_LINE = 5
LARGEST = 10  # points; all regions of up to nine are there, and all of ten but nine too long ones
ENTRY = np.dtype(
    [
        ("line", np.uint8),
        ("shape", "<u8"),
        ("vertical_first", np.int8),
        ("horizontal_first", np.int8),
    ]
)
_SHAPE = types.Tuple((types.uint64, types.boolean))  # type: ignore[no-untyped-call]  # Numba's
_VALUES = types.UniTuple(types.int64, 3)  # type: ignore[no-untyped-call]  # Numba's

_log = logging.getLogger(__name__)
_U = np.uint64
_0, _1, _2, _4, _7, _8 = map(np.uint64, (0, 1, 2, 4, 7, 8))
_14, _16, _28, _32 = map(np.uint64, (14, 16, 28, 32))
_MIRROR = (_U(0x5555555555555555), _U(0x3333333333333333), _U(0x0F0F0F0F0F0F0F0F))
_FLIP = (_U(0x00FF00FF00FF00FF), _U(0x0000FFFF0000FFFF))
_TURN = (_U(0x00AA00AA00AA00AA), _U(0x0000CCCC0000CCCC), _U(0x00000000F0F0F0F0))
_BOTTOM = _U(MARGIN)
_SIDE = _8
_FULL = _U(0xFF)


def read_entries(file: Path) -> Any:
    """Return the records of a file; none, after a warning, if it is unusable."""
    try:
        return np.frombuffer(zlib.decompress(file.read_bytes()), ENTRY)
    except (OSError, ValueError, zlib.error):
        _log.warning("%s is missing or damaged, so it is not used", file)
        return np.zeros(0, ENTRY)


_entries = read_entries(FILE)
_SHAPES = np.ascontiguousarray(_entries["shape"])
_STOPS = np.stack([_entries["vertical_first"], _entries["horizontal_first"]], axis=1)
_lines = np.arange(LONGEST_LINE + 2)
_BEGINS = np.searchsorted(_entries["line"], _lines).astype(np.uint64)  # first index of each line


@compiled(types.uint64(types.uint64))
def _mirrored(shape: Word) -> Word:
    """Return the shape with its columns in reverse order, moved into the corner again."""
    shape = shape >> _1 & _MIRROR[0] | (shape & _MIRROR[0]) << _1
    shape = shape >> _2 & _MIRROR[1] | (shape & _MIRROR[1]) << _2
    shape = shape >> _4 & _MIRROR[2] | (shape & _MIRROR[2]) << _4
    columns = shape | shape >> _32
    columns |= columns >> _16
    columns |= columns >> _8
    return shape >> lowest(columns & _FULL)


@compiled(types.uint64(types.uint64))
def _flipped(shape: Word) -> Word:
    """Return the shape with its rows in reverse order, moved into the corner again."""
    shape = shape >> _8 & _FLIP[0] | (shape & _FLIP[0]) << _8
    shape = shape >> _16 & _FLIP[1] | (shape & _FLIP[1]) << _16
    shape = shape >> _32 | shape << _32
    return shape >> (lowest(shape) & ~_7)


@compiled(types.uint64(types.uint64))
def _turned(shape: Word) -> Word:
    """Return the shape on its side: rows become columns (Warren, Hacker's Delight, 7-3)."""
    swap = (shape ^ shape >> _7) & _TURN[0]
    shape ^= swap ^ swap << _7
    swap = (shape ^ shape >> _14) & _TURN[1]
    shape ^= swap ^ swap << _14
    swap = (shape ^ shape >> _28) & _TURN[2]
    return shape ^ swap ^ swap << _28


@compiled(types.uint64(types.uint64))
def _least(shape: Word) -> Word:
    """Return the least of the four images in which rows stay rows and columns stay columns."""
    mirrored = _mirrored(shape)
    return min(shape, mirrored, _flipped(shape), _flipped(mirrored))


@compiled(_SHAPE(types.uint64))
def canonical(shape: Word) -> tuple[Word, bool]:
    """Return the least image of a shape, and whether only an image on its side is that small."""
    upright, lying = _least(shape), _least(_turned(shape))
    return min(upright, lying), lying < upright


@compiled(types.uint64(LAYER, types.uint64))
def _shape_of(region: Layer, rows: Word) -> Word:
    """Return a region's shape; 0 if the region is too wide or too high."""
    columns, first, beyond = _0, _0, _0
    for j in range(_BOTTOM, _BOTTOM + rows):
        if region[j]:
            columns |= _U(region[j])
            first = first if first else _U(j)
            beyond = _U(j) + _1
    left = lowest(columns)
    if columns >> left > _FULL or beyond - first > _SIDE:
        return _0
    shape = _0
    for j in range(first, beyond):
        shape |= _U(region[j]) >> left << ((_U(j) - first) << _U(3))
    return shape


@compiled(types.uint64(types.uint64, types.uint64))
def _place_of(shape: Word, line: Word) -> Word:
    """Return the index of a canonical shape in the table, or the next line's first if missing."""
    shapes = _SHAPES  # each mention of a global constant would add one more copy of it
    low, end = _BEGINS[line], _BEGINS[line + _1]
    high = end
    while low < high:
        middle = (low + high) >> _1
        if shapes[middle] < shape:
            low = middle + _1
        else:
            high = middle
    return low if low < end and shapes[low] == shape else end


@compiled(_VALUES(LAYER, types.uint64, types.uint64, types.int64))
def bounds_of(region: Layer, rows: Word, line: Word, points: int) -> tuple[int, int, int]:
    """Return the least and the greatest value of a free region, V - H, and its heat.

    `points` is the region's size. The least is its value with Horizontal to move, the greatest that
    with Vertical to move, and the heat is their difference. If the region is not in the table,
    either player may win all of it but one point, as breaking the enemy's last line takes a point;
    its heat is unknown then, and 0 is returned.
    """
    most = points - 1
    if points > LARGEST or line > LONGEST_LINE:
        return -most, most, 0
    shape = _shape_of(region, rows)
    if not shape:
        return -most, most, 0
    least_shape, turned = canonical(shape)
    place = _place_of(least_shape, line)
    if place == _BEGINS[line + _1]:
        return -most, most, 0
    stops: Any = _STOPS[place]
    vertical: Any = np.int64(stops[_0])
    horizontal: Any = np.int64(stops[_1])
    if turned:
        vertical, horizontal = -horizontal, -vertical
    return horizontal, vertical, vertical - horizontal
