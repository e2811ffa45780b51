"""The search for exact values, compiled, by questions whether a sum is worth so much.

`advance` answers "Vertical to move: is V - H at least t under best play?" for a sum of free
regions by a depth-first search with a null window; Horizontal to move is the negative sum. It
keeps its stack in arrays and stops after any number of nodes, to go on later as if nothing had
been: so clocks are read, orders obeyed and arrays made larger between two slices.

With `mV`, `mH` what each side gets by placing first and the score 0 (free regions count for
nobody) Vertical has `max(mV, min(0, mH))`: first Vertical's placements are tried, then, where
stopping now would be enough, whether Horizontal finds a placement that makes it less.

Before that it is tried to answer without search. Small regions give way to their values; regions
that cancel go, and so do those worth a number. What is left is looked up in the table of sums, and
bounded by what its parts are worth: with Vertical to move at most what they are to Vertical moving
first in each, and at least what they are with Horizontal first in all but one of them.
"""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import mixed
from linage_bot.engine.solver.effort import FALSE, OUT_OF_NODES, OUT_OF_ROOM, TRUE, UNKNOWN
from linage_bot.engine.solver.sums.moves import list_moves, negated, play
from linage_bot.engine.solver.sums.tables import (
    BOUNDS,
    FRAME_TYPE,
    FRAMES,
    H_HIGH,
    H_LOW,
    HEAD_TYPE,
    KNOWN,
    MOST_NEW,
    MOST_VALUED,
    NO_VALUE,
    NUMBERS,
    REGIONS,
    SUMS,
    V_HIGH,
    V_LOW,
    Known,
    Record,
    bound,
    find_sum,
)
from linage_bot.engine.solver.values.forms import chosen, list_options, value_of

WANTS_VALUE = 4  # why a slice ended, besides the reasons of every search

_NEW, _OWN_MOVES, _ENEMY_MOVES = 0, 1, 2  # phases of a frame
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
def _replace_by_values(regions: Any, frame: Record, tokens: Any) -> int:
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
def _look_up(regions: Any, sums: Any, frame: Record, tokens: Any) -> int:
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
def _store(regions: Any, sums: Any, head: Record, frame: Record, tokens: Any, result: int) -> None:
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


@compiled(types.void(KNOWN, FRAME_TYPE, NUMBERS, NUMBERS))
def _list_all(known: Known, frame: Record, tokens: Any, moves: Any) -> None:
    """List the placements of the phase's player, once for regions that are alike."""
    regions, line = known.regions, known.head.line
    end = frame.moves
    for place in range(frame.count):
        token = tokens[frame.tokens + place]
        seen = 0
        while tokens[frame.tokens + seen] != token:
            seen += 1
        if seen == place:
            favour = 1 if (token & 1 == 0) == (frame.phase == _OWN_MOVES) else -1
            if regions[token >> 1].points:
                end = list_moves(regions[token >> 1], line, favour, place, moves, end)
            else:
                end = list_options(regions, known.options, token >> 1, favour, place, moves, end)
    frame.moves_end = end


@compiled(types.int64(NUMBERS, types.int64, types.int64))
def _take_best(moves: Any, start: int, end: int) -> int:
    """Take the greatest of the moves out of the list."""
    best = start
    for at in range(start + 1, end):
        if moves[at] > moves[best]:
            best = at
    move = moves[best]
    moves[best] = moves[end - 1]
    return int(move)


@compiled(types.void(KNOWN, FRAMES, NUMBERS, types.int64))
def _descend(known: Known, frames: Any, tokens: Any, move: int) -> None:
    """Make the frame of the position after a move, as a question with Vertical to move."""
    regions, head = known.regions, known.head
    frame, below = frames[head.depth], frames[head.depth + 1]
    place, point = move >> 8 & 0xFFFFFF, move & 0xFF
    start, token = frame.tokens + frame.count, tokens[frame.tokens + place]
    if regions[token >> 1].points:
        owned, end = play(known, token, point, tokens, start)
    else:
        tokens[start], owned = chosen(regions, known.options, token, point)
        end = start + 1
    for other in range(frame.count):
        if other != place:
            tokens[end] = tokens[frame.tokens + other]
            end += 1
    below.tokens, below.count, below.phase = start, end - start, _NEW
    below.target = frame.target - owned
    below.moves = below.moves_end = frame.moves_end
    if frame.phase == _OWN_MOVES:  # Horizontal to move is Vertical to move on the negative
        below.target = 1 - below.target
        for at in range(start, end):
            tokens[at] = negated(regions, tokens[at])
            below.target += regions[tokens[at] >> 1].odd
    head.depth += 1


@compiled(types.boolean(KNOWN, SUMS, FRAMES, NUMBERS, NUMBERS))
def _has_room(known: Known, sums: Any, frames: Any, tokens: Any, moves: Any) -> bool:
    """Whether every array takes what one more step can bring."""
    head = known.head
    frame = frames[head.depth]
    end = frame.tokens + frame.count
    most_points = 128 * frame.count
    return bool(
        head.regions + MOST_NEW <= len(known.regions)
        and 4 * (head.sums + 1) <= 3 * len(sums)
        and head.depth + 2 <= len(frames)
        and end + frame.count + MOST_NEW <= len(tokens)
        and max(frame.moves, frame.moves_end) + most_points <= len(moves)
    )


@compiled(types.int64(KNOWN, SUMS, FRAMES, NUMBERS, NUMBERS, types.int64))
def advance(known: Known, sums: Any, frames: Any, tokens: Any, moves: Any, nodes: int) -> int:
    """Search on for at most so many nodes.

    Returns `TRUE` or `FALSE`, the answer to the question in frame 0, or why it stopped before:
    `OUT_OF_NODES`, `OUT_OF_ROOM`, or `WANTS_VALUE` of the region `wanted`.
    """
    regions, head = known.regions, known.head
    last_node = head.nodes + nodes
    while head.depth >= 0:
        frame = frames[head.depth]
        if not _has_room(known, sums, frames, tokens, moves):
            return OUT_OF_ROOM
        result, head.result = head.result, UNKNOWN
        if frame.phase == _NEW:
            head.wanted = _replace_by_values(regions, frame, tokens)
            if head.wanted >= 0:
                return WANTS_VALUE
            result = _look_up(regions, sums, frame, tokens)
            if result == UNKNOWN:
                if head.nodes >= last_node:
                    return OUT_OF_NODES
                head.nodes += 1
                frame.phase = _OWN_MOVES
                _list_all(known, frame, tokens, moves)
            else:
                head.result = result
                head.depth -= 1
                continue
        elif result == FALSE:  # the move answered the phase's question
            head.result = TRUE if frame.phase == _OWN_MOVES else FALSE
        if head.result == UNKNOWN and frame.moves_end == frame.moves:
            if frame.phase == _OWN_MOVES and frame.target <= 0:
                frame.phase = _ENEMY_MOVES
                _list_all(known, frame, tokens, moves)
            else:
                head.result = TRUE if frame.phase == _ENEMY_MOVES else FALSE
        if head.result != UNKNOWN:
            _store(regions, sums, head, frame, tokens, head.result)
            head.depth -= 1
            continue
        move = _take_best(moves, frame.moves, frame.moves_end)
        frame.moves_end -= 1
        _descend(known, frames, tokens, move)
    return int(head.result)
