"""Canonical shapes of regions in compiled code.

A set of points is stored in a *frame*: a box of some width and height whose rows follow one another
with one empty guard column between them. The stride is width + 1, and the bit of point (x, y) is
`y * stride + x`. Two words hold a frame, so boxes of up to 128 bits, guard columns included, can be
searched: every region of at most 20 points, regardless of its form, and every board up to 10x11.

The canonical shape of a region is the least of its images under the eight symmetries of the square,
moved into the corner. Turning a region on its side swaps rows and columns, and with them the
players: it negates the region's game. So a region is represented by a shape and a sign.
"""

from typing import Any, TypeAlias

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word, lowest, popcount

BITS = 128
LARGEST_SIDE = 25

SET = types.UniTuple(types.uint64, 2)  # type: ignore[no-untyped-call]  # Numba's
_SHAPE = types.Tuple(  # type: ignore[no-untyped-call]  # Numba's
    (SET, types.int64, types.int64, types.int64, types.int64)
)
Set: TypeAlias = Any  # two words, the lower first
ROWS = types.Array(types.uint64, 1, "C")  # scratch, SCRATCH words
SCRATCH = 4 * (LARGEST_SIDE + 1)
_STEP = LARGEST_SIDE + 1

_U = np.uint64
_0, _1, _2, _4, _8, _16 = map(np.uint64, (0, 1, 2, 4, 8, 16))
_32, _63, _64 = map(np.uint64, (32, 63, 64))
_PAIRS = (_U(0x55555555), _U(0x33333333), _U(0x0F0F0F0F), _U(0x00FF00FF), _U(0xFFFF))
_BYTE, _56 = _U(0xFF), _U(56)
_SIDE_OF = np.array([each.bit_length() for each in range(256)], np.uint64)
_SMALL_SIDE = 8  # of a box whose images fit into one word each, with a byte for a row
_IN_BYTES = (_U(0x5555555555555555), _U(0x3333333333333333), _U(0x0F0F0F0F0F0F0F0F))
_OF_BYTES = (_U(0x00FF00FF00FF00FF), _U(0x0000FFFF0000FFFF))
_TO_TURN = (_U(0x00AA00AA00AA00AA), _U(0x0000CCCC0000CCCC), _U(0x00000000F0F0F0F0))


@compiled(SET(SET, types.uint64))
def up(points: Set, bits: Word) -> Set:
    """Return the set shifted to higher bits, by 1 to 63."""
    return points[0] << bits, points[1] << bits | points[0] >> (_64 - bits)


@compiled(SET(SET, types.uint64))
def down(points: Set, bits: Word) -> Set:
    """Return the set shifted to lower bits, by 1 to 63."""
    return points[0] >> bits | points[1] << (_64 - bits), points[1] >> bits


@compiled(SET(SET, types.uint64))
def from_bit(points: Set, bit: Word) -> Set:
    """Return the set shifted so that the given bit becomes the lowest."""
    if bit >= _64:
        return points[1] >> (bit - _64), _0
    return points if bit == _0 else down(points, bit)


@compiled(SET(types.uint64))
def single(bit: Word) -> Set:
    """Return the set of one point."""
    if bit >= _64:
        return _0, _1 << (bit - _64)
    return _1 << bit, _0


@compiled(SET(SET, SET))
def intersection(one: Set, other: Set) -> Set:
    """Return the intersection."""
    return one[0] & other[0], one[1] & other[1]


@compiled(SET(SET, SET))
def without(one: Set, other: Set) -> Set:
    """Return the difference."""
    return one[0] & ~other[0], one[1] & ~other[1]


@compiled(types.int64(SET))
def size(points: Set) -> int:
    """Return the number of points."""
    return popcount(points[0]) + popcount(points[1])


@compiled(types.uint64(SET))
def first(points: Set) -> Word:
    """Return the lowest bit of a set that is not empty."""
    return lowest(points[0]) if points[0] else _64 + lowest(points[1])


@compiled(SET(SET, SET, types.uint64))
def flood(seed: Set, within: Set, stride: Word) -> Set:
    """Return the points of `within` connected to the seed, which is part of it."""
    low, high = seed
    while True:
        left, right = up((low, high), _1), down((low, high), _1)
        above, below = up((low, high), stride), down((low, high), stride)
        next_low = (low | left[0] | right[0] | above[0] | below[0]) & within[0]
        next_high = (high | left[1] | right[1] | above[1] | below[1]) & within[1]
        if next_low == low and next_high == high:
            return low, high
        low, high = next_low, next_high


@compiled(SET(SET, types.uint64, types.int64))
def line_starts(points: Set, step: Word, line: int) -> Set:
    """Return the points at which a line starts: along the row for step 1, up for the stride."""
    starts = points
    for _ in range(line - 1):
        starts = intersection(points, down(starts, step))
    return starts


@compiled(types.int64(SET, types.uint64, types.int64))
def disjoint_lines(starts: Set, step: Word, line: int) -> int:
    """Return the largest number of lines of one direction that have no point in common."""
    count = 0
    while starts[0] | starts[1]:
        taken = single(first(starts))
        for _ in range(line - 1):
            wider = up(taken, step)
            taken = (taken[0] | wider[0], taken[1] | wider[1])
        starts = without(starts, taken)
        count += 1
    return count


@compiled(types.uint64(types.uint64, types.uint64))
def _mirrored(row: Word, width: Word) -> Word:
    """Return a row with its points in reverse order."""
    row = (row >> _1) & _PAIRS[0] | (row & _PAIRS[0]) << _1
    row = (row >> _2) & _PAIRS[1] | (row & _PAIRS[1]) << _2
    row = (row >> _4) & _PAIRS[2] | (row & _PAIRS[2]) << _4
    row = (row >> _8) & _PAIRS[3] | (row & _PAIRS[3]) << _8
    row = (row >> _16) | (row & _PAIRS[4]) << _16
    return row >> (_32 - width)


@compiled(types.int64(ROWS, types.int64, types.int64, types.int64, types.int64, types.int64))
def _compare(rows: Any, one: int, one_step: int, two: int, two_step: int, height: int) -> int:
    """Compare two readings of the same region, row by row: negative if the first is less."""
    for _ in range(height):
        if rows[one] != rows[two]:
            return -1 if rows[one] < rows[two] else 1
        one += one_step
        two += two_step
    return 0


@compiled(types.uint64(types.uint64))
def _upside_down(word: Word) -> Word:
    """Return a word with its bytes in reverse order."""
    word = (word >> _8) & _OF_BYTES[0] | (word & _OF_BYTES[0]) << _8
    word = (word >> _16) & _OF_BYTES[1] | (word & _OF_BYTES[1]) << _16
    return word >> _32 | word << _32


@compiled(types.uint64(types.uint64))
def _on_side(word: Word) -> Word:
    """Return eight rows of eight points, one a byte, with rows and columns exchanged."""
    swapped = (word ^ word >> _U(7)) & _TO_TURN[0]
    word ^= swapped ^ swapped << _U(7)
    swapped = (word ^ word >> _U(14)) & _TO_TURN[1]
    word ^= swapped ^ swapped << _U(14)
    swapped = (word ^ word >> _U(28)) & _TO_TURN[2]
    return word ^ swapped ^ swapped << _U(28)


@compiled(types.uint64(types.uint64, types.uint64, types.uint64))
def _least_image(word: Word, width: Word, height: Word) -> Word:
    """Return the least of the four images of a box that is not turned on its side.

    The images have row 0 in the highest byte.
    """
    mirrored = (word >> _1) & _IN_BYTES[0] | (word & _IN_BYTES[0]) << _1
    mirrored = (mirrored >> _2) & _IN_BYTES[1] | (mirrored & _IN_BYTES[1]) << _2
    mirrored = (mirrored >> _4) & _IN_BYTES[2] | (mirrored & _IN_BYTES[2]) << _4
    mirrored >>= _8 - width
    lift = _8 * (_8 - height)
    upright = min(_upside_down(word), _upside_down(mirrored))
    return min(upright, min(word << lift, mirrored << lift))


@compiled(_SHAPE(types.uint64, types.uint64, types.uint64))
def _canonical_small(word: Word, width: Word, height: Word) -> tuple[Set, int, int, int, int]:
    """Return the same as `canonical`, for a box in the corner of eight rows of eight."""
    sign, negative = 0, 0
    if width < height:
        best = _least_image(word, width, height)
    else:
        best = _least_image(_on_side(word), height, width)
        if width > height:
            sign = 1
            width, height = height, width
        else:
            as_it_stands = _least_image(word, width, height)
            negative = 1 if best == as_it_stands else 0
            sign = 1 if best < as_it_stands else 0
            best = min(best, as_it_stands)
    low, high, at, stride = _0, _0, _0, width + _1
    while best:
        row = best >> _56
        best <<= _8
        if at < _64:
            low |= row << at
            if at:
                high |= row >> (_64 - at)
        else:
            high |= row << (at - _64)
        at += stride
    return (low, high), int(width), int(height), sign, negative


@compiled(_SHAPE(SET, types.uint64, ROWS))
def canonical(points: Set, stride: Word, rows: Any) -> tuple[Set, int, int, int, int]:
    """Return a region's canonical shape: set, width, height, sign and whether it is its negative.

    The sign is 1 if the region is the shape turned on its side. The shape is at least as high as
    wide. `rows` is scratch.
    """
    row_mask = (_1 << (stride - _1)) - _1
    rest, height, union, window = points, 0, _0, _0
    while rest[0] & row_mask == _0:
        rest = down(rest, stride)
    while rest[0] | rest[1]:
        row = rest[0] & row_mask
        rows[height] = row
        window |= row << (_8 * _U(height & 7))
        union |= row
        height += 1
        rest = down(rest, stride)
    margin = lowest(union)
    union >>= margin
    if union <= _BYTE and height <= _SMALL_SIDE:
        return _canonical_small(window >> margin, _SIDE_OF[union], _U(height))
    width = 0
    while union >> _U(width):
        width += 1
    for x in range(width):
        rows[2 * _STEP + x] = _0
    for y in range(height):
        row = rows[y] >> margin
        rows[y] = row
        rows[_STEP + y] = _mirrored(row, _U(width))
        while row:  # the region on its side
            x = lowest(row)
            row &= row - _1
            rows[_U(2 * _STEP) + x] |= _1 << _U(y)
    best, step, lying = 0, 1, 0
    if width > height:
        best, lying = 2 * _STEP, 1
        width, height = height, width
    if width == height or lying:
        for y in range(height):
            rows[3 * _STEP + y] = _mirrored(rows[2 * _STEP + y], _U(width))
    sign, negative = lying, 0
    for image in range(8):
        on_side = image >> 2
        if width != height and on_side != lying:
            continue
        base = (2 * on_side + (image & 1)) * _STEP
        image_step = 1
        if image & 2:
            base += height - 1
            image_step = -1
        order = _compare(rows, base, image_step, best, step, height)
        if order < 0:
            best, step, sign, negative = base, image_step, on_side, 0
        elif order == 0 and on_side != sign:
            negative = 1
    low, high, at = _0, _0, _0
    for _ in range(height):
        row = rows[best]
        if at < _64:
            low |= row << at
            if at:
                high |= row >> (_64 - at)
        else:
            high |= row << (at - _64)
        at += _U(width + 1)
        best += step
    return (low, high), width, height, 0 if negative else sign, negative
