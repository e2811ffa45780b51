"""The search for exact values, compiled, by questions whether a sum is worth so much.

`advance` answers "Vertical to move: is V - H at least t under best play?" for a sum of free
regions by a depth-first search with a null window; Horizontal to move is the negative sum. It
keeps its stack in arrays and stops after any number of nodes, to go on later as if nothing had
been: so clocks are read, orders obeyed and arrays made larger between two slices.

With `mV`, `mH` what each side gets by placing first and the score 0 (free regions count for
nobody) Vertical has `max(mV, min(0, mH))`: first Vertical's placements are tried, then, where
stopping now would be enough, whether Horizontal finds a placement that makes it less.
Before that it is tried to answer without search (`answers`).
"""

from typing import Any

from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.solver.effort import FALSE, OUT_OF_NODES, OUT_OF_ROOM, TRUE, UNKNOWN
from linage_bot.engine.solver.sums.answers import look_up, replace_by_values, store
from linage_bot.engine.solver.sums.moves import list_moves, negated, play
from linage_bot.engine.solver.sums.tables import (
    FRAME_TYPE,
    FRAMES,
    KNOWN,
    MOST_NEW,
    NUMBERS,
    SUMS,
    Known,
    Record,
)
from linage_bot.engine.solver.values.forms import chosen, list_options

WANTS_VALUE = 4  # why a slice ended, besides the reasons of every search

_NEW, _OWN_MOVES, _ENEMY_MOVES = 0, 1, 2  # phases of a frame


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
            head.wanted = replace_by_values(regions, frame, tokens)
            if head.wanted >= 0:
                return WANTS_VALUE
            result = look_up(regions, sums, frame, tokens)
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
            store(regions, sums, head, frame, tokens, head.result)
            head.depth -= 1
            continue
        move = _take_best(moves, frame.moves, frame.moves_end)
        frame.moves_end -= 1
        _descend(known, frames, tokens, move)
    return int(head.result)
