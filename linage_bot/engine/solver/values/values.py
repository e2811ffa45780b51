"""Making canonical forms (see `forms`): of options, of sums of two, and so of small regions.

Forms are compared, and what does not change a game's value is left out of it.
"""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import mixed
from linage_bot.engine.solver.sums.moves import FOR_GOOD, list_moves, play
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
    V_HIGH,
    V_LOW,
    Known,
    bound,
    find_slot,
    key_of,
)
from linage_bot.engine.solver.values.cooling import cool
from linage_bot.engine.solver.values.forms import (
    MOST_OPTIONS,
    NOTHING,
    Full,
    negative_value,
    option,
    option_count,
    value_of,
)

_DIFFERENCE, _SUM = 1, 2  # what is known of a pair
_FAR = 1 << 30
_U = np.uint64


@compiled(types.int64(types.int64, types.int64, types.int64, types.int64))
def _place_of(kind: int, one: int, other: int, count: int) -> int:
    """Where what is known of two tokens would be; what was there before is forgotten."""
    return int(mixed(_U(one) ^ mixed(_U(other) ^ _U(kind))) & _U(count - 1))


@compiled(types.int64(KNOWN, types.int64, types.int64))
def _difference(known: Known, one: int, other: int) -> int:
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
    at = _place_of(_DIFFERENCE, one, other, len(pairs))
    entry = pairs[at]
    if entry.kind == _DIFFERENCE and entry.one == one and entry.other == other:
        return int(entry.offset)
    least = _FAR
    for i in range(option_count(regions, one, 1)):
        token, offset = option(regions, options, one, 1, i)
        least = min(least, offset - _difference(known, other, token))
    for i in range(option_count(regions, other, 0)):
        token, offset = option(regions, options, other, 0, i)
        least = min(least, -offset - _difference(known, token, one))
    if max(one, other) >> 1 < known.head.regions:  # not the one that is being made
        entry = pairs[at]
        entry.kind, entry.one, entry.other, entry.offset = _DIFFERENCE, one, other, least
    return least


@compiled(types.boolean(KNOWN, types.int64, types.int64, types.int64, types.int64))
def _at_least(known: Known, one: int, one_offset: int, other: int, other_offset: int) -> bool:
    """Whether one value is at least another, in every sum."""
    return bool(_difference(known, one, other) + one_offset >= other_offset)


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
def _reduced(known: Known, lefts: Any, count: int, whole: int) -> int:
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


@compiled(types.void(KNOWN, OPTIONS, types.int64, types.int64))
def _put_in_order(known: Known, lefts: Any, count: int, offset: int) -> None:
    """Add a number to values and sort them, the same way for every numbering."""
    regions = known.regions
    for at in range(count):
        token, moved = lefts[at].token, lefts[at].offset + offset
        key = key_of(regions, token)
        while at and (
            key_of(regions, lefts[at - 1].token) > key
            or (lefts[at - 1].token == token and lefts[at - 1].offset > moved)
        ):
            lefts[at] = lefts[at - 1]
            at -= 1
        lefts[at].token, lefts[at].offset = token, moved


@compiled(types.int64(KNOWN, OPTIONS, types.int64, OPTIONS, types.int64))
def _compare(known: Known, ones: Any, one_count: int, others: Any, other_count: int) -> int:
    """Which of two sorted lists comes first: negative if the first does, 0 if they are alike."""
    if one_count != other_count:
        return one_count - other_count
    for at in range(one_count):
        if ones[at].token != others[at].token:
            one = key_of(known.regions, ones[at].token)
            return -1 if one < key_of(known.regions, others[at].token) else 1
        if ones[at].offset != others[at].offset:
            return int(ones[at].offset - others[at].offset)
    return 0


@compiled(types.void(KNOWN, OPTIONS, types.int64, OPTIONS, types.int64))
def _write(known: Known, lefts: Any, left_count: int, negatives: Any, right_count: int) -> None:
    """Note the options of the form behind all others: Vertical's, its negative's Vertical's."""
    regions, options, start = known.regions, known.options, known.head.options
    form = regions[known.head.regions]
    form.options, form.lefts, form.rights = start, left_count, right_count
    if start + left_count + right_count > len(options):
        raise Full
    for at in range(left_count):
        options[start + at] = lefts[at]
    for at in range(right_count):
        token, offset = negative_value(regions, negatives[at].token, negatives[at].offset)
        options[start + left_count + at].token = token
        options[start + left_count + at].offset = offset


@compiled(types.int64(KNOWN, types.int64, types.int64))
def _interned(known: Known, first: int, second: int) -> int:
    """The number of the form written down behind all regions, known already or now.

    Its stops are given, with Vertical and with Horizontal first.
    """
    head, options, slots = known.head, known.options, known.slots
    form = known.regions[head.regions]
    end = form.options + form.lefts + form.rights
    low, high = mixed(_U(form.lefts)), mixed(_U(form.rights) + _U(MOST_OPTIONS))
    for at in range(form.options, end):
        word = key_of(known.regions, options[at].token) ^ mixed(_U(options[at].offset))
        low, high = mixed(low ^ word), mixed(high + word)
    form.low, form.high, form.width, form.key = low, high, 0, low
    slot = find_slot(known, low, high, 0)
    if slots[slot]:
        return int(slots[slot]) - 1
    number = int(head.regions)
    form.points, form.height, form.value, form.offset = 0, 0, 2 * number, 0
    form.bounds[V_LOW] = form.bounds[V_HIGH] = first
    form.bounds[H_LOW] = form.bounds[H_HIGH] = second
    cool(known.regions, options, number)
    slots[slot] = number + 1
    head.regions += 1
    head.options = end
    return number


@compiled(PAIR(KNOWN, OPTIONS, types.int64, OPTIONS, types.int64))
def made(
    known: Known, lefts: Any, left_count: int, negatives: Any, right_count: int
) -> tuple[int, int]:
    """The value of a game with Vertical's options, and with those of its negative's Vertical.

    If play stopped the score would be 0, which matters to a cold region only: sums of forms that
    are not hot have equal stops (docs/solver.md). Raises `Full`.
    """
    regions, first, second = known.regions, -_FAR, -_FAR
    for at in range(left_count):
        first = max(first, bound(regions, lefts[at].token, H_LOW) + lefts[at].offset)
    for at in range(right_count):
        second = max(second, bound(regions, negatives[at].token, H_LOW) + negatives[at].offset)
    second = -second
    if first <= second:
        return NOTHING, max(first, min(0, second))
    number = known.head.regions
    if number + 1 + MOST_NEW > len(regions):
        raise Full
    draft = regions[number]
    draft.negative = 0
    draft.bounds[V_LOW] = draft.bounds[V_HIGH] = first
    draft.bounds[H_LOW] = draft.bounds[H_HIGH] = second
    _write(known, lefts, left_count, negatives, right_count)
    left_count = _reduced(known, lefts, left_count, 2 * number)
    right_count = _reduced(known, negatives, right_count, 2 * number + 1)
    odd = (first - second) & 1
    offset = second + (first - second) // 2
    _put_in_order(known, lefts, left_count, -offset)
    _put_in_order(known, negatives, right_count, offset + odd)
    order = _compare(known, lefts, left_count, negatives, right_count)
    draft.negative, draft.odd = order == 0, odd if order == 0 else 0
    if order <= 0:
        _put_in_order(known, negatives, right_count, -odd)
        _write(known, lefts, left_count, negatives, right_count)
    else:  # kept as its negative
        _put_in_order(known, lefts, left_count, -odd)
        _write(known, negatives, right_count, lefts, left_count)
    high = (first - second + odd) // 2
    number = _interned(known, high, odd - high)
    return (2 * number, offset) if order <= 0 else (2 * number + 1, offset + odd)


@compiled(PAIR(KNOWN, types.int64, types.int64))
def add(known: Known, one: int, other: int) -> tuple[int, int]:
    """The value of the sum of two forms. Raises `Full`."""
    regions, options, pairs = known.regions, known.options, known.pairs
    if one > other:
        one, other = other, one
    if one == NOTHING:
        return other, 0
    opposite, odd = negative_value(regions, one, 0)
    if other == opposite:
        return NOTHING, -odd
    place = _place_of(_SUM, one, other, len(pairs))
    entry = pairs[place]
    if entry.kind == _SUM and entry.one == one and entry.other == other:
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
    entry.kind, entry.one, entry.other = _SUM, one, other
    entry.token, entry.offset = token, offset
    return token, offset


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
    region = regions[number]
    region.value, region.offset = token, offset
    first, second = bound(regions, token, V_LOW) + offset, bound(regions, token, H_LOW) + offset
    region.bounds[V_LOW] = region.bounds[V_HIGH] = first
    region.bounds[H_LOW] = region.bounds[H_HIGH] = second
    return 0
