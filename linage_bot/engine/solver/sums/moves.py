"""Placements in a region, in compiled code: which are legal, what they promise, what they leave."""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.square.rings import TOGETHER
from linage_bot.engine.kernels.words import Word
from linage_bot.engine.solver.shapes import (
    SET,
    Set,
    both,
    down,
    first,
    flood,
    from_bit,
    line_starts,
    single,
    size,
    without,
)
from linage_bot.engine.solver.sums.tables import (
    ESTIMATE_SCALE,
    KNOWN,
    NUMBERS,
    PAIR,
    REGION_TYPE,
    REGIONS,
    Known,
    Record,
    estimate,
    intern,
)

ILLEGAL = -(1 << 30)
_U = np.uint64
_0, _1, _2, _7 = map(np.uint64, (0, 1, 2, 7))


@compiled(types.uint64(SET, types.uint64, types.uint64))
def _ring(points: Set, stride: Word, point: Word) -> Word:
    """Which of the eight points around a point are in the set, as `rings` counts them."""
    corner = stride + _1
    if point >= corner:
        window = from_bit(points, point - corner)[0]
    else:
        window = points[0] << (corner - point)
    beside = window >> stride
    above = window >> (_2 * stride) & _7
    return window & _7 | (beside & _1) << _U(3) | (beside & _U(4)) << _2 | above << _U(5)


@compiled(SET(types.uint64, types.uint64, types.int64))
def _starts_through(point: Word, step: Word, line: int) -> Set:
    """The starts of the lines that a stone breaks."""
    mask = single(point)
    for _ in range(line - 1):
        wider = down(mask, step)
        mask = (mask[0] | wider[0], mask[1] | wider[1])
    return mask


@compiled(types.int64(types.int64, types.int64, types.int64))
def _worth(points: int, upright: int, across: int) -> int:
    """The estimate of a region, free or not; `ILLEGAL` for one without a line."""
    if upright == 0 and across == 0:
        return ILLEGAL
    if across == 0:
        return ESTIMATE_SCALE * points
    if upright == 0:
        return -ESTIMATE_SCALE * points
    return estimate(points, upright, across)


@compiled(types.int64(SET, types.uint64, SET, SET))
def _worth_of_parts(rest: Set, stride: Word, upright: Set, across: Set) -> int:
    """The estimates of all parts of a set together, `ILLEGAL` if one has no line."""
    total = 0
    while rest[0] | rest[1]:
        part = flood(single(first(rest)), rest, stride)
        rest = without(rest, part)
        worth = _worth(size(part), size(both(upright, part)), size(both(across, part)))
        if worth == ILLEGAL:
            return ILLEGAL
        total += worth
    return total


@compiled(types.int64(types.int64, types.int64, types.int64))
def packed(promise: int, place: int, point: int) -> int:
    """A move as one number."""
    return promise << 32 | place << 8 | point


@compiled(types.int64(REGION_TYPE, types.int64, types.int64, types.int64, NUMBERS, types.int64))
def list_moves(region: Record, line: int, favour: int, place: int, moves: Any, end: int) -> int:
    """Append the legal placements in a region to `moves`; returns the new end.

    A move is one number: its promise on top, `place` and the point below, so that the best is the
    greatest. The promise is the gain in the estimate for the shape's Vertical if `favour` is 1,
    for its Horizontal if -1.
    """
    points, stride = (region.low, region.high), _U(region.width + 1)
    upright, across = line_starts(points, stride, line), line_starts(points, _1, line)
    uprights, acrosses, count = size(upright), size(across), size(points) - 1
    rest = points
    while rest[0] | rest[1]:
        point = first(rest)
        stone = single(point)
        rest = without(rest, stone)
        broken_upright = _starts_through(point, stride, line)
        broken_across = _starts_through(point, _1, line)
        if TOGETHER[_ring(points, stride, point)]:
            worth = _worth(
                count,
                uprights - size(both(upright, broken_upright)),
                acrosses - size(both(across, broken_across)),
            )
        else:
            worth = _worth_of_parts(
                without(points, stone),
                stride,
                without(upright, broken_upright),
                without(across, broken_across),
            )
        if worth != ILLEGAL:
            promise = favour * (worth - region.estimate) + (1 << 24)
            moves[end] = packed(promise, place, point)
            end += 1
    return end


@compiled(types.int64(REGIONS, types.int64))
def negated(regions: Any, token: int) -> int:
    """The token of the negative game."""
    return token if regions[token >> 1].negative else token ^ 1


@compiled(PAIR(KNOWN, types.int64, types.int64, NUMBERS, types.int64))
def play(known: Known, token: int, point: int, tokens: Any, end: int) -> tuple[int, int]:
    """Place a stone: append what free regions are left; returns the points owned and the new end.

    Both are as the token's players see them.
    """
    region, sign, line = known.regions[token >> 1], token & 1, known.head.line
    stride = _U(region.width + 1)
    rest = without((region.low, region.high), single(_U(point)))
    upright = line_starts(rest, stride, line)
    across = line_starts(rest, _1, line)
    owned = 0
    while rest[0] | rest[1]:
        part = flood(single(first(rest)), rest, stride)
        rest = without(rest, part)
        if not (across[0] & part[0] | across[1] & part[1]):
            owned += size(part)
        elif not (upright[0] & part[0] | upright[1] & part[1]):
            owned -= size(part)
        else:
            tokens[end] = intern(known, part, stride)
            tokens[end] = negated(known.regions, tokens[end]) if sign else tokens[end]
            end += 1
    return (-owned if sign else owned), end
