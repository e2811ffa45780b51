"""What threads that search the same tell each other of it, besides what they put into the store.

Strategy: each thread marks the move that it searches in a large region. The others try the first
move of a region all the same, as it often is the only one that is needed, but leave later ones that
are marked until nothing else is left, when their values mostly are known (ABDADA, Weill 1996,
without counting). Whatever is being searched is looked up again from time to time, and given up
where another thread has answered it.

What always holds: marks and what is looked up again only change the order in which moves are tried,
and when; a mark that is lost, overwritten or left behind costs time and never an answer. So marks
are written without locks, two with the same place push each other out, and nobody waits. The first
word of the marks is no mark but the order to stop; without threads there is that word alone.
"""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word, mixed
from linage_bot.engine.solver.effort import UNKNOWN
from linage_bot.engine.solver.sums.moves import best_of
from linage_bot.engine.solver.sums.questions import answered
from linage_bot.engine.solver.sums.records import (
    FRAME_TYPE,
    FRAMES,
    KNOWN,
    MARKS,
    NUMBERS,
    V_HIGH,
    V_LOW,
    Known,
    Record,
)
from linage_bot.engine.solver.sums.tables import bound, key_of, refresh

_SHARED = 14  # points of a region in which moves are marked
_U = np.uint64
_0, _1 = _U(0), _U(1)


@compiled(types.boolean(KNOWN, FRAME_TYPE, NUMBERS))
def is_shared(known: Known, frame: Record, tokens: Any) -> bool:
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
def best_unmarked(known: Known, frame: Record, tokens: Any, moves: Any) -> int:
    """Where the best of the moves is that nobody else is searching, if there is one, else of all.

    It is marked. The first move is the best in any case.
    """
    best = best_of(moves, frame.moves, frame.moves_end)
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
def unmark(known: Known, frame: Record) -> None:
    """Nothing is being searched in a frame any more."""
    if frame.mark:
        place = _place_of_mark(frame.mark)
        if known.marks[place] == frame.mark:
            known.marks[place] = _0
        frame.mark = _0


@compiled(types.int64(KNOWN, FRAME_TYPE, NUMBERS))
def look_again(known: Known, frame: Record, tokens: Any) -> int:
    """The answer to a frame's question, if another thread has found it meanwhile."""
    token = tokens[frame.tokens]
    refresh(known, token >> 1)
    low, high = bound(known.regions, token, V_LOW), bound(known.regions, token, V_HIGH)
    return int(answered(known.head, frame.target, low, high))


@compiled(types.int64(KNOWN, FRAMES, NUMBERS))
def find_answered(known: Known, frames: Any, tokens: Any) -> int:
    """The first frame whose question another thread has answered, -1 if there is none.

    The answer is in `head.result` then; all that is being searched below is marked no more.
    """
    head = known.head
    for depth in range(head.depth):  # the last one has just begun, or will look by itself
        if not is_shared(known, frames[depth], tokens):
            continue
        answer = look_again(known, frames[depth], tokens)
        if answer == UNKNOWN:
            continue
        for below in range(depth, head.depth + 1):
            unmark(known, frames[below])
        head.result = answer
        return int(depth)
    return -1
