"""The question whether a sum reaches a target, answered without search where possible.

A frame asks "Vertical to move: is V - H of the sum at least the target?". Small regions are
replaced by their values. Regions that cancel are removed, as are regions worth a number. The rest
is looked up in the store, and bounded by the values of its parts. With Vertical to move, the sum is
at most the sum of the parts' values with Vertical moving first in each. It is at least the sum of
their values with Horizontal moving first in all but one of them. Answers that the search finds are
stored here, too: those of a single region in its bounds, those of a sum under a key that it shares
with its negative.

Every answer has a margin: the target is exceeded by at least this, or missed by at least as much if
the margin is negative.
"""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import mixed
from linage_bot.engine.solver.budgets import FALSE, TRUE, UNKNOWN
from linage_bot.engine.solver.sums.moves import negated
from linage_bot.engine.solver.sums.records import (
    BOUNDS,
    FRAME_TYPE,
    H_HIGH,
    H_LOW,
    HEAD_TYPE,
    KNOWN,
    MOST_VALUED,
    NO_VALUE,
    NUMBERS,
    OWN_MOVES,
    REGIONS,
    V_HIGH,
    V_LOW,
    Known,
    Record,
)
from linage_bot.engine.solver.sums.replacement import NO_USE, SOME_USE, worth
from linage_bot.engine.solver.sums.store import UNBOUNDED, bounds_of, find, put
from linage_bot.engine.solver.sums.tables import (
    as_tuple,
    bound,
    keep_region,
    key_of,
    narrow_by,
    tag_of,
)
from linage_bot.engine.solver.values.forms import value_of

_U = np.uint64
_0, _FOR_CHECKS = _U(0), _U(0xD1B54A32D192ED03)


@compiled(types.void(BOUNDS, types.int64, types.int64, types.int64))
def _narrow(bounds: Any, negated_: int, limit: int, reached: int) -> None:
    """Narrow bounds by an answer: the value is at least `limit` if `reached`, else at most.

    The value is that with Vertical to move, of the negative game if `negated_`. Moving first is
    never worse than moving second, so each bound may narrow another one.
    """
    if negated_:  # with Horizontal to move the game is at most, or at least, -limit
        if reached:
            bounds[H_HIGH] = min(bounds[H_HIGH], -limit)
        else:
            bounds[H_LOW] = max(bounds[H_LOW], -limit)
    elif reached:
        bounds[V_LOW] = max(bounds[V_LOW], limit)
    else:
        bounds[V_HIGH] = min(bounds[V_HIGH], limit)
    bounds[H_HIGH] = min(bounds[H_HIGH], bounds[V_HIGH])
    bounds[V_LOW] = max(bounds[V_LOW], bounds[H_LOW])


@compiled(types.int64(REGIONS, FRAME_TYPE, NUMBERS))
def replace_by_values(regions: Any, frame: Record, tokens: Any) -> int:
    """Replace small regions by their values; return the number of a region without one, or -1."""
    for at in range(frame.tokens, frame.tokens + frame.count):
        region = regions[tokens[at] >> 1]
        if 0 < region.points <= MOST_VALUED:
            if region.value == NO_VALUE:
                return int(tokens[at] >> 1)
            tokens[at], offset = value_of(regions, tokens[at])
            frame.target -= offset
    return -1


@compiled(types.void(REGIONS, FRAME_TYPE, NUMBERS))
def _simplify(regions: Any, frame: Record, tokens: Any) -> None:
    """Remove regions that cancel and regions worth a number, and adjust the target."""
    start, count, at = frame.tokens, frame.count, 0
    while at < count:
        token = tokens[start + at]
        low = bound(regions, token, H_LOW)
        if low == bound(regions, token, V_HIGH):
            frame.target -= low
            count -= 1
            tokens[start + at] = tokens[start + count]
            continue
        opposite, other = negated(regions, token), at + 1
        while other < count and tokens[start + other] != opposite:
            other += 1
        if other < count:  # remove the later one first, so that its replacement stays in the list
            frame.target -= regions[token >> 1].odd
            count -= 1
            tokens[start + other] = tokens[start + count]
            count -= 1
            tokens[start + at] = tokens[start + count]
            continue
        at += 1
    frame.count = count


@compiled(types.int64(HEAD_TYPE, types.int64, types.int64, types.int64))
def answered(head: Record, target: int, low: int, high: int) -> int:
    """Return the answer that bounds of the value give to a question, or `UNKNOWN`.

    Stores the margin of the answer in the head.
    """
    if low >= target:
        head.margin = low - target
        return TRUE
    if high < target:
        head.margin = high - target
        return FALSE
    return UNKNOWN


@compiled(types.int64(KNOWN, FRAME_TYPE, NUMBERS))
def answer_at_once(known: Known, frame: Record, tokens: Any) -> int:
    """Return the answer to a frame's question if it needs no search, else `UNKNOWN`."""
    regions, head = known.regions, known.head
    _simplify(regions, frame, tokens)
    low, high, gain = 0, 0, 0
    for at in range(frame.tokens, frame.tokens + frame.count):
        second = bound(regions, tokens[at], H_LOW)
        low += second
        high += bound(regions, tokens[at], V_HIGH)
        gain = max(gain, bound(regions, tokens[at], V_LOW) - second)
    answer = answered(head, frame.target, low + gain, high)
    if answer != UNKNOWN or frame.count < 2:
        return int(answer)
    _name_sum(regions, frame, tokens)
    # An entry counts as used only if it answers: otherwise it would count twice where a slice ends
    # here and it is looked up again.
    data = find(known.store, frame.key, frame.tag, NO_USE)
    if not data:
        return UNKNOWN
    bounds = bounds_of(data)
    if frame.negated:
        low, high = frame.odd - bounds[H_HIGH], frame.odd - bounds[H_LOW]
    else:
        low, high = bounds[V_LOW], bounds[V_HIGH]
    answer = answered(head, frame.target, low, high)
    if answer != UNKNOWN:
        find(known.store, frame.key, frame.tag, SOME_USE)
    return int(answer)


@compiled(types.void(REGIONS, FRAME_TYPE, NUMBERS))
def _name_sum(regions: Any, frame: Record, tokens: Any) -> None:
    """Store the key and the tag of a frame's sum or of its negative in the frame.

    The one with the lesser key is taken.
    """
    key = check = negative_key = negative_check = _0
    odd = 0
    for at in range(frame.tokens, frame.tokens + frame.count):
        part = key_of(regions, tokens[at])
        key += mixed(part)
        check += mixed(part ^ _FOR_CHECKS)
        opposite = negated(regions, tokens[at])
        part = key_of(regions, opposite)
        odd += regions[opposite >> 1].odd
        negative_key += mixed(part)
        negative_check += mixed(part ^ _FOR_CHECKS)
    frame.negated = negative_key < key
    frame.key, frame.tag, frame.odd = key, tag_of(check), 0
    if frame.negated:
        frame.key, frame.tag, frame.odd = negative_key, tag_of(negative_check), odd


@compiled(types.void(KNOWN, FRAME_TYPE, NUMBERS, types.int64))
def keep_answer(known: Known, frame: Record, tokens: Any, result: int) -> None:
    """Store the answer to a frame's question."""
    head = known.head
    limit, nodes = frame.target + head.margin, head.nodes - frame.first_node
    if (result == TRUE) == (frame.phase == OWN_MOVES):  # by a move, whose nodes do not count
        nodes -= head.nodes - frame.move_node
    if frame.count == 1:
        token = tokens[frame.tokens]
        region = known.regions[token >> 1]
        _narrow(region.bounds, token & 1, limit, result)
        if region.points > MOST_VALUED:
            keep_region(known, region, nodes)
        return
    head.bounds[V_LOW] = head.bounds[H_LOW] = -UNBOUNDED
    head.bounds[V_HIGH] = head.bounds[H_HIGH] = UNBOUNDED
    data = find(known.store, frame.key, frame.tag, SOME_USE)
    if data:
        narrow_by(head.bounds, bounds_of(data))
    _narrow(head.bounds, frame.negated, limit - frame.odd, result)
    head.room -= put(known.store, frame.key, frame.tag, as_tuple(head.bounds), worth(nodes, 0, 0))
