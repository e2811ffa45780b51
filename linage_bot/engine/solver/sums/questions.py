"""A question whether a sum is worth so much, answered without search where that can be.

A frame asks "Vertical to move: is V - H of the sum at least the target?". Small regions give way to
their values; regions that cancel go, and so do those worth a number. What is left is looked up in
the store, and bounded by what its parts are worth: with Vertical to move at most what they are to
Vertical moving first in each, and at least what they are with Horizontal first in all but one of
them. What the search finds is kept here, too: of a region by itself in its bounds, of a sum by a
name that it shares with its negative.

Every answer has a margin, by how much the target is at least reached, or missed if it is negative.
"""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import mixed
from linage_bot.engine.solver.effort import FALSE, TRUE, UNKNOWN
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
from linage_bot.engine.solver.sums.store import UNBOUNDED, bounds_of, find, put
from linage_bot.engine.solver.sums.tables import bound, four, keep_region, key_of, narrow_by, tag_of
from linage_bot.engine.solver.sums.worth import NO_USE, SOME_USE, worth
from linage_bot.engine.solver.values.forms import value_of

_U = np.uint64
_0, _FOR_CHECKS = _U(0), _U(0xD1B54A32D192ED03)


@compiled(types.void(BOUNDS, types.int64, types.int64, types.int64))
def _narrow(bounds: Any, negated_: int, limit: int, reached: int) -> None:
    """Note that with Vertical to move the value is at least the limit if `reached`, or at most.

    Moving first is never worse than moving second, so each bound may narrow another.
    """
    if negated_:  # Horizontal to move on the negative: at most -limit, or at least that
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
    """Put values in the place of small regions; the number of a region that has none, or -1."""
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
    """Take away regions that cancel, and those worth a number, which the target takes over."""
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
        if other < count:  # the later one first, so that what replaces it stays in the list
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
    """The answer that bounds of the value give to a question, if they do, and its margin."""
    if low >= target:
        head.margin = low - target
        return TRUE
    if high < target:
        head.margin = high - target
        return FALSE
    return UNKNOWN


@compiled(types.int64(KNOWN, FRAME_TYPE, NUMBERS))
def answer_at_once(known: Known, frame: Record, tokens: Any) -> int:
    """Answer a frame's question without search, if that can be."""
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
    # Of use only if it answers: what does not is looked up again where a slice ends here, and would
    # count twice.
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
    """Note the key and the tag of a sum or of its negative, whichever has the lesser key."""
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
    """Keep what a frame found."""
    head = known.head
    limit, nodes = frame.target + head.margin, head.nodes - frame.first_node
    if (result == TRUE) == (frame.phase == OWN_MOVES):  # by a move
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
    head.room -= put(known.store, frame.key, frame.tag, four(head.bounds), worth(nodes, 0, 0))
