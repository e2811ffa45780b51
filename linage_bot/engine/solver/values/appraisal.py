"""Finding the values of regions from the values of what moves leave, or from another arena's."""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.solver.sums.moves import list_moves, play
from linage_bot.engine.solver.sums.tables import (
    H_HIGH,
    H_LOW,
    KNOWN,
    MOST_NEW,
    NO_VALUE,
    NUMBERS,
    OPTION,
    OPTIONS,
    PAIR,
    REGIONS,
    V_HIGH,
    V_LOW,
    Known,
    bound,
    intern,
)
from linage_bot.engine.solver.values.forms import (
    MOST_OPTIONS,
    NOTHING,
    Full,
    negative_value,
    value_of,
)
from linage_bot.engine.solver.values.values import add, made


@compiled(types.int64(KNOWN, types.int64, NUMBERS))
def appraise(known: Known, number: int, missing: Any) -> int:
    """Find the value of a region, if those of all regions that moves leave are known.

    Otherwise returns how many are `missing`, which takes their numbers. Raises `Full`.
    """
    regions, head = known.regions, known.head
    moves, tokens = np.empty(MOST_OPTIONS, np.int64), np.empty(MOST_NEW, np.int64)
    count = list_moves(regions[number], head.line, 1, 0, moves, 0)
    lefts, negatives = np.empty(2 * MOST_OPTIONS, OPTION), np.empty(2 * MOST_OPTIONS, OPTION)
    wanted = 0
    for at in range(count):
        if head.regions + MOST_NEW > len(regions):
            raise Full
        total, end = play(known, 2 * number, moves[at] & 0xFF, tokens, 0)
        whole = NOTHING
        for part in range(end):
            region = regions[tokens[part] >> 1]
            if region.value == NO_VALUE:
                missing[wanted] = tokens[part] >> 1
                wanted += 1
            elif not wanted:
                token, offset = value_of(regions, tokens[part])
                whole, more = add(known, whole, token)
                total += offset + more
        lefts[at].token, lefts[at].offset = whole, total
        negatives[at].token, negatives[at].offset = negative_value(regions, whole, total)
    if wanted:
        return wanted
    token, offset = made(known, lefts, count, negatives, count)
    region = regions[number]
    region.value, region.offset = token, offset
    first, second = bound(regions, token, V_LOW) + offset, bound(regions, token, H_LOW) + offset
    region.bounds[V_LOW] = region.bounds[V_HIGH] = first
    region.bounds[H_LOW] = region.bounds[H_HIGH] = second
    return 0


@compiled(PAIR(REGIONS, OPTIONS, types.int64, types.int64))
def translated(regions: Any, found: Any, token: int, offset: int) -> tuple[int, int]:
    """The value here of another arena's value."""
    form = found[token >> 1]
    if token & 1:
        token, more = negative_value(regions, form.token, form.offset)
        return token, offset + more
    return int(form.token), offset + int(form.offset)


@compiled(types.void(KNOWN, REGIONS, OPTIONS, OPTIONS))
def learn_forms(known: Known, others: Any, other_options: Any, found: Any) -> None:
    """Find the forms of another arena; `found` takes the value of each here.

    There must be room for all of them and their options. Forms are kept in an order of tokens,
    which are others here: so each is made anew.
    """
    lefts, negatives = np.empty(2 * MOST_OPTIONS, OPTION), np.empty(2 * MOST_OPTIONS, OPTION)
    for number in range(len(others)):
        other = others[number]
        found[number].token = found[number].offset = 0
        if other.points == 0 and other.lefts:
            for at in range(other.lefts + other.rights):
                option = other_options[other.options + at]
                token, offset = translated(known.regions, found, option.token, option.offset)
                if at < other.lefts:
                    lefts[at].token, lefts[at].offset = token, offset
                else:
                    token, offset = negative_value(known.regions, token, offset)
                    negative = negatives[at - other.lefts]
                    negative.token, negative.offset = token, offset
            token, offset = made(known, lefts, other.lefts, negatives, other.rights)
            found[number].token, found[number].offset = token, offset


@compiled(types.void(KNOWN, REGIONS, OPTIONS))
def learn(known: Known, others: Any, found: Any) -> None:
    """Take over what others know about regions; there must be room for all of them."""
    for number in range(len(others)):
        other = others[number]
        if other.points == 0:
            continue
        shape = (other.low, other.high)
        token = intern(known, shape, np.uint64(other.width + 1))
        region = known.regions[token >> 1]
        bounds = region.bounds
        bounds[V_LOW] = max(bounds[V_LOW], other.bounds[V_LOW])
        bounds[V_HIGH] = min(bounds[V_HIGH], other.bounds[V_HIGH])
        bounds[H_LOW] = max(bounds[H_LOW], other.bounds[H_LOW])
        bounds[H_HIGH] = min(bounds[H_HIGH], other.bounds[H_HIGH])
        if other.value != NO_VALUE:
            region.value, region.offset = translated(
                known.regions, found, other.value, other.offset
            )
