"""The search for exact values, compiled, by questions whether a sum is worth so much.

`advance` answers "Vertical to move: is V - H at least t under best play?" for a sum of free
regions by a depth-first search with a null window; Horizontal to move is the negative sum. It
keeps its stack in arrays and stops after any number of nodes, to go on later as if nothing had
been: so clocks are read, orders obeyed and arrays made larger between two slices.

With `mV`, `mH` what each side gets by placing first and the score 0 (free regions count for
nobody) Vertical has `max(mV, min(0, mH))`: first Vertical's placements are tried, then, where
stopping now would be enough, whether Horizontal finds a placement that makes it less.

Before that it is tried to answer without search. Small regions give way to their values; regions
that cancel go, and so do those worth a number. What is left is looked up in the store, and
bounded by what its parts are worth: with Vertical to move at most what they are to Vertical moving
first in each, and at least what they are with Horizontal first in all but one of them.

Threads that search the same share the store. Each marks the move that it searches in a large
region; the others try the first move all the same, as it often is the only one that is needed, but
leave later ones that are marked until nothing else is left, when their values mostly are known.
Whatever is being searched is looked up again from time to time.
"""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word, mixed
from linage_bot.engine.solver.effort import FALSE, OUT_OF_NODES, OUT_OF_ROOM, TRUE, UNKNOWN
from linage_bot.engine.solver.sums.moves import list_moves, look_up_after, negated, play
from linage_bot.engine.solver.sums.store import UNBOUNDED, bounds_of, look_up, put
from linage_bot.engine.solver.sums.tables import (
    BOUNDS,
    FRAME_TYPE,
    FRAMES,
    H_HIGH,
    H_LOW,
    HEAD_TYPE,
    KNOWN,
    MARKS,
    MOST_NEW,
    MOST_VALUED,
    NO_VALUE,
    NUMBERS,
    REGIONS,
    STACKED,
    V_HIGH,
    V_LOW,
    Known,
    Record,
    bound,
    four,
    keep_region,
    key_of,
    narrow_by,
    refresh,
    tag_of,
)
from linage_bot.engine.solver.values.forms import chosen, list_options, value_of

WANTS_VALUE = 4  # why a slice ended, besides the reasons of every search

_NEW, _OWN_MOVES, _ENEMY_MOVES = 0, 1, 2  # phases of a frame
_SHARED = 14  # points of a region in which moves are marked
_LOOKED_AHEAD = 14  # points of a region where what moves leave is looked up first
_U = np.uint64
_0, _1, _FOR_CHECKS = _U(0), _U(1), _U(0xD1B54A32D192ED03)


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


@compiled(types.int64(HEAD_TYPE, types.int64, types.int64, types.int64))
def _answered(head: Record, target: int, low: int, high: int) -> int:
    """The answer that bounds of the value give to a question, if they do, and its margin."""
    if low >= target:
        head.margin = low - target
        return TRUE
    if high < target:
        head.margin = high - target
        return FALSE
    return UNKNOWN


@compiled(types.int64(KNOWN, FRAME_TYPE, NUMBERS))
def _look_up(known: Known, frame: Record, tokens: Any) -> int:
    """Answer a frame's question without search, if that can be."""
    regions, head = known.regions, known.head
    _simplify(regions, frame, tokens)
    low, high, gain = 0, 0, 0
    for at in range(frame.tokens, frame.tokens + frame.count):
        second = bound(regions, tokens[at], H_LOW)
        low += second
        high += bound(regions, tokens[at], V_HIGH)
        gain = max(gain, bound(regions, tokens[at], V_LOW) - second)
    answer = _answered(head, frame.target, low + gain, high)
    if answer != UNKNOWN or frame.count < 2:
        return int(answer)
    _name_sum(regions, frame, tokens)
    data = look_up(known.store, frame.key, frame.tag)
    if not data:
        return UNKNOWN
    bounds = bounds_of(data)
    if frame.negated:
        low, high = frame.odd - bounds[H_HIGH], frame.odd - bounds[H_LOW]
    else:
        low, high = bounds[V_LOW], bounds[V_HIGH]
    return int(_answered(head, frame.target, low, high))


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
def _keep(known: Known, frame: Record, tokens: Any, result: int) -> None:
    """Keep what a frame found."""
    head = known.head
    limit, nodes = frame.target + head.margin, head.nodes - frame.first_node
    if frame.count == 1:
        token = tokens[frame.tokens]
        region = known.regions[token >> 1]
        _narrow(region.bounds, token & 1, limit, result)
        if region.points > MOST_VALUED:
            keep_region(known, region, nodes)
        return
    head.bounds[V_LOW] = head.bounds[H_LOW] = -UNBOUNDED
    head.bounds[V_HIGH] = head.bounds[H_HIGH] = UNBOUNDED
    data = look_up(known.store, frame.key, frame.tag)
    if data:
        narrow_by(head.bounds, bounds_of(data))
    _narrow(head.bounds, frame.negated, limit - frame.odd, result)
    head.room -= put(known.store, frame.key, frame.tag, four(head.bounds), nodes)


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
def _best(moves: Any, start: int, end: int) -> int:
    """Where the greatest of the moves is."""
    best = start
    for at in range(start + 1, end):
        if moves[at] > moves[best]:
            best = at
    return best


@compiled(types.void(HEAD_TYPE, FRAME_TYPE, types.int64))
def _weigh(head: Record, frame: Record, answer: int) -> None:
    """Take a move into account of which it is known whether it reaches the target.

    `head.margin` says by how much. One that answers the phase's question ends the frame.
    """
    if frame.phase == _OWN_MOVES:
        if answer == TRUE:
            head.result = TRUE
        frame.margin = max(frame.margin, head.margin)
    elif answer == FALSE:
        head.result = FALSE
        head.margin = max(head.margin, frame.before)
    else:
        frame.margin = min(frame.margin, head.margin)


@compiled(types.void(KNOWN, FRAME_TYPE, NUMBERS, NUMBERS))
def _look_ahead(known: Known, frame: Record, tokens: Any, moves: Any) -> None:
    """Look up what the moves in a region leave, the most promising move first.

    One that answers the question is enough; those that do not are done with.
    """
    token, at = tokens[frame.tokens], frame.moves
    if frame.count > 1 or known.regions[token >> 1].points < _LOOKED_AHEAD or frame.moves_end == at:
        return
    best = _best(moves, at, frame.moves_end)
    moves[at], moves[best] = moves[best], moves[at]
    while at < frame.moves_end and known.head.result == UNKNOWN:
        low, high = look_up_after(known, token, moves[at] & 0xFF, frame.phase == _OWN_MOVES)
        answer = _answered(known.head, frame.target, low, high)
        if answer == UNKNOWN:
            at += 1
        else:
            _weigh(known.head, frame, answer)
            frame.moves_end -= 1
            moves[at] = moves[frame.moves_end]


@compiled(types.void(KNOWN, FRAME_TYPE, NUMBERS, NUMBERS))
def _begin(known: Known, frame: Record, tokens: Any, moves: Any) -> None:
    """Begin a phase: list its moves and look ahead."""
    if frame.phase == _OWN_MOVES:
        frame.margin = -UNBOUNDED
    else:
        frame.before, frame.margin = frame.margin, -frame.target  # stopping now gets no more
    _list_all(known, frame, tokens, moves)
    _look_ahead(known, frame, tokens, moves)


@compiled(types.void(KNOWN, FRAME_TYPE, NUMBERS, NUMBERS))
def _conclude(known: Known, frame: Record, tokens: Any, moves: Any) -> None:
    """Go to the next phase, or answer, where no move of the phase has and none is left."""
    head = known.head
    if head.result == UNKNOWN and frame.moves_end == frame.moves and frame.phase == _OWN_MOVES:
        if frame.target > 0:
            head.result, head.margin = FALSE, max(frame.margin, -frame.target)
            return
        frame.phase = _ENEMY_MOVES
        _begin(known, frame, tokens, moves)
    if head.result == UNKNOWN and frame.moves_end == frame.moves:
        head.result, head.margin = TRUE, frame.margin


@compiled(types.boolean(KNOWN, FRAME_TYPE, NUMBERS))
def _is_shared(known: Known, frame: Record, tokens: Any) -> bool:
    """Whether other threads may be searching in the same region."""
    if len(known.marks) == 1 or frame.count != 1:
        return False
    return bool(known.regions[tokens[frame.tokens] >> 1].points >= _SHARED)


@compiled(types.uint64(KNOWN, FRAME_TYPE, NUMBERS, types.int64))
def _mark_of(known: Known, frame: Record, tokens: Any, move: int) -> Word:
    """By what a move of a frame is known to all threads."""
    key = key_of(known.regions, tokens[frame.tokens])
    return mixed(key ^ _U(2 * (move & 0xFF) + frame.phase))


@compiled(types.int64(types.uint64))
def _place_of_mark(mark: Word) -> int:
    """Where it stands; two may have the same place, and then one of them has none."""
    return int(_1 + (mark & _U(MARKS - 2)))


@compiled(types.int64(KNOWN, FRAME_TYPE, NUMBERS, NUMBERS))
def _not_marked(known: Known, frame: Record, tokens: Any, moves: Any) -> int:
    """Where the best of the moves is that nobody else is searching, if there is one, else of all.

    It is marked. The first move is the best in any case.
    """
    best = _best(moves, frame.moves, frame.moves_end)
    if frame.tried:
        chosen_at = -1
        for at in range(frame.moves, frame.moves_end):
            mark = _mark_of(known, frame, tokens, moves[at])
            if (chosen_at < 0 or moves[at] > moves[chosen_at]) and (
                known.marks[_place_of_mark(mark)] != mark
            ):
                chosen_at = at
        best = best if chosen_at < 0 else chosen_at
    frame.tried, frame.mark = 1, _mark_of(known, frame, tokens, moves[best])
    known.marks[_place_of_mark(frame.mark)] = frame.mark
    return int(best)


@compiled(types.void(KNOWN, FRAME_TYPE))
def _unmark(known: Known, frame: Record) -> None:
    """Nothing is being searched in a frame any more."""
    if frame.mark:
        place = _place_of_mark(frame.mark)
        if known.marks[place] == frame.mark:
            known.marks[place] = _0
        frame.mark = _0


@compiled(types.int64(KNOWN, FRAME_TYPE, NUMBERS))
def _look_again(known: Known, frame: Record, tokens: Any) -> int:
    """The answer to a frame's question, if another thread has found it meanwhile."""
    token = tokens[frame.tokens]
    refresh(known, token >> 1)
    low, high = bound(known.regions, token, V_LOW), bound(known.regions, token, V_HIGH)
    return int(_answered(known.head, frame.target, low, high))


@compiled(types.void(HEAD_TYPE, FRAME_TYPE))
def _leave(head: Record, frame: Record) -> None:
    """Go back to the frame before; the regions that came with this one are no more."""
    head.stacked = frame.stacked
    head.depth -= 1


@compiled(types.void(KNOWN, FRAMES, NUMBERS))
def _leave_answered(known: Known, frames: Any, tokens: Any) -> None:
    """Give up what is being searched below a question that another thread has answered."""
    head = known.head
    for depth in range(head.depth):  # the last one has just begun, or will look by itself
        if not _is_shared(known, frames[depth], tokens):
            continue
        answer = _look_again(known, frames[depth], tokens)
        if answer == UNKNOWN:
            continue
        while head.depth >= depth:
            _unmark(known, frames[head.depth])
            _leave(head, frames[head.depth])
        head.result = answer
        return


@compiled(types.void(KNOWN, FRAMES, NUMBERS, types.int64))
def _descend(known: Known, frames: Any, tokens: Any, move: int) -> None:
    """Make the frame of the position after a move, as a question with Vertical to move."""
    regions, head = known.regions, known.head
    frame, below = frames[head.depth], frames[head.depth + 1]
    place, point = move >> 8 & 0xFFFFFF, move & 0xFF
    start, token = frame.tokens + frame.count, tokens[frame.tokens + place]
    end, below.stacked, below.mark, below.tried = start, head.stacked, _0, 0
    for other in range(frame.count):
        if other != place:
            tokens[end] = tokens[frame.tokens + other]
            end += 1
    if regions[token >> 1].points:
        owned, end = play(known, token, point, tokens, start, end)
    else:
        tokens[end], owned = chosen(regions, known.options, token, point)
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


@compiled(types.boolean(KNOWN, FRAMES, NUMBERS, NUMBERS))
def _has_room(known: Known, frames: Any, tokens: Any, moves: Any) -> bool:
    """Whether every array takes what one more step can bring."""
    head = known.head
    frame = frames[head.depth]
    end = frame.tokens + frame.count
    most_points = 128 * frame.count
    return bool(
        head.regions + MOST_NEW <= len(known.regions)
        and head.stacked + MOST_NEW < STACKED
        and head.room > 0
        and head.depth + 2 <= len(frames)
        and end + frame.count + MOST_NEW <= len(tokens)
        and max(frame.moves, frame.moves_end) + most_points <= len(moves)
    )


@compiled(types.int64(KNOWN, FRAMES, NUMBERS, NUMBERS, types.int64))
def advance(known: Known, frames: Any, tokens: Any, moves: Any, nodes: int) -> int:
    """Search on for at most so many nodes.

    Returns `TRUE` or `FALSE`, the answer to the question in frame 0, or why it stopped before:
    `OUT_OF_NODES`, `OUT_OF_ROOM`, or `WANTS_VALUE` of the region `wanted`.
    """
    regions, head = known.regions, known.head
    last_node = head.nodes + nodes
    if len(known.marks) > 1:
        _leave_answered(known, frames, tokens)
    while head.depth >= 0:
        frame = frames[head.depth]
        if known.marks[0]:
            return OUT_OF_NODES
        if not _has_room(known, frames, tokens, moves):
            return OUT_OF_ROOM
        result, head.result = head.result, UNKNOWN
        if frame.phase == _NEW:
            head.wanted = _replace_by_values(regions, frame, tokens)
            if head.wanted >= 0:
                return WANTS_VALUE
            result = _look_up(known, frame, tokens)
            if result == UNKNOWN:
                if head.nodes >= last_node:
                    return OUT_OF_NODES
                frame.phase, frame.first_node = _OWN_MOVES, head.nodes
                head.nodes += 1
                _begin(known, frame, tokens, moves)
            else:
                head.result = result
                _leave(head, frame)
                continue
        elif result != UNKNOWN:
            if frame.phase == _OWN_MOVES:  # the question was put to the negative
                result, head.margin = TRUE + FALSE - result, -1 - head.margin
            _weigh(head, frame, result)
            _unmark(known, frame)
            if head.result == UNKNOWN and _is_shared(known, frame, tokens):
                head.result = _look_again(known, frame, tokens)
        _conclude(known, frame, tokens, moves)
        if head.result != UNKNOWN:
            _keep(known, frame, tokens, head.result)
            _leave(head, frame)
            continue
        if _is_shared(known, frame, tokens):
            best = _not_marked(known, frame, tokens, moves)
        else:
            best = _best(moves, frame.moves, frame.moves_end)
        move = moves[best]
        frame.moves_end -= 1
        moves[best] = moves[frame.moves_end]
        _descend(known, frames, tokens, move)
    known.marks[0] = _1  # no other thread need go on
    return int(head.result)
