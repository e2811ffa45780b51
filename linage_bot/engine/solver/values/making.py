"""The making of canonical forms (see `forms`) from the options of both players.

Forms are compared, and options that do not change a game's value are removed.
"""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import mixed
from linage_bot.engine.solver.sums.records import (
    H_HIGH,
    H_LOW,
    KNOWN,
    MOST_NEW,
    NOTHING,
    NUMBERS,
    OPTIONS,
    PAIR,
    V_HIGH,
    V_LOW,
    Known,
)
from linage_bot.engine.solver.sums.tables import bound, find_slot, key_of, negative_value
from linage_bot.engine.solver.values.cooling import cool
from linage_bot.engine.solver.values.forms import (
    MOST_OPTIONS,
    OutOfSpace,
    option,
    option_count,
)

FORMS = types.Array(types.int64, 2, "C")
DIFFERENCE, SUM = 1, 2  # the kinds of results about a pair
_FAR = 1 << 30
_U = np.uint64


@compiled(types.int64(types.int64, types.int64, types.int64, types.int64))
def place_of(kind: int, one: int, other: int, count: int) -> int:
    """Return the index for the result of a pair of tokens, where it replaces any other result."""
    return int(mixed(_U(one) ^ mixed(_U(other) ^ _U(kind))) & _U(count - 1))


@compiled(types.int64(KNOWN, types.int64, types.int64))
def _difference(known: Known, one: int, other: int) -> int:
    """Return the score of G - H, two forms, with Horizontal to move."""
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
        least = min(least, offset - _difference(known, other, token))
    for i in range(option_count(regions, other, 0)):
        token, offset = option(regions, options, other, 0, i)
        least = min(least, -offset - _difference(known, token, one))
    if max(one, other) >> 1 < known.head.regions:  # not the form that is being made
        entry = pairs[at]
        entry.kind, entry.one, entry.other, entry.offset = DIFFERENCE, one, other, least
    return least


@compiled(types.boolean(KNOWN, types.int64, types.int64, types.int64, types.int64))
def _at_least(known: Known, one: int, one_offset: int, other: int, other_offset: int) -> bool:
    """Return whether one value is at least another, in every sum."""
    return bool(_difference(known, one, other) + one_offset >= other_offset)


@compiled(types.int64(KNOWN, OPTIONS, types.int64))
def _remove_dominated(known: Known, lefts: Any, count: int) -> int:
    """Remove dominated options of Vertical; return how many are left."""
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
    """Make Vertical's options in the game `whole` canonical; return how many are left.

    A reversible option is not replaced if there is no room for its replacements. The form is
    correct then, but may not be recognised as equal to another one.
    """
    regions, options = known.regions, known.options
    count = _remove_dominated(known, lefts, count)
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
            count = _remove_dominated(known, lefts, count)
            at = 0
        else:
            at += 1
    return count


@compiled(types.void(KNOWN, OPTIONS, types.int64, types.int64))
def _sort_options(known: Known, lefts: Any, count: int, offset: int) -> None:
    """Add a number to values and sort them in an order that is the same for every numbering."""
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
    """Compare two sorted lists: negative if the first one comes first, 0 if they are equal."""
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
    """Write the options of the form that is being made behind the options of all others.

    They are Vertical's, and those of Vertical in the negative game. Raises `OutOfSpace`.
    """
    regions, options, start = known.regions, known.options, known.head.options
    form = regions[known.head.regions]
    form.options, form.lefts, form.rights = start, left_count, right_count
    if start + left_count + right_count > len(options):
        raise OutOfSpace
    for at in range(left_count):
        options[start + at] = lefts[at]
    for at in range(right_count):
        token, offset = negative_value(regions, negatives[at].token, negatives[at].offset)
        options[start + left_count + at].token = token
        options[start + left_count + at].offset = offset


@compiled(types.int64(KNOWN, types.int64, types.int64))
def _interned(known: Known, first: int, second: int) -> int:
    """Return the number of the form written behind all regions; it is new if no form equals it.

    `first` and `second` are its stops with Vertical and with Horizontal first.
    """
    head, options, slots = known.head, known.options, known.slots
    form = known.regions[head.regions]
    end = form.options + form.lefts + form.rights
    low, high = mixed(_U(form.lefts)), mixed(_U(form.rights) + _U(MOST_OPTIONS))
    for at in range(form.options, end):
        # The sum is mixed again: keys and offsets that are only combined cancel earlier words.
        word = mixed(key_of(known.regions, options[at].token) + mixed(_U(options[at].offset)))
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


@compiled(types.void(KNOWN, FORMS, NUMBERS, NUMBERS))
def restore(known: Known, forms: Any, tokens: Any, offsets: Any) -> None:
    """Write forms that were made elsewhere, in the order of their making, as if made now.

    Each row of `forms` has the numbers of options of both players, whether the form is its own
    negative, its `odd`, and its stops with Vertical and with Horizontal first. `tokens` and
    `offsets` are the options of all forms.
    """
    head = known.head
    for at in range(len(forms)):
        draft = known.regions[head.regions]
        draft.options, draft.lefts, draft.rights = head.options, forms[at, 0], forms[at, 1]
        draft.negative, draft.odd = forms[at, 2], forms[at, 3]
        for place in range(head.options, head.options + draft.lefts + draft.rights):
            known.options[place].token = tokens[place]
            known.options[place].offset = offsets[place]
        _interned(known, forms[at, 4], forms[at, 5])


@compiled(PAIR(KNOWN, OPTIONS, types.int64, OPTIONS, types.int64))
def made(
    known: Known, lefts: Any, left_count: int, negatives: Any, right_count: int
) -> tuple[int, int]:
    """Return the value of a game from Vertical's options and those of its negative's Vertical.

    If play stopped the score would be 0, which matters to a cold region only: sums of forms that
    are not hot have equal stops (docs/solver/method.md). Raises `OutOfSpace`.
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
        raise OutOfSpace
    draft = regions[number]
    draft.negative = 0
    draft.bounds[V_LOW] = draft.bounds[V_HIGH] = first
    draft.bounds[H_LOW] = draft.bounds[H_HIGH] = second
    _write(known, lefts, left_count, negatives, right_count)
    left_count = _reduced(known, lefts, left_count, 2 * number)
    right_count = _reduced(known, negatives, right_count, 2 * number + 1)
    odd = (first - second) & 1
    offset = second + (first - second) // 2
    _sort_options(known, lefts, left_count, -offset)
    _sort_options(known, negatives, right_count, offset + odd)
    order = _compare(known, lefts, left_count, negatives, right_count)
    draft.negative, draft.odd = order == 0, odd if order == 0 else 0
    if order <= 0:
        _sort_options(known, negatives, right_count, -odd)
        _write(known, lefts, left_count, negatives, right_count)
    else:  # stored as its negative
        _sort_options(known, lefts, left_count, -odd)
        _write(known, negatives, right_count, lefts, left_count)
    high = (first - second + odd) // 2
    number = _interned(known, high, odd - high)
    return (2 * number, offset) if order <= 0 else (2 * number + 1, offset + odd)
