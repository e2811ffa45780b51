"""What a sum is known to be worth without search, and keeping what search finds (see `search`).

Small regions give way to their values; regions that cancel go, and so do those worth a number.
What is left is looked up in the table of sums, and bounded by what its parts are worth: with
Vertical to move at most what they are to Vertical moving first in each, and at least what they are
with Horizontal first in all but one of them.
"""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import mixed
from linage_bot.engine.solver.effort import FALSE, TRUE, UNKNOWN
from linage_bot.engine.solver.sums.moves import negated
from linage_bot.engine.solver.sums.tables import (
    BOUNDS,
    FRAME_TYPE,
    H_HIGH,
    H_LOW,
    HEAD_TYPE,
    MOST_VALUED,
    NO_VALUE,
    NUMBERS,
    REGIONS,
    SUMS,
    V_HIGH,
    V_LOW,
    Record,
    bound,
    find_sum,
)
from linage_bot.engine.solver.values.forms import value_of

_MOST = 1 << 14  # no value is as large
_U = np.uint64
_0, _FOR_CHECKS = _U(0), _U(0xD1B54A32D192ED03)


@compiled(types.void(BOUNDS, types.int64, types.int64, types.int64))
def _narrow(bounds: Any, negated_: int, target: int, reached: int) -> None:
    """Note that with Vertical to move the value is, or is not, at least the target.

    Moving first is never worse than moving second, so each bound may narrow another.
    """
    if negated_:  # Horizontal to move on the negative: at most -target, or above it
        if reached:
            bounds[H_HIGH] = min(bounds[H_HIGH], -target)
        else:
            bounds[H_LOW] = max(bounds[H_LOW], 1 - target)
    elif reached:
        bounds[V_LOW] = max(bounds[V_LOW], target)
    else:
        bounds[V_HIGH] = min(bounds[V_HIGH], target - 1)
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


@compiled(types.int64(REGIONS, SUMS, FRAME_TYPE, NUMBERS))
def look_up(regions: Any, sums: Any, frame: Record, tokens: Any) -> int:
    """Answer a frame's question without search, if that can be."""
    _simplify(regions, frame, tokens)
    low, high, gain = 0, 0, 0
    for at in range(frame.tokens, frame.tokens + frame.count):
        second = bound(regions, tokens[at], H_LOW)
        low += second
        high += bound(regions, tokens[at], V_HIGH)
        gain = max(gain, bound(regions, tokens[at], V_LOW) - second)
    if low + gain >= frame.target:
        return TRUE
    if high < frame.target:
        return FALSE
    if frame.count < 2:
        return UNKNOWN
    key = check = negative_key = negative_check = _0
    odd = 0
    for at in range(frame.tokens, frame.tokens + frame.count):
        key += mixed(_U(tokens[at]))
        check += mixed(_U(tokens[at]) ^ _FOR_CHECKS)
        opposite = negated(regions, tokens[at])
        odd += regions[opposite >> 1].odd
        negative_key += mixed(_U(opposite))
        negative_check += mixed(_U(opposite) ^ _FOR_CHECKS)
    frame.negated = negative_key < key
    frame.key, frame.check, frame.odd = key, check, 0
    if frame.negated:
        frame.key, frame.check, frame.odd = negative_key, negative_check, odd
    known = sums[find_sum(sums, frame.key, frame.check)]
    if known.used:
        low, high = int(known.bounds[V_LOW]), int(known.bounds[V_HIGH])
        if frame.negated:
            low, high = odd - int(known.bounds[H_HIGH]), odd - int(known.bounds[H_LOW])
        if low >= frame.target:
            return TRUE
        if high < frame.target:
            return FALSE
    return UNKNOWN


@compiled(types.void(REGIONS, SUMS, HEAD_TYPE, FRAME_TYPE, NUMBERS, types.int64))
def store(regions: Any, sums: Any, head: Record, frame: Record, tokens: Any, result: int) -> None:
    """Keep what a frame found."""
    if frame.count == 1:
        token = tokens[frame.tokens]
        _narrow(regions[token >> 1].bounds, token & 1, frame.target, result)
        return
    known = sums[find_sum(sums, frame.key, frame.check)]
    if not known.used:
        known.used, known.key, known.check = 1, frame.key, frame.check
        known.bounds[V_LOW] = known.bounds[H_LOW] = -_MOST
        known.bounds[V_HIGH] = known.bounds[H_HIGH] = _MOST
        head.sums += 1
    _narrow(known.bounds, frame.negated, frame.target - frame.odd, result)
