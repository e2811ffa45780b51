"""The compiled search for exact values, which asks whether a sum reaches a target.

`advance` answers "Vertical to move: is V - H at least t under best play?" for a sum of free regions
by a depth-first search with a null window. If Horizontal is to move, it searches the negative sum.
The search keeps its stack in arrays and stops after any number of nodes, and it can continue later
as if it had not stopped. Between two slices the caller checks clocks and stop requests, and
enlarges arrays.

Let `mV` and `mH` be the scores that each side gets by placing first. The score if play stopped is
0, as free regions count for neither player. Then the value with Vertical to move is
`max(mV, min(0, mH))`. So the search tries Vertical's placements first. After that, if stopping now
would be enough, it tests whether Horizontal has a placement that makes the score less.

Before it tries moves, it tries to answer without search (`questions`), and in a large region it
looks up the positions after all moves. Threads that search the same question share the store, and
mark the moves that they are searching (`sharing`).
"""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.solver.budgets import FALSE, OUT_OF_NODES, OUT_OF_ROOM, TRUE, UNKNOWN
from linage_bot.engine.solver.sums.moves import best_of, bounds_after, list_moves, negated, play
from linage_bot.engine.solver.sums.questions import (
    answer_at_once,
    answered,
    keep_answer,
    replace_by_values,
)
from linage_bot.engine.solver.sums.records import (
    ENEMY_MOVES,
    FRAME_TYPE,
    FRAMES,
    HEAD_TYPE,
    KNOWN,
    MOST_NEW,
    NEW,
    NUMBERS,
    OWN_MOVES,
    STACKED,
    Known,
    Record,
)
from linage_bot.engine.solver.sums.sharing import (
    best_unmarked,
    find_answered,
    is_shared,
    look_again,
    unmark,
)
from linage_bot.engine.solver.sums.store import UNBOUNDED
from linage_bot.engine.solver.sums.tables import credit
from linage_bot.engine.solver.values.forms import chosen, list_options

WANTS_VALUE = 4  # why a slice ended, in addition to the reasons in `budgets`

_LOOKED_AHEAD = 14  # the fewest points of a region where the results of moves are looked up
_U = np.uint64
_0, _1 = _U(0), _U(1)


@compiled(types.void(KNOWN, FRAME_TYPE, NUMBERS, NUMBERS))
def _list_all(known: Known, frame: Record, tokens: Any, moves: Any) -> None:
    """List the placements of the phase's player, only once for equal regions."""
    regions, line = known.regions, known.head.line
    end = frame.moves
    for place in range(frame.count):
        token = tokens[frame.tokens + place]
        seen = 0
        while tokens[frame.tokens + seen] != token:
            seen += 1
        if seen == place:
            favour = 1 if (token & 1 == 0) == (frame.phase == OWN_MOVES) else -1
            if regions[token >> 1].points:
                end = list_moves(regions[token >> 1], line, favour, place, moves, end)
            else:
                end = list_options(regions, known.options, token >> 1, favour, place, moves, end)
    frame.moves_end = end


@compiled(types.void(HEAD_TYPE, FRAME_TYPE, types.int64))
def _weigh(head: Record, frame: Record, answer: int) -> None:
    """Account for a move of which it is known whether it reaches the target.

    `head.margin` is the margin of that answer. A move that answers the phase's question ends the
    frame.
    """
    if frame.phase == OWN_MOVES:
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
    """Look up the positions after the moves in a large region, the most promising move first.

    The look-ups end at a move that answers the question. Moves that are known not to answer it are
    removed from the list.
    """
    token, at = tokens[frame.tokens], frame.moves
    if frame.count > 1 or known.regions[token >> 1].points < _LOOKED_AHEAD or frame.moves_end == at:
        return
    best = best_of(moves, at, frame.moves_end)
    moves[at], moves[best] = moves[best], moves[at]
    while at < frame.moves_end and known.head.result == UNKNOWN:
        low, high = bounds_after(known, token, moves[at] & 0xFF, frame.phase == OWN_MOVES)
        answer = answered(known.head, frame.target, low, high)
        if answer == UNKNOWN:
            at += 1
        else:
            _weigh(known.head, frame, answer)
            if known.head.result != UNKNOWN:
                credit(known)
            frame.moves_end -= 1
            moves[at] = moves[frame.moves_end]


@compiled(types.void(KNOWN, FRAME_TYPE, NUMBERS, NUMBERS))
def _begin(known: Known, frame: Record, tokens: Any, moves: Any) -> None:
    """Begin a phase: list its moves and look ahead."""
    if frame.phase == OWN_MOVES:
        frame.margin = -UNBOUNDED
    else:
        frame.before, frame.margin = frame.margin, -frame.target  # the margin of stopping now
    frame.move_node = known.head.nodes
    _list_all(known, frame, tokens, moves)
    _look_ahead(known, frame, tokens, moves)


@compiled(types.void(KNOWN, FRAME_TYPE, NUMBERS, NUMBERS))
def _conclude(known: Known, frame: Record, tokens: Any, moves: Any) -> None:
    """Begin the next phase or answer the question, if the phase has no moves and no answer left."""
    head = known.head
    if head.result == UNKNOWN and frame.moves_end == frame.moves and frame.phase == OWN_MOVES:
        if frame.target > 0:
            head.result, head.margin = FALSE, max(frame.margin, -frame.target)
            return
        frame.phase = ENEMY_MOVES
        _begin(known, frame, tokens, moves)
    if head.result == UNKNOWN and frame.moves_end == frame.moves:
        head.result, head.margin = TRUE, frame.margin


@compiled(types.void(HEAD_TYPE, FRAME_TYPE))
def _leave(head: Record, frame: Record) -> None:
    """Return to the frame before, and drop the regions that came with this one."""
    head.stacked = frame.stacked
    head.depth -= 1


@compiled(types.void(KNOWN, FRAMES, NUMBERS, types.int64))
def _descend(known: Known, frames: Any, tokens: Any, move: int) -> None:
    """Set up the frame of the position after a move, as a question with Vertical to move."""
    regions, head = known.regions, known.head
    frame, below = frames[head.depth], frames[head.depth + 1]
    frame.move_node = head.nodes
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
    below.tokens, below.count, below.phase = start, end - start, NEW
    below.target = frame.target - owned
    below.moves = below.moves_end = frame.moves_end
    if frame.phase == OWN_MOVES:  # Horizontal to move equals Vertical to move on the negative
        below.target = 1 - below.target
        for at in range(start, end):
            tokens[at] = negated(regions, tokens[at])
            below.target += regions[tokens[at] >> 1].odd
    head.depth += 1


@compiled(types.boolean(KNOWN, FRAMES, NUMBERS, NUMBERS))
def _has_room(known: Known, frames: Any, tokens: Any, moves: Any) -> bool:
    """Return whether every array has room for one more step."""
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
    """Continue the search for at most `nodes` nodes.

    Returns `TRUE` or `FALSE`, the answer to the question in frame 0, or the reason for stopping
    early: `OUT_OF_NODES`, `OUT_OF_ROOM`, or `WANTS_VALUE` if the value of region `head.wanted` is
    missing.
    """
    regions, head = known.regions, known.head
    last_node = head.nodes + nodes
    if len(known.marks) > 1:
        depth = find_answered(known, frames, tokens)
        while 0 <= depth <= head.depth:
            _leave(head, frames[head.depth])
    while head.depth >= 0:
        frame = frames[head.depth]
        if known.marks[0]:
            return OUT_OF_NODES
        if not _has_room(known, frames, tokens, moves):
            return OUT_OF_ROOM
        result, head.result = head.result, UNKNOWN
        if frame.phase == NEW:
            head.wanted = replace_by_values(regions, frame, tokens)
            if head.wanted >= 0:
                return WANTS_VALUE
            result = answer_at_once(known, frame, tokens)
            if result == UNKNOWN:
                if head.nodes >= last_node:
                    return OUT_OF_NODES
                frame.phase, frame.first_node = OWN_MOVES, head.nodes
                head.nodes += 1
                _begin(known, frame, tokens, moves)
            else:
                head.result = result
                _leave(head, frame)
                continue
        elif result != UNKNOWN:
            if frame.phase == OWN_MOVES:  # the question was about the negative
                result, head.margin = TRUE + FALSE - result, -1 - head.margin
            _weigh(head, frame, result)
            unmark(known, frame)
            if head.result == UNKNOWN and is_shared(known, frame, tokens):
                head.result = look_again(known, frame, tokens)
        _conclude(known, frame, tokens, moves)
        if head.result != UNKNOWN:
            keep_answer(known, frame, tokens, head.result)
            _leave(head, frame)
            continue
        if is_shared(known, frame, tokens):
            best = best_unmarked(known, frame, tokens, moves)
        else:
            best = best_of(moves, frame.moves, frame.moves_end)
        move = moves[best]
        frame.moves_end -= 1
        moves[best] = moves[frame.moves_end]
        _descend(known, frames, tokens, move)
    return int(head.result)
