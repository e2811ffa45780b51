"""Exact values of small free regions, for compiled code: a table to look them up in.

A region's *stops* are what it is worth, V - H, with Vertical and with Horizontal to move; how they
bound a sum of regions is told in docs/solver.md. A region that fits into eight columns and eight
rows is one word, its *shape*: moved into the corner, point (x, y) is bit 8 y + x. The table has the
least shape of its eight images; a region whose least shape lies turned on its side is the negative
of the one in the table.

The file is compressed, which brings a checksum: records of `ENTRY`, by line and then by shape.
`benchmarks/small_regions.py` writes it. Its records become constants of the compiled code, so the
folder of that code is named after it, too (`cache`).
"""

import logging
import zlib
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.square.windows import LAYER, MARGIN, Layer
from linage_bot.engine.kernels.words import Word, lowest

FILE = files("linage_bot.engine.kernels.square") / "small_regions.bin"
LONGEST_LINE = 5
LARGEST = 10  # points; of nine all regions are there, of ten all but nine that are too long
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


def read_entries(file: Traversable) -> Any:
    """The records of a file; none, after a warning, where it is no good."""
    try:
        return np.frombuffer(zlib.decompress(file.read_bytes()), ENTRY)
    except (OSError, ValueError, zlib.error):
        _log.warning("%s is missing or damaged, and not used", file)
        return np.zeros(0, ENTRY)


_entries = read_entries(FILE)
_SHAPES = np.ascontiguousarray(_entries["shape"])
_STOPS = np.stack([_entries["vertical_first"], _entries["horizontal_first"]], axis=1)
_lines = np.arange(LONGEST_LINE + 2)
_BEGINS = np.searchsorted(_entries["line"], _lines).astype(np.uint64)  # where each line's begin


@compiled(types.uint64(types.uint64))
def _mirrored(shape: Word) -> Word:
    """The shape with its columns in the other order, moved into the corner again."""
    shape = shape >> _1 & _MIRROR[0] | (shape & _MIRROR[0]) << _1
    shape = shape >> _2 & _MIRROR[1] | (shape & _MIRROR[1]) << _2
    shape = shape >> _4 & _MIRROR[2] | (shape & _MIRROR[2]) << _4
    columns = shape | shape >> _32
    columns |= columns >> _16
    columns |= columns >> _8
    return shape >> lowest(columns & _FULL)


@compiled(types.uint64(types.uint64))
def _flipped(shape: Word) -> Word:
    """The shape with its rows in the other order, moved into the corner again."""
    shape = shape >> _8 & _FLIP[0] | (shape & _FLIP[0]) << _8
    shape = shape >> _16 & _FLIP[1] | (shape & _FLIP[1]) << _16
    shape = shape >> _32 | shape << _32
    return shape >> (lowest(shape) & ~_7)


@compiled(types.uint64(types.uint64))
def _turned(shape: Word) -> Word:
    """The shape on its side: rows become columns (Warren, Hacker's Delight, 7-3)."""
    swap = (shape ^ shape >> _7) & _TURN[0]
    shape ^= swap ^ swap << _7
    swap = (shape ^ shape >> _14) & _TURN[1]
    shape ^= swap ^ swap << _14
    swap = (shape ^ shape >> _28) & _TURN[2]
    return shape ^ swap ^ swap << _28


@compiled(types.uint64(types.uint64))
def _least(shape: Word) -> Word:
    """The least of the four images with the same rows and columns."""
    mirrored = _mirrored(shape)
    return min(shape, mirrored, _flipped(shape), _flipped(mirrored))


@compiled(_SHAPE(types.uint64))
def canonical(shape: Word) -> tuple[Word, bool]:
    """The least image of a shape, and whether only turning the shape on its side makes it that."""
    upright, lying = _least(shape), _least(_turned(shape))
    return min(upright, lying), lying < upright


@compiled(types.uint64(LAYER, types.uint64))
def _shape_of(region: Layer, rows: Word) -> Word:
    """A region as one word in the corner; 0 if it is too wide or too high."""
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
    """Where a canonical shape stands in the table; where the next line begins if it does not."""
    shapes = _SHAPES  # each mention of a global constant is one more copy of it
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
    """What a free region of so many points is worth at least and at most, and its heat.

    The least is its value with Horizontal to move, the most that with Vertical to move, the heat
    their difference. Where it is not in the table each may win all but a point, as the last line of
    the enemy takes a point to break, and nothing is known of its heat: 0.
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
