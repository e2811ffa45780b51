"""What the solver knows, in arrays that grow: every region met, and bounds of sums of them.

A region is kept once for all its images (`shapes`); a *token* `2 * number + sign` names one of
them, sign 1 being the negative game. Bounds are of V - H under best play of the region alone, with
Vertical and with Horizontal to move and no pass before.
A small region has a value besides, and the forms that values have (`forms`) stand among the
regions.
"""

from typing import Any, NamedTuple, TypeAlias

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word, mixed
from linage_bot.engine.solver.shapes import (
    ROWS,
    SET,
    Set,
    canonical,
    disjoint_lines,
    line_starts,
    size,
)

V_LOW, V_HIGH, H_LOW, H_HIGH = range(4)  # of Vertical to move, of Horizontal to move
ESTIMATE_SCALE = 64  # estimates are in points times this
HEAT_SCALE = 1 << 12  # means and temperatures
MOST_NEW = 4  # regions that one placement can make
MOST_VALUED = 10  # points of a region that is worth the finding of its value
NO_VALUE = -1

REGION = np.dtype(
    [
        ("low", np.uint64),  # the canonical shape, as a set in its frame; a hash of a form
        ("high", np.uint64),
        ("estimate", np.int32),
        ("bounds", np.int16, 4),
        ("points", np.uint8),  # 0: a form
        ("width", np.uint8),
        ("height", np.uint8),
        ("negative", np.uint8),  # whether the region is its own negative
        ("value", np.int32),  # the token of its form, or `NO_VALUE`
        ("offset", np.int16),  # what its value is more than the form
        ("mean", np.int32),  # of a form, scaled
        ("temperature", np.int32),
        ("odd", np.uint8),  # of a form that is its own negative: what the two add up to
        ("lefts", np.uint8),  # how many options Vertical has, and Horizontal
        ("rights", np.uint8),
        ("options", np.int32),  # where they begin
    ],
    align=True,
)
OPTION = np.dtype(  # a value, and what moving there gains
    [("token", np.int32), ("offset", np.int32), ("gain", np.int32)], align=True
)
KNOWN_PAIR = np.dtype(
    [
        ("kind", np.int32),
        ("one", np.int32),  # two forms
        ("other", np.int32),
        ("token", np.int32),  # the value found
        ("offset", np.int32),
    ],
    align=True,
)
SUM = np.dtype(
    [("key", np.uint64), ("check", np.uint64), ("bounds", np.int16, 4), ("used", np.int64)],
    align=True,
)
HEAD = np.dtype(
    [
        ("line", np.int64),
        ("regions", np.int64),  # how many are known, forms among them
        ("options", np.int64),  # of all forms
        ("sums", np.int64),
        ("depth", np.int64),  # of the search; -1: over
        ("result", np.int64),  # what the frame above returned
        ("nodes", np.int64),
        ("wanted", np.int64),  # a region without the value that it should have
    ],
    align=True,
)
FRAME = np.dtype(
    [
        ("key", np.uint64),  # of the sum
        ("check", np.uint64),
        ("negated", np.int64),  # whether the sum is kept as its negative
        ("odd", np.int64),  # what that is more than the negative
        ("target", np.int64),
        ("phase", np.int64),
        ("tokens", np.int64),  # where its tokens begin
        ("count", np.int64),
        ("moves", np.int64),  # where its moves begin, and end
        ("moves_end", np.int64),
    ],
    align=True,
)

REGION_TYPE = numba.from_dtype(REGION)
HEAD_TYPE = numba.from_dtype(HEAD)
FRAME_TYPE = numba.from_dtype(FRAME)
REGIONS = types.Array(REGION_TYPE, 1, "C")
SUMS = types.Array(numba.from_dtype(SUM), 1, "C")
FRAMES = types.Array(FRAME_TYPE, 1, "C")
OPTIONS = types.Array(numba.from_dtype(OPTION), 1, "C")
KNOWN_PAIRS = types.Array(numba.from_dtype(KNOWN_PAIR), 1, "C")
SLOTS = types.Array(types.int32, 1, "C")  # of the hash table of regions: number + 1, or 0
NUMBERS = types.Array(types.int64, 1, "C")


class Known(NamedTuple):
    """What is known of regions and their values, as compiled code is given it."""

    regions: Any
    slots: Any
    options: Any
    pairs: Any
    head: Any
    rows: Any  # scratch


KNOWN = types.NamedTuple(  # type: ignore[no-untyped-call]  # Numba's
    (REGIONS, SLOTS, OPTIONS, KNOWN_PAIRS, HEAD_TYPE, ROWS), Known
)
PAIR = types.UniTuple(types.int64, 2)  # type: ignore[no-untyped-call]  # Numba's
BOUNDS = types.NestedArray(types.int16, (4,))
Record: TypeAlias = Any

_U = np.uint64
_1 = _U(1)


@compiled(types.int64(types.int64, types.int64, types.int64))
def estimate(points: int, upright: int, across: int) -> int:
    """The cheap estimate of a region's V - H, scaled: the share of its lines, for all points."""
    return int(ESTIMATE_SCALE * points * (upright - across) // (upright + across))


@compiled(types.void(REGION_TYPE, SET, types.int64, types.int64, types.int64, types.int64))
def _fill(region: Record, points: Set, width: int, height: int, negative: int, line: int) -> None:
    """Write down a new region with what can be said of it at once.

    |V - H| is at most the points less the most disjoint lines of the enemy: in each of them lies
    a stone at the end, or points that are not one's own.
    """
    stride = _U(width + 1)
    upright, across = line_starts(points, stride, line), line_starts(points, _1, line)
    count = size(points)
    region.low, region.high = points[0], points[1]
    region.width, region.height, region.negative = width, height, negative
    region.points, region.value = count, NO_VALUE
    region.lefts = region.rights = region.odd = 0  # the record may hold a draft of a form
    region.estimate = estimate(count, size(upright), size(across))
    most = count - disjoint_lines(across, _1, line)
    least = disjoint_lines(upright, stride, line) - count
    region.bounds[V_LOW], region.bounds[V_HIGH] = least, most
    region.bounds[H_LOW], region.bounds[H_HIGH] = least, most


@compiled(types.int64(KNOWN, types.uint64, types.uint64, types.int64))
def find_slot(known: Known, low: Word, high: Word, width: int) -> int:
    """Where the number of a shape is, or would be put; of a form with width 0."""
    slots = known.slots
    mask = len(slots) - 1
    slot = np.int64(mixed(low ^ mixed(high ^ _U(width))) & _U(mask))
    while slots[slot]:
        region = known.regions[slots[slot] - 1]
        if region.low == low and region.high == high and region.width == width:
            break
        slot = (slot + 1) & mask
    return int(slot)


@compiled(types.int64(KNOWN, SET, types.uint64))
def intern(known: Known, points: Set, stride: Word) -> int:
    """The token of a free region given in any frame; there must be room for a new one."""
    shape, width, height, sign, negative = canonical(points, stride, known.rows)
    slots, head = known.slots, known.head
    slot = find_slot(known, shape[0], shape[1], width)
    if slots[slot]:
        return 2 * (int(slots[slot]) - 1) + sign
    number = int(head.regions)
    head.regions += 1
    slots[slot] = number + 1
    _fill(known.regions[number], shape, width, height, negative, head.line)
    return 2 * number + sign


@compiled(types.void(KNOWN))
def index_regions(known: Known) -> None:
    """Fill an empty hash table with all regions known."""
    for number in range(known.head.regions):
        region = known.regions[number]
        known.slots[find_slot(known, region.low, region.high, region.width)] = number + 1


@compiled(types.void(KNOWN, REGIONS))
def learn(known: Known, others: Any) -> None:
    """Take over bounds that others know of regions; there must be room for all of them."""
    for number in range(len(others)):
        other = others[number]
        if other.points == 0:
            continue
        token = intern(known, (other.low, other.high), _U(other.width + 1))
        bounds = known.regions[token >> 1].bounds
        bounds[V_LOW] = max(bounds[V_LOW], other.bounds[V_LOW])
        bounds[V_HIGH] = min(bounds[V_HIGH], other.bounds[V_HIGH])
        bounds[H_LOW] = max(bounds[H_LOW], other.bounds[H_LOW])
        bounds[H_HIGH] = min(bounds[H_HIGH], other.bounds[H_HIGH])


@compiled(types.int64(REGIONS, types.int64, types.int64))
def bound(regions: Any, token: int, which: int) -> int:
    """One of the four bounds of a token's game."""
    if token & 1:  # of the negative the movers change places, and low becomes high
        return -int(regions[token >> 1].bounds[3 - which])
    return int(regions[token >> 1].bounds[which])


@compiled(types.int64(SUMS, types.uint64, types.uint64))
def find_sum(sums: Any, key: Word, check: Word) -> int:
    """Where a sum is, or would be put; the table always has an unused place."""
    mask = len(sums) - 1
    at = np.int64(key & _U(mask))
    while sums[at].used and (sums[at].key != key or sums[at].check != check):
        at = (at + 1) & mask
    return int(at)


@compiled(types.void(SUMS, SUMS))
def move_sums(sums: Any, larger: Any) -> None:
    """Copy all sums to another, empty table."""
    for at in range(len(sums)):
        if sums[at].used:
            larger[find_sum(larger, sums[at].key, sums[at].check)] = sums[at]
