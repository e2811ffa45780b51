"""Values, in canonical form, of sums of two forms and so of small regions (see `forms`)."""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.solver.sums.moves import FOR_GOOD, list_moves, play
from linage_bot.engine.solver.sums.records import (
    KNOWN,
    MOST_NEW,
    NO_VALUE,
    NOTHING,
    NUMBERS,
    OPTION,
    PAIR,
    Known,
)
from linage_bot.engine.solver.sums.tables import give_value, negative_value
from linage_bot.engine.solver.values.forms import (
    MOST_OPTIONS,
    OutOfSpace,
    option,
    option_count,
    value_of,
)
from linage_bot.engine.solver.values.making import SUM, made, place_of


@compiled(PAIR(KNOWN, types.int64, types.int64))
def add(known: Known, one: int, other: int) -> tuple[int, int]:
    """Return the value of the sum of two forms. Raises `OutOfSpace`."""
    regions, options, pairs = known.regions, known.options, known.pairs
    if one > other:
        one, other = other, one
    if one == NOTHING:
        return other, 0
    opposite, odd = negative_value(regions, one, 0)
    if other == opposite:
        return NOTHING, -odd
    place = place_of(SUM, one, other, len(pairs))
    entry = pairs[place]
    if entry.kind == SUM and entry.one == one and entry.other == other:
        return int(entry.token), int(entry.offset)
    lefts, negatives = np.empty(2 * MOST_OPTIONS, OPTION), np.empty(2 * MOST_OPTIONS, OPTION)
    counts = np.zeros(2, np.int64)
    for player in range(2):
        values = negatives if player else lefts
        for part in range(2):
            moved, still = (one, other) if part == 0 else (other, one)
            for at in range(option_count(regions, moved, player)):
                token, offset = option(regions, options, moved, player, at)
                token, more = add(known, token, still)
                offset += more
                if player:
                    token, offset = negative_value(regions, token, offset)
                value = values[counts[player]]
                value.token, value.offset = token, offset
                counts[player] += 1
    token, offset = made(known, lefts, counts[0], negatives, counts[1])
    entry = pairs[place]
    entry.kind, entry.one, entry.other = SUM, one, other
    entry.token, entry.offset = token, offset
    return token, offset


@compiled(types.int64(KNOWN, types.int64, NUMBERS))
def find_value(known: Known, number: int, missing: Any) -> int:
    """Find the value of a region, if the values of all regions after its moves are known.

    Otherwise write the numbers of the regions without a value to `missing`, and return how many
    there are. Returns 0 if the value was found. Raises `OutOfSpace`.
    """
    regions, head = known.regions, known.head
    moves, tokens = np.empty(MOST_OPTIONS, np.int64), np.empty(MOST_NEW, np.int64)
    count = list_moves(regions[number], head.line, 1, 0, moves, 0)
    lefts, negatives = np.empty(2 * MOST_OPTIONS, OPTION), np.empty(2 * MOST_OPTIONS, OPTION)
    wanted = 0
    for at in range(count):
        if head.regions + MOST_NEW > len(regions):
            raise OutOfSpace
        total, end = play(known, 2 * number, moves[at] & 0xFF, tokens, FOR_GOOD, 0)
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
    give_value(regions, regions[number], token, offset)
    return 0
