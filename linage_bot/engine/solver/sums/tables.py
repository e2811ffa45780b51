"""What the solver works with: the regions that are on its stack, small ones, and their values.

A region is the same for all its images (`shapes`); a *token* `2 * number + sign` names one of
them, sign 1 being the negative game. Bounds are of V - H under best play of the region alone, with
Vertical and with Horizontal to move and no pass before.
A small region has a value besides, and the forms that values have (`forms`) stand among the
regions. Small regions, forms and what Python asks about have their numbers for good. Others have
one as long as they are on the stack of the search; what is known of them is in the `store`.
"""

from typing import Any, NamedTuple, TypeAlias

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word, mixed, unmixed
from linage_bot.engine.solver.shapes import (
    ROWS,
    SET,
    Set,
    canonical,
    disjoint_lines,
    line_starts,
    size,
)
from linage_bot.engine.solver.sums.store import (
    FOUR,
    HASHED,
    STORE,
    TAG_AT,
    Four,
    bounds_of,
    find,
    look_up,
    put,
)

V_LOW, V_HIGH, H_LOW, H_HIGH = range(4)  # of Vertical to move, of Horizontal to move
ESTIMATE_SCALE = 64  # estimates are in points times this
HEAT_SCALE = 1 << 12  # means and temperatures
MOST_NEW = 4  # regions that one placement can make
MARKS = 1 + (1 << 12)  # words, the first of them for an order to stop
STACKED = 1 << 10  # the first number for good but 0: those before are of regions on the stack
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
        ("tag", np.uint32),  # with the key, what it is known by in the store
        ("key", np.uint64),  # the same in every process, and for every numbering
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
HEAD = np.dtype(
    [
        ("line", np.int64),
        ("regions", np.int64),  # how many are known, forms among them
        ("options", np.int64),  # of all forms
        ("stacked", np.int64),  # the last number in use on the stack
        ("room", np.int64),  # how many more entries the store takes until it is to grow
        ("bounds", np.int16, 4),  # scratch
        ("depth", np.int64),  # of the search; -1: over
        ("result", np.int64),  # what the frame above returned
        ("margin", np.int64),  # how much more than asked its value is at least, or less, if < 0
        ("nodes", np.int64),
        ("wanted", np.int64),  # a region without the value that it should have
        ("glanced", np.uint64),  # the key of the large region that was glanced at last, 0: of none
        ("glanced_tag", np.uint64),
    ],
    align=True,
)
FRAME = np.dtype(
    [
        ("key", np.uint64),  # of the sum
        ("tag", np.uint64),
        ("first_node", np.int64),
        ("stacked", np.int64),  # as in the head, before its own regions
        ("negated", np.int64),  # whether the sum is kept as its negative
        ("odd", np.int64),  # what that is more than the negative
        ("target", np.int64),
        ("phase", np.int64),
        ("tokens", np.int64),  # where its tokens begin
        ("count", np.int64),
        ("moves", np.int64),  # where its moves begin, and end
        ("moves_end", np.int64),
        ("margin", np.int64),  # what is known of the best move so far, as in the head
        ("before", np.int64),  # and was, of the phase before
        ("mark", np.uint64),  # of the move that is being searched, 0 if it has none
        ("tried", np.int64),  # whether any move has been searched
    ],
    align=True,
)

REGION_TYPE = numba.from_dtype(REGION)
HEAD_TYPE = numba.from_dtype(HEAD)
FRAME_TYPE = numba.from_dtype(FRAME)
REGIONS = types.Array(REGION_TYPE, 1, "C")
FRAMES = types.Array(FRAME_TYPE, 1, "C")
OPTIONS = types.Array(numba.from_dtype(OPTION), 1, "C")
KNOWN_PAIRS = types.Array(numba.from_dtype(KNOWN_PAIR), 1, "C")
SLOTS = types.Array(types.int32, 1, "C")  # of the hash table of regions: number + 1, or 0
NUMBERS = types.Array(types.int64, 1, "C")
WORDS = types.Array(types.uint64, 1, "C")


class Known(NamedTuple):
    """What is known of regions and their values, as compiled code is given it."""

    regions: Any
    slots: Any
    options: Any
    pairs: Any
    head: Any
    rows: Any  # scratch
    store: Any
    marks: Any  # what threads are searching, beginning with a word that stops all; else that alone


KNOWN = types.NamedTuple(  # type: ignore[no-untyped-call]  # Numba's
    (REGIONS, SLOTS, OPTIONS, KNOWN_PAIRS, HEAD_TYPE, ROWS, STORE, WORDS), Known
)
NAME = SET  # a key and a tag
PAIR = types.UniTuple(types.int64, 2)  # type: ignore[no-untyped-call]  # Numba's
BOUNDS = types.NestedArray(types.int16, (4,))
_FOUND = types.Tuple((types.boolean, FOUR))  # type: ignore[no-untyped-call]
_SHAPED = types.Tuple((SET, types.int64))  # type: ignore[no-untyped-call]
Record: TypeAlias = Any

_WORTH_OF_ANSWER = 2  # to a question that would have been searched
_MOST_LEARNT = 1 << 10  # nodes that bounds are thought to have taken that were found elsewhere
_U = np.uint64
_0, _1, _61 = _U(0), _U(1), _U(61)
_SHAPE = _U((1 << 61) - 1)
_NEGATIVE, _FOR_TAGS = _U(0xA0761D6478BD642F), _U(0xD1B54A32D192ED03)
_EXTRA, _HASHED = _U(HASHED - 1), _U(HASHED)


@compiled(types.int64(types.int64, types.int64, types.int64))
def estimate(points: int, upright: int, across: int) -> int:
    """The cheap estimate of a region's V - H, scaled: the share of its lines, for all points."""
    return int(ESTIMATE_SCALE * points * (upright - across) // (upright + across))


@compiled(NAME(SET, types.int64))
def name_shape(shape: Set, width: int) -> tuple[Word, Word]:
    """The key and the tag of a canonical shape."""
    if shape[1] == _0 and shape[0] >> _61 == _0:  # then it is at most seven wide
        return mixed(shape[0] | _U(width) << _61), _0
    key = mixed(shape[0] ^ mixed(shape[1] ^ _U(width)))
    return key, tag_of(mixed(shape[0] + mixed(shape[1] ^ _FOR_TAGS)))


@compiled(_SHAPED(types.uint64))
def shape_named(key: Word) -> tuple[Set, int]:
    """The canonical shape, and its width, of a key without a tag."""
    word = unmixed(key)
    return (word & _SHAPE, _0), int(word >> _61)


@compiled(types.uint64(types.uint64))
def tag_of(check: Word) -> Word:
    """The tag of what is known by a hash."""
    return check & _EXTRA | _HASHED


@compiled(types.uint64(REGIONS, types.int64))
def key_of(regions: Any, token: int) -> Word:
    """What tells a token's game from all others, by which numbers they may be known."""
    return regions[token >> 1].key ^ (_NEGATIVE if token & 1 else _0)


@compiled(FOUR(SET, SET, SET, types.uint64, types.int64))
def at_first_sight(points: Set, upright: Set, across: Set, stride: Word, line: int) -> Four:
    """Bounds of a region from the starts of its lines.

    |V - H| is at most the points less the most disjoint lines of the enemy: in each of them lies
    a stone at the end, or points that are not one's own.
    """
    count = size(points)
    least = disjoint_lines(upright, stride, line) - count
    most = count - disjoint_lines(across, _1, line)
    return least, most, least, most


@compiled(types.void(KNOWN, types.int64, SET, types.int64, types.int64, types.int64, types.boolean))
def _fill(
    known: Known, number: int, points: Set, width: int, height: int, negative: int, large: bool
) -> None:
    """Write down a region with what can be said of it at once, if it is large by the store."""
    region, stride, line = known.regions[number], _U(width + 1), known.head.line
    upright, across = line_starts(points, stride, line), line_starts(points, _1, line)
    region.low, region.high = points[0], points[1]
    region.width, region.height, region.negative = width, height, negative
    region.points, region.value = size(points), NO_VALUE
    region.lefts = region.rights = region.odd = 0  # the record may hold a draft of a form
    region.estimate = estimate(region.points, size(upright), size(across))
    key, tag = name_shape(points, width)
    region.key, region.tag = key, np.uint32(tag)
    data = look_up(known.store, key, tag) if large else _0
    if data:
        bounds = bounds_of(data)
    else:
        bounds = at_first_sight(points, upright, across, stride, line)
    for which in range(4):
        region.bounds[which] = bounds[which]


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
    """The token of a free region given in any frame, for good; there must be room for a new one."""
    shape, width, height, sign, negative = canonical(points, stride, known.rows)
    slots, head = known.slots, known.head
    slot = find_slot(known, shape[0], shape[1], width)
    if slots[slot]:
        return 2 * (int(slots[slot]) - 1) + sign
    number = int(head.regions)
    head.regions += 1
    slots[slot] = number + 1
    _fill(known, number, shape, width, height, negative, size(points) > MOST_VALUED)
    return 2 * number + sign


@compiled(types.int64(KNOWN, SET, types.uint64, NUMBERS, types.int64, types.int64))
def stack(known: Known, points: Set, stride: Word, tokens: Any, start: int, end: int) -> int:
    """The token of a region, which if it is large is on the stack only.

    It has the number that it has among the `tokens` from `start` to `end`, if it is there.
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
    _fill(known, number, shape, width, height, negative, True)
    return 2 * number + sign


@compiled(FOUR(BOUNDS))
def four(bounds: Any) -> Four:
    """The bounds of a record."""
    return int(bounds[0]), int(bounds[1]), int(bounds[2]), int(bounds[3])


@compiled(_FOUND(KNOWN, SET, types.uint64))
def glance(known: Known, points: Set, stride: Word) -> tuple[bool, Four]:
    """Whether anything is known of a free region given in any frame, and its bounds.

    That is no use of it yet; `credit` notes one.
    """
    shape, width, _, sign, _ = canonical(points, stride, known.rows)
    if size(points) <= MOST_VALUED:
        number = int(known.slots[find_slot(known, shape[0], shape[1], width)]) - 1
        if number < 0:
            return False, (0, 0, 0, 0)
        one = four(known.regions[number].bounds)
    else:
        key, tag = name_shape(shape, width)
        data = find(known.store, key, tag, 0)
        if not data:
            return False, (0, 0, 0, 0)
        known.head.glanced, known.head.glanced_tag = key, tag
        one = bounds_of(data)
    return True, (-one[3], -one[2], -one[1], -one[0]) if sign else one


@compiled(types.void(KNOWN))
def credit(known: Known) -> None:
    """Note that a question was answered by what was glanced at."""
    if known.head.glanced:
        find(known.store, known.head.glanced, known.head.glanced_tag, _WORTH_OF_ANSWER)


@compiled(types.void(KNOWN))
def index_regions(known: Known) -> None:
    """Fill an empty hash table with all regions that have their numbers for good."""
    for number in range(STACKED, known.head.regions):
        region = known.regions[number]
        known.slots[find_slot(known, region.low, region.high, region.width)] = number + 1


@compiled(types.void(BOUNDS, FOUR))
def narrow_by(bounds: Any, others: Four) -> None:
    """Take over what is known elsewhere."""
    bounds[V_LOW] = max(bounds[V_LOW], others[V_LOW])
    bounds[V_HIGH] = min(bounds[V_HIGH], others[V_HIGH])
    bounds[H_LOW] = max(bounds[H_LOW], others[H_LOW])
    bounds[H_HIGH] = min(bounds[H_HIGH], others[H_HIGH])


@compiled(types.void(KNOWN, REGION_TYPE, types.int64))
def keep_region(known: Known, region: Record, nodes: int) -> None:
    """Put into the store what is known of a region, which took so many nodes."""
    data = look_up(known.store, region.key, _U(region.tag))
    if data:
        narrow_by(region.bounds, bounds_of(data))
    known.head.room -= put(known.store, region.key, _U(region.tag), four(region.bounds), nodes)


@compiled(types.void(KNOWN, types.int64))
def refresh(known: Known, number: int) -> None:
    """Take over what the store knows of a region."""
    region = known.regions[number]
    data = look_up(known.store, region.key, _U(region.tag))
    if data:
        narrow_by(region.bounds, bounds_of(data))


@compiled(types.void(KNOWN, REGIONS))
def learn(known: Known, others: Any) -> None:
    """Take over bounds that others know of regions; there must be room for all that are small."""
    for number in range(len(others)):
        other = others[number]
        if other.points > MOST_VALUED:
            keep_region(known, other, _MOST_LEARNT)
        elif other.points:
            token = intern(known, (other.low, other.high), _U(other.width + 1))
            narrow_by(known.regions[token >> 1].bounds, four(other.bounds))


@compiled(types.int64(KNOWN, types.int64, REGIONS))
def list_kept(known: Known, most_points: int, found: Any) -> int:
    """Write down the regions of so few points in the store; returns how many there are.

    As many as there is room for in `found`. Of those known by a hash nobody knows the shape.
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


@compiled(types.int64(REGIONS, types.int64, types.int64))
def bound(regions: Any, token: int, which: int) -> int:
    """One of the four bounds of a token's game."""
    if token & 1:  # of the negative the movers change places, and low becomes high
        return -int(regions[token >> 1].bounds[3 - which])
    return int(regions[token >> 1].bounds[which])
