"""Comparing forms, and leaving out of a game what does not change its value (see `forms`)."""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import mixed
from linage_bot.engine.solver.sums.tables import (
    H_LOW,
    KNOWN,
    OPTIONS,
    V_HIGH,
    Known,
    bound,
)
from linage_bot.engine.solver.values.forms import MOST_OPTIONS, option, option_count

DIFFERENCE, SUM = 1, 2  # what is known of a pair
_FAR = 1 << 30
_U = np.uint64


@compiled(types.int64(types.int64, types.int64, types.int64, types.int64))
def place_of(kind: int, one: int, other: int, count: int) -> int:
    """Where what is known of two tokens would be; what was there before is forgotten."""
    return int(mixed(_U(one) ^ mixed(_U(other) ^ _U(kind))) & _U(count - 1))


@compiled(types.int64(KNOWN, types.int64, types.int64))
def difference(known: Known, one: int, other: int) -> int:
    """What G - H is worth, two forms, with Horizontal to move."""
    regions, options, pairs = known.regions, known.options, known.pairs
    if one == other:
        return 0
    low = bound(regions, one, H_LOW) - bound(regions, other, V_HIGH)
    high = min(
        bound(regions, one, H_LOW) - bound(regions, other, H_LOW),
        bound(regions, one, V_HIGH) - bound(regions, other, V_HIGH),
    )
    if low == high:
        return low
    at = place_of(DIFFERENCE, one, other, len(pairs))
    entry = pairs[at]
    if entry.kind == DIFFERENCE and entry.one == one and entry.other == other:
        return int(entry.offset)
    least = _FAR
    for i in range(option_count(regions, one, 1)):
        token, offset = option(regions, options, one, 1, i)
        least = min(least, offset - difference(known, other, token))
    for i in range(option_count(regions, other, 0)):
        token, offset = option(regions, options, other, 0, i)
        least = min(least, -offset - difference(known, token, one))
    if max(one, other) >> 1 < known.head.regions:  # not the one that is being made
        entry = pairs[at]
        entry.kind, entry.one, entry.other, entry.offset = DIFFERENCE, one, other, least
    return least


@compiled(types.boolean(KNOWN, types.int64, types.int64, types.int64, types.int64))
def _at_least(known: Known, one: int, one_offset: int, other: int, other_offset: int) -> bool:
    """Whether one value is at least another, in every sum."""
    return bool(difference(known, one, other) + one_offset >= other_offset)


@compiled(types.int64(KNOWN, OPTIONS, types.int64))
def _without_dominated(known: Known, lefts: Any, count: int) -> int:
    """Drop dominated options of Vertical; returns how many are left."""
    at = 0
    while at < count:
        token, offset, other = lefts[at].token, lefts[at].offset, 0
        while other < count and (
            other == at
            or not _at_least(known, lefts[other].token, lefts[other].offset, token, offset)
        ):
            other += 1
        if other < count:
            count -= 1
            lefts[at] = lefts[count]
        else:
            at += 1
    return count


@compiled(types.int64(KNOWN, OPTIONS, types.int64, types.int64))
def reduced(known: Known, lefts: Any, count: int, whole: int) -> int:
    """Make Vertical's options in the game `whole` canonical; returns how many are left.

    Bypassing stops where there is no room for what comes instead: that form is right, and not
    known to be another's equal.
    """
    regions, options = known.regions, known.options
    count = _without_dominated(known, lefts, count)
    at = 0
    while at < count:
        token, offset = lefts[at].token, lefts[at].offset
        bypassed = False
        for i in range(option_count(regions, token, 1)):
            answer, more = option(regions, options, token, 1, i)
            after = option_count(regions, answer, 0)
            if count - 1 + after > MOST_OPTIONS or not _at_least(
                known, whole, 0, answer, offset + more
            ):
                continue
            count -= 1
            lefts[at] = lefts[count]
            for j in range(after):
                lefts[count].token, further = option(regions, options, answer, 0, j)
                lefts[count].offset = offset + more + further
                count += 1
            bypassed = True
            break
        if bypassed:
            count = _without_dominated(known, lefts, count)
            at = 0
        else:
            at += 1
    return count
