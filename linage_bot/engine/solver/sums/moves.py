"""Placements in a region, compiled: their legality, their priority and the regions they leave."""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.square.rings import TOGETHER
from linage_bot.engine.kernels.words import Word
from linage_bot.engine.solver.shapes import (
    SET,
    Set,
    down,
    first,
    flood,
    from_bit,
    intersection,
    line_starts,
    single,
    size,
    without,
)
from linage_bot.engine.solver.sums.records import (
    ESTIMATE_SCALE,
    H_HIGH,
    H_LOW,
    KNOWN,
    NOTHING,
    NUMBERS,
    PAIR,
    REGION_TYPE,
    REGIONS,
    V_HIGH,
    V_LOW,
    Known,
    Record,
)
from linage_bot.engine.solver.sums.tables import (
    estimate,
    intern,
    line_start_bounds,
    look_up_bounds,
    negative_value,
    shipped_value,
    stack,
)

ILLEGAL = -(1 << 30)
FOR_GOOD = -1
_U = np.uint64
_0, _1, _2, _7 = map(np.uint64, (0, 1, 2, 7))


@compiled(types.uint64(SET, types.uint64, types.uint64))
def _ring(points: Set, stride: Word, point: Word) -> Word:
    """Return which of the eight points around a point are in the set, as bits as in `rings`."""
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
    """Return the possible starts of lines through a point, which a stone on it breaks."""
    mask = single(point)
    for _ in range(line - 1):
        wider = down(mask, step)
        mask = (mask[0] | wider[0], mask[1] | wider[1])
    return mask


@compiled(types.int64(types.int64, types.int64, types.int64))
def _worth(points: int, upright: int, across: int) -> int:
    """Return the estimate of a region, free or owned, or `ILLEGAL` if it has no line."""
    if upright == 0 and across == 0:
        return ILLEGAL
    if across == 0:
        return ESTIMATE_SCALE * points
    if upright == 0:
        return -ESTIMATE_SCALE * points
    return estimate(points, upright, across)


@compiled(types.int64(SET, types.uint64, SET, SET))
def _worth_of_parts(rest: Set, stride: Word, upright: Set, across: Set) -> int:
    """Return the sum of the estimates of all parts of a set; `ILLEGAL` if one has no line."""
    total = 0
    while rest[0] | rest[1]:
        part = flood(single(first(rest)), rest, stride)
        rest = without(rest, part)
        worth = _worth(
            size(part), size(intersection(upright, part)), size(intersection(across, part))
        )
        if worth == ILLEGAL:
            return ILLEGAL
        total += worth
    return total


@compiled(types.int64(types.int64, types.int64, types.int64))
def packed(priority: int, place: int, point: int) -> int:
    """Return a move as one number: the priority in the high bits, then the place and the point."""
    return priority << 32 | place << 8 | point


@compiled(types.int64(NUMBERS, types.int64, types.int64))
def best_of(moves: Any, start: int, end: int) -> int:
    """Return the index of the greatest of the moves from `start` to before `end`."""
    best = start
    for at in range(start + 1, end):
        if moves[at] > moves[best]:
            best = at
    return best


@compiled(types.int64(REGION_TYPE, types.int64, types.int64, types.int64, NUMBERS, types.int64))
def list_moves(region: Record, line: int, favour: int, place: int, moves: Any, end: int) -> int:
    """Append the legal placements in a region to `moves`; return the new end.

    A move is one number (see `packed`), so that the greatest is the most promising one. The
    priority is the score by which moves are ordered: the gain in the estimate, for the shape's
    Vertical if `favour` is 1, for its Horizontal if it is -1.
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
                uprights - size(intersection(upright, broken_upright)),
                acrosses - size(intersection(across, broken_across)),
            )
        else:
            worth = _worth_of_parts(
                without(points, stone),
                stride,
                without(upright, broken_upright),
                without(across, broken_across),
            )
        if worth != ILLEGAL:
            priority = favour * (worth - region.estimate) + (1 << 24)
            moves[end] = packed(priority, place, point)
            end += 1
    return end


@compiled(types.int64(REGIONS, types.int64))
def negated(regions: Any, token: int) -> int:
    """Return the token of the negative game."""
    return token if regions[token >> 1].negative else token ^ 1


@compiled(SET(SET, types.uint64, types.boolean))
def _first_part(rest: Set, stride: Word, together: bool) -> Set:
    """Return the part of `rest` connected with its first point; all of it if it is `together`."""
    return rest if together else flood(single(first(rest)), rest, stride)


@compiled(PAIR(KNOWN, types.int64, types.int64, NUMBERS, types.int64, types.int64))
def play(
    known: Known, token: int, point: int, tokens: Any, start: int, end: int
) -> tuple[int, int]:
    """Place a stone and append the free regions left; return the points owned and the new end.

    The points, V - H, and the regions are as the token's players see them. For a small region whose
    value came with the program its form is appended, and its offset counts as owned. Other regions
    are put on the stack, beside those in the sum, which are the tokens from `start` to `end`. If
    `start` is `FOR_GOOD`, they get permanent numbers instead.
    """
    region, sign, line = known.regions[token >> 1], token & 1, known.head.line
    stride = _U(region.width + 1)
    together = bool(TOGETHER[_ring((region.low, region.high), stride, _U(point))])
    rest = without((region.low, region.high), single(_U(point)))
    upright = line_starts(rest, stride, line)
    across = line_starts(rest, _1, line)
    owned = 0
    while rest[0] | rest[1]:
        part = _first_part(rest, stride, together)
        rest = without(rest, part)
        if not (across[0] & part[0] | across[1] & part[1]):
            owned += size(part)
        elif not (upright[0] & part[0] | upright[1] & part[1]):
            owned -= size(part)
        else:
            at_hand, left, offset = shipped_value(known, part, stride)
            if at_hand:
                owned += offset
            elif start == FOR_GOOD:
                left = intern(known, part, stride)
            else:
                left = stack(known, part, stride, tokens, start, end)
            if sign:
                left, offset = negative_value(known.regions, left, 0)
                owned -= offset
            if left != NOTHING:
                tokens[end] = left
                end += 1
    return (-owned if sign else owned), end


@compiled(PAIR(KNOWN, types.int64, types.int64, types.boolean))
def bounds_after(known: Known, token: int, point: int, own: bool) -> tuple[int, int]:
    """Return the known bounds of a region after a stone of Vertical, if `own`, or of Horizontal.

    They are the least and the most that V - H can be with the other player to move. No region is
    added to the records.
    """
    region, sign, line = known.regions[token >> 1], token & 1, known.head.line
    points, stride = (region.low, region.high), _U(region.width + 1)
    together = bool(TOGETHER[_ring(points, stride, _U(point))])
    rest = without(points, single(_U(point)))
    upright, across = line_starts(rest, stride, line), line_starts(rest, _1, line)
    low = high = gain = 0  # all of these are of the shape, not of the token
    known.head.looked_up = _0
    to_move = V_LOW if own == (sign == 1) else H_LOW
    while rest[0] | rest[1]:
        part = _first_part(rest, stride, together)
        rest = without(rest, part)
        uprights, acrosses, count = (
            intersection(upright, part),
            intersection(across, part),
            size(part),
        )
        if not (acrosses[0] | acrosses[1]):
            low, high = low + count, high + count
        elif not (uprights[0] | uprights[1]):
            low, high = low - count, high - count
        else:
            found, bounds = look_up_bounds(known, part, stride)
            if not found:
                bounds = line_start_bounds(part, uprights, acrosses, stride, line)
            low, high = low + bounds[H_LOW], high + bounds[V_HIGH]
            if to_move == V_LOW:
                gain = max(gain, bounds[V_LOW] - bounds[H_LOW])
            else:
                gain = max(gain, bounds[V_HIGH] - bounds[H_HIGH])
    if to_move == V_LOW:
        low += gain
    else:
        high -= gain
    return (-high, -low) if sign else (low, high)
