"""The search for exact values, compiled, by questions whether a sum is worth so much.

`advance` answers "Vertical to move: is V - H at least t under best play?" for a sum of free
regions by a depth-first search with a null window; Horizontal to move is the negative sum. It
keeps its stack in arrays and stops after any number of nodes, to go on later as if nothing had
been: so clocks are read, orders obeyed and arrays made larger between two slices.

With `mV`, `mH` what each side gets by placing first and the score 0 (free regions count for
nobody) Vertical has `max(mV, min(0, mH))`: first Vertical's placements are tried, then, where
stopping now would be enough, whether Horizontal finds a placement that makes it less.
What is tried before is what is known or bounded: regions that cancel, regions worth a number, the
bounds of the table, and those of the parts: with Vertical to move a sum is worth at most what the
parts are worth to Vertical moving first in each, and at least what they are with Horizontal first
in all but one of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from linage_bot.kernels.contract import compiled
from linage_bot.solver.moves import list_moves, negated, play
from linage_bot.solver.shapes import ROWS
from linage_bot.solver.tables import (
    BOUNDS,
    FRAME_TYPE,
    FRAMES,
    H_HIGH,
    H_LOW,
    HEAD_TYPE,
    MOST_NEW,
    NUMBERS,
    REGIONS,
    SLOTS,
    SUMS,
    V_HIGH,
    V_LOW,
    Record,
    find_sum,
    intern,
    token_check,
    token_key,
)

UNKNOWN, FALSE, TRUE = -1, 0, 1
OUT_OF_NODES, OUT_OF_ROOM = 2, 3

_NEW, _OWN_MOVES, _ENEMY_MOVES = 0, 1, 2  # phases of a frame
_MOST = 1 << 14  # no value is as large
_BOUND = types.int64(REGIONS, types.int64, types.int64)


@compiled(_BOUND)
def bound(regions: Any, token: int, which: int) -> int:
    """One of the four bounds of a token's game."""
    if token & 1:  # of the negative the movers change places, and low becomes high
        return -int(regions[token >> 1].bounds[3 - which])
    return int(regions[token >> 1].bounds[which])


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


@compiled(types.void(REGIONS, SLOTS, HEAD_TYPE, ROWS, REGIONS))
def learn(regions: Any, slots: Any, head: Record, rows: Any, others: Any) -> None:
    """Take over what others know about regions; there must be room for all of them."""
    for number in range(len(others)):
        other = others[number]
        shape = (other.low, other.high)
        token = intern(regions, slots, head, rows, shape, np.uint64(other.width + 1))
        bounds = regions[token >> 1].bounds
        bounds[V_LOW] = max(bounds[V_LOW], other.bounds[V_LOW])
        bounds[V_HIGH] = min(bounds[V_HIGH], other.bounds[V_HIGH])
        bounds[H_LOW] = max(bounds[H_LOW], other.bounds[H_LOW])
        bounds[H_HIGH] = min(bounds[H_HIGH], other.bounds[H_HIGH])


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
    key, check, negative_key, negative_check = (
        np.uint64(0),
        np.uint64(0),
        np.uint64(0),
        np.uint64(0),
    )
    for at in range(frame.tokens, frame.tokens + frame.count):
        key += token_key(tokens[at])
        check += token_check(tokens[at])
        opposite = negated(regions, tokens[at])
        negative_key += token_key(opposite)
        negative_check += token_check(opposite)
    frame.negated = negative_key < key
    frame.key, frame.check = key, check
    if frame.negated:
        frame.key, frame.check = negative_key, negative_check
    known = sums[find_sum(sums, frame.key, frame.check)]
    if known.used:
        low, high = int(known.bounds[V_LOW]), int(known.bounds[V_HIGH])
        if frame.negated:
            low, high = -int(known.bounds[H_HIGH]), -int(known.bounds[H_LOW])
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
    _narrow(known.bounds, frame.negated, frame.target, result)


@compiled(types.void(REGIONS, HEAD_TYPE, FRAME_TYPE, NUMBERS, NUMBERS))
def _list_all(regions: Any, head: Record, frame: Record, tokens: Any, moves: Any) -> None:
    """List the placements of the phase's player, once for regions that are alike."""
    end = frame.moves
    for place in range(frame.count):
        token = tokens[frame.tokens + place]
        seen = 0
        while tokens[frame.tokens + seen] != token:
            seen += 1
        if seen == place:
            favour = 1 if (token & 1 == 0) == (frame.phase == _OWN_MOVES) else -1
            end = list_moves(regions[token >> 1], head.line, favour, place, moves, end)
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


@compiled(types.void(REGIONS, SLOTS, HEAD_TYPE, ROWS, FRAMES, NUMBERS, types.int64))
def _descend(
    regions: Any, slots: Any, head: Record, rows: Any, frames: Any, tokens: Any, move: int
) -> None:
    """Make the frame of the position after a move, as a question with Vertical to move."""
    frame, below = frames[head.depth], frames[head.depth + 1]
    place, point = move >> 8 & 0xFFFFFF, move & 0xFF
    start = frame.tokens + frame.count
    owned, end = play(
        regions, slots, head, rows, tokens[frame.tokens + place], point, tokens, start
    )
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
    head.depth += 1


@compiled(types.boolean(REGIONS, SUMS, HEAD_TYPE, FRAMES, NUMBERS, NUMBERS))
def _has_room(regions: Any, sums: Any, head: Record, frames: Any, tokens: Any, moves: Any) -> bool:
    """Whether every array takes what one more step can bring."""
    frame = frames[head.depth]
    end = frame.tokens + frame.count
    most_points = 128 * frame.count
    return bool(
        head.regions + MOST_NEW <= len(regions)
        and 4 * (head.sums + 1) <= 3 * len(sums)
        and head.depth + 2 <= len(frames)
        and end + frame.count + MOST_NEW <= len(tokens)
        and max(frame.moves, frame.moves_end) + most_points <= len(moves)
    )


@compiled(types.int64(REGIONS, SLOTS, SUMS, HEAD_TYPE, ROWS, FRAMES, NUMBERS, NUMBERS, types.int64))
def advance(
    regions: Any,
    slots: Any,
    sums: Any,
    head: Record,
    rows: Any,
    frames: Any,
    tokens: Any,
    moves: Any,
    nodes: int,
) -> int:
    """Search on for at most so many nodes.

    Returns `TRUE` or `FALSE`, the answer to the question in frame 0, or why it stopped before:
    `OUT_OF_NODES` or `OUT_OF_ROOM`.
    """
    last_node = head.nodes + nodes
    while head.depth >= 0:
        frame = frames[head.depth]
        if not _has_room(regions, sums, head, frames, tokens, moves):
            return OUT_OF_ROOM
        result, head.result = head.result, UNKNOWN
        if frame.phase == _NEW:
            result = _look_up(regions, sums, frame, tokens)
            if result == UNKNOWN:
                if head.nodes >= last_node:
                    return OUT_OF_NODES
                head.nodes += 1
                frame.phase = _OWN_MOVES
                _list_all(regions, head, frame, tokens, moves)
            else:
                head.result = result
                head.depth -= 1
                continue
        elif result == FALSE:  # the move answered the phase's question
            head.result = TRUE if frame.phase == _OWN_MOVES else FALSE
        if head.result == UNKNOWN and frame.moves_end == frame.moves:
            if frame.phase == _OWN_MOVES and frame.target <= 0:
                frame.phase = _ENEMY_MOVES
                _list_all(regions, head, frame, tokens, moves)
            else:
                head.result = TRUE if frame.phase == _ENEMY_MOVES else FALSE
        if head.result != UNKNOWN:
            _store(regions, sums, head, frame, tokens, head.result)
            head.depth -= 1
            continue
        move = _take_best(moves, frame.moves, frame.moves_end)
        frame.moves_end -= 1
        _descend(regions, slots, head, rows, frames, tokens, move)
    return int(head.result)
