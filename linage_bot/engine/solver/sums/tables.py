"""Records of regions: finding a known or new region, and its bounds without search.

The records are described in `records`, the table of stored bounds in `store`.
"""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word, mixed, unmixed
from linage_bot.engine.solver.shapes import (
    SET,
    Set,
    canonical,
    disjoint_lines,
    line_starts,
    size,
)
from linage_bot.engine.solver.sums.records import (
    BOUNDS,
    ESTIMATE_SCALE,
    H_HIGH,
    H_LOW,
    KNOWN,
    MOST_VALUED,
    NO_VALUE,
    NOTHING,
    NUMBERS,
    PAIR,
    REGION_TYPE,
    REGIONS,
    STACKED,
    V_HIGH,
    V_LOW,
    Known,
    Record,
)
from linage_bot.engine.solver.sums.replacement import ANSWER, NO_USE, SOME_USE, worth
from linage_bot.engine.solver.sums.small_region_values import find_valued
from linage_bot.engine.solver.sums.store import (
    FOUR,
    HASHED,
    TAG_AT,
    Four,
    bounds_of,
    find,
    put,
)

NAME = SET  # a key and a tag
_FOUND = types.Tuple((types.boolean, FOUR))  # type: ignore[no-untyped-call]
_VALUE = types.Tuple((types.boolean, types.int64, types.int64))  # type: ignore[no-untyped-call]
_SHAPED = types.Tuple((SET, types.int64))  # type: ignore[no-untyped-call]

_LEARNT = 1 << 10  # nodes that bounds found elsewhere are assumed to have taken
_U = np.uint64
_0, _1, _61 = _U(0), _U(1), _U(61)
_SHAPE = _U((1 << 61) - 1)
_NEGATIVE, _FOR_TAGS = _U(0xA0761D6478BD642F), _U(0xD1B54A32D192ED03)
_EXTRA, _HASHED = _U(HASHED - 1), _U(HASHED)


@compiled(types.int64(types.int64, types.int64, types.int64))
def estimate(points: int, upright: int, across: int) -> int:
    """Return the scaled estimate of V - H: points * (upright - across) / (upright + across)."""
    return int(ESTIMATE_SCALE * points * (upright - across) // (upright + across))


@compiled(NAME(SET, types.int64))
def name_shape(shape: Set, width: int) -> tuple[Word, Word]:
    """Return the key and the tag of a canonical shape."""
    if shape[1] == _0 and shape[0] >> _61 == _0:  # then its width is at most seven
        return mixed(shape[0] | _U(width) << _61), _0
    key = mixed(shape[0] ^ mixed(shape[1] ^ _U(width)))
    return key, tag_of(mixed(shape[0] + mixed(shape[1] ^ _FOR_TAGS)))


@compiled(_SHAPED(types.uint64))
def shape_named(key: Word) -> tuple[Set, int]:
    """Return the canonical shape and its width from a key whose tag is 0."""
    word = unmixed(key)
    return (word & _SHAPE, _0), int(word >> _61)


@compiled(types.uint64(types.uint64))
def tag_of(check: Word) -> Word:
    """Return the tag of a game that is identified by a hash."""
    return check & _EXTRA | _HASHED


@compiled(types.uint64(REGIONS, types.int64))
def key_of(regions: Any, token: int) -> Word:
    """Return the key that identifies a token's game, the same for every numbering of regions."""
    return regions[token >> 1].key ^ (_NEGATIVE if token & 1 else _0)


@compiled(FOUR(SET, SET, SET, types.uint64, types.int64))
def line_start_bounds(points: Set, upright: Set, across: Set, stride: Word, line: int) -> Four:
    """Return bounds of a region from the starts of its lines.

    |V - H| is at most the number of points less the greatest number of disjoint lines of the enemy:
    at the end each of these lines contains a stone, or points that are not one's own.
    """
    count = size(points)
    least = disjoint_lines(upright, stride, line) - count
    most = count - disjoint_lines(across, _1, line)
    return least, most, least, most


@compiled(types.int64(REGIONS, types.int64, types.int64))
def bound(regions: Any, token: int, which: int) -> int:
    """Return one of the four bounds of a token's game."""
    if token & 1:  # the negative exchanges the movers, and low and high
        return -int(regions[token >> 1].bounds[3 - which])
    return int(regions[token >> 1].bounds[which])


@compiled(PAIR(REGIONS, types.int64, types.int64))
def stops_of(regions: Any, token: int, offset: int) -> tuple[int, int]:
    """Return the scores of a value with Vertical and with Horizontal to move."""
    return bound(regions, token, V_LOW) + offset, bound(regions, token, H_LOW) + offset


@compiled(PAIR(REGIONS, types.int64, types.int64))
def negative_value(regions: Any, token: int, offset: int) -> tuple[int, int]:
    """Return the negative of a value."""
    form = regions[token >> 1]
    if form.negative:
        return token, -offset - form.odd
    return token ^ 1, -offset


@compiled(types.void(REGIONS, REGION_TYPE, types.int64, types.int64))
def give_value(regions: Any, region: Record, token: int, offset: int) -> None:
    """Store the value of a region, and the bounds that follow from it."""
    region.value, region.offset = token, offset
    first, second = stops_of(regions, token, offset)
    region.bounds[V_LOW] = region.bounds[V_HIGH] = first
    region.bounds[H_LOW] = region.bounds[H_HIGH] = second


@compiled(types.void(KNOWN, types.int64, SET, types.int64, types.int64, types.int64))
def _fill(known: Known, number: int, points: Set, width: int, height: int, negative: int) -> None:
    """Write the record of a region, with bounds that need no search.

    The bounds of a large region are those in the store, if it has them. A small region gets its
    value if that came with the program.
    """
    region, stride, line = known.regions[number], _U(width + 1), known.head.line
    upright, across = line_starts(points, stride, line), line_starts(points, _1, line)
    region.low, region.high = points[0], points[1]
    region.width, region.height, region.negative = width, height, negative
    region.points, region.value = size(points), NO_VALUE
    region.lefts = region.rights = region.odd = 0  # the record may hold a draft of a form
    region.estimate = estimate(region.points, size(upright), size(across))
    key, tag = name_shape(points, width)
    region.key, region.tag = key, np.uint32(tag)
    large = region.points > MOST_VALUED
    data = find(known.store, key, tag, SOME_USE) if large else _0
    if data:
        bounds = bounds_of(data)
    else:
        bounds = line_start_bounds(points, upright, across, stride, line)
    for which in range(4):
        region.bounds[which] = bounds[which]
    if not large:
        value = known.values[find_valued(known.values, key)]
        if value.key:
            give_value(known.regions, region, value.token, value.offset)


@compiled(types.int64(KNOWN, types.uint64, types.uint64, types.int64))
def find_slot(known: Known, low: Word, high: Word, width: int) -> int:
    """Return the index of the slot of a shape, or of the empty slot for it.

    A form has width 0.
    """
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
    """Return the token of a free region given in any frame; its number is permanent.

    There must be room for a new region.
    """
    shape, width, height, sign, negative = canonical(points, stride, known.rows)
    slots, head = known.slots, known.head
    slot = find_slot(known, shape[0], shape[1], width)
    if slots[slot]:
        return 2 * (int(slots[slot]) - 1) + sign
    number = int(head.regions)
    head.regions += 1
    slots[slot] = number + 1
    _fill(known, number, shape, width, height, negative)
    return 2 * number + sign


@compiled(_VALUE(KNOWN, SET, types.uint64))
def shipped_value(known: Known, points: Set, stride: Word) -> tuple[bool, int, int]:
    """Return whether the value of a region came with the program, and that value.

    The region may be given in any frame.
    """
    if size(points) > MOST_VALUED:
        return False, NOTHING, 0
    shape, width, _, sign, _ = canonical(points, stride, known.rows)
    key, _ = name_shape(shape, width)
    value = known.values[find_valued(known.values, key)]
    if not value.key:
        return False, NOTHING, 0
    token, offset = int(value.token), int(value.offset)
    if sign:
        token, offset = negative_value(known.regions, token, offset)
    return True, token, offset


@compiled(types.int64(KNOWN, SET, types.uint64, NUMBERS, types.int64, types.int64))
def stack(known: Known, points: Set, stride: Word, tokens: Any, start: int, end: int) -> int:
    """Return the token of a region; a large region gets a number on the stack only.

    If the region is among the `tokens` from `start` to `end`, it has the same number as there.
    """
    if size(points) <= MOST_VALUED:
        return int(intern(known, points, stride))
    shape, width, height, sign, negative = canonical(points, stride, known.rows)
    for at in range(start, end):
        region = known.regions[tokens[at] >> 1]
        if region.low == shape[0] and region.high == shape[1] and region.width == width:
            return int(tokens[at] & ~1 | sign)
    known.head.stacked += 1
    number = int(known.head.stacked)
    _fill(known, number, shape, width, height, negative)
    return 2 * number + sign


@compiled(FOUR(BOUNDS))
def as_tuple(bounds: Any) -> Four:
    """Return the bounds of a record as a tuple."""
    return int(bounds[0]), int(bounds[1]), int(bounds[2]), int(bounds[3])


@compiled(_FOUND(KNOWN, SET, types.uint64))
def look_up_bounds(known: Known, points: Set, stride: Word) -> tuple[bool, Four]:
    """Return whether anything is known of a free region given in any frame, and its bounds.

    This does not yet count as a use of the store's entry; `credit` records a use.
    """
    at_hand, token, offset = shipped_value(known, points, stride)
    if at_hand:
        first, second = stops_of(known.regions, token, offset)
        return True, (first, first, second, second)
    shape, width, _, sign, _ = canonical(points, stride, known.rows)
    key, tag = name_shape(shape, width)
    data = find(known.store, key, tag, NO_USE)
    if not data:
        return False, (0, 0, 0, 0)
    known.head.looked_up, known.head.looked_up_tag = key, tag
    one = bounds_of(data)
    return True, (-one[3], -one[2], -one[1], -one[0]) if sign else one


@compiled(types.void(KNOWN))
def credit(known: Known) -> None:
    """Record that the entry found last by `look_up_bounds` helped to answer a question."""
    if known.head.looked_up:
        find(known.store, known.head.looked_up, known.head.looked_up_tag, ANSWER)


@compiled(types.void(KNOWN))
def index_regions(known: Known) -> None:
    """Fill an empty hash table with all regions that have permanent numbers."""
    for number in range(STACKED, known.head.regions):
        region = known.regions[number]
        known.slots[find_slot(known, region.low, region.high, region.width)] = number + 1


@compiled(types.void(BOUNDS, FOUR))
def narrow_by(bounds: Any, others: Four) -> None:
    """Narrow bounds by other bounds of the same game."""
    bounds[V_LOW] = max(bounds[V_LOW], others[V_LOW])
    bounds[V_HIGH] = min(bounds[V_HIGH], others[V_HIGH])
    bounds[H_LOW] = max(bounds[H_LOW], others[H_LOW])
    bounds[H_HIGH] = min(bounds[H_HIGH], others[H_HIGH])


@compiled(types.int64(REGION_TYPE))
def _edges(region: Record) -> int:
    """Return the number of edges of points in the outline of a region, including its holes."""
    points, stride = (region.low, region.high), _U(region.width + 1)
    inside = size(line_starts(points, _1, 2)) + size(line_starts(points, stride, 2))
    return int(4 * region.points - 2 * inside)


@compiled(types.void(KNOWN, REGION_TYPE, types.int64))
def keep_region(known: Known, region: Record, nodes: int) -> None:
    """Put the bounds of a region, found by a search of `nodes` nodes, into the store."""
    data = find(known.store, region.key, _U(region.tag), SOME_USE)
    if data:
        narrow_by(region.bounds, bounds_of(data))
    value = worth(nodes, region.points, _edges(region))
    known.head.room -= put(known.store, region.key, _U(region.tag), as_tuple(region.bounds), value)


@compiled(types.void(KNOWN, types.int64))
def refresh(known: Known, number: int) -> None:
    """Narrow the bounds of a region by those in the store."""
    region = known.regions[number]
    data = find(known.store, region.key, _U(region.tag), SOME_USE)
    if data:
        narrow_by(region.bounds, bounds_of(data))


@compiled(types.void(KNOWN, REGIONS))
def learn(known: Known, others: Any) -> None:
    """Put bounds of large regions that were found elsewhere into the store."""
    for number in range(len(others)):
        keep_region(known, others[number], _LEARNT)


@compiled(types.int64(KNOWN, types.int64, REGIONS))
def list_kept(known: Known, most_points: int, found: Any) -> int:
    """List the regions of at most `most_points` points in the store; return their number.

    Only as many as fit are written into `found`. Regions that are identified by a hash are omitted,
    as their shapes are unknown.
    """
    count = 0
    store = known.store
    for at in range(0, len(store), 2):
        data = store[at + 1]
        if data == _0 or data >> TAG_AT:
            continue
        shape, width = shape_named(store[at] ^ data)
        if size(shape) > most_points:
            continue
        if count < len(found):
            found[count].low, found[count].high, found[count].width = shape[0], shape[1], width
            found[count].points, found[count].value = size(shape), NO_VALUE
            bounds = bounds_of(data)
            for which in range(4):
                found[count].bounds[which] = bounds[which]
            found[count].key, found[count].tag = store[at] ^ data, 0
        count += 1
    return count
