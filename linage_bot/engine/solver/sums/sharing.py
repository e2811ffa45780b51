"""Coordination of threads that search the same question, besides the store that they share.

Strategy: each thread marks the move that it searches in a large region. The other threads still try
the first move of a region, as it often is the only one needed. They postpone later moves that are
marked until no other move is left; by then the values of most of them are known (ABDADA, Weill
1996, without counting). From time to time a thread looks up again the questions that it is
searching, and gives up those that another thread has answered.

Invariant: marks and repeated look-ups only change the order in which moves are tried, and when. A
mark that is lost, overwritten or left behind costs time but never changes an answer. So marks are
written without locks, two marks with the same place overwrite each other, and no thread waits. The
first word of the array is not a mark but the flag to stop; without threads it is the only word.
"""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.words import Word, mixed
from linage_bot.engine.solver.budgets import UNKNOWN
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

_SHARED = 14  # the fewest points of a region in which moves are marked
_U = np.uint64
_0, _1 = _U(0), _U(1)


@compiled(types.boolean(KNOWN, FRAME_TYPE, NUMBERS))
def is_shared(known: Known, frame: Record, tokens: Any) -> bool:
    """Return whether other threads may be searching in the same region."""
    if len(known.marks) == 1 or frame.count != 1:
        return False
    return bool(known.regions[tokens[frame.tokens] >> 1].points >= _SHARED)


@compiled(types.uint64(KNOWN, FRAME_TYPE, NUMBERS, types.int64))
def _mark_of(known: Known, frame: Record, tokens: Any, move: int) -> Word:
    """Return the mark of a move of a frame, which is the same in all threads."""
    key = key_of(known.regions, tokens[frame.tokens])
    return mixed(key ^ _U(2 * (move & 0xFF) + frame.phase))


@compiled(types.int64(types.uint64))
def _place_of_mark(mark: Word) -> int:
    """Return the index of a mark in the array.

    If two marks have the same index, only the one written last is kept.
    """
    return int(_1 + (mark & _U(MARKS - 2)))


@compiled(types.int64(KNOWN, FRAME_TYPE, NUMBERS, NUMBERS))
def best_unmarked(known: Known, frame: Record, tokens: Any, moves: Any) -> int:
    """Mark the best move that no other thread is searching, and return its index.

    If other threads are searching all moves, or if this is the frame's first move, the best of all
    moves is taken.
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
    """Remove the mark of the move that was being searched in a frame."""
    if frame.mark:
        place = _place_of_mark(frame.mark)
        if known.marks[place] == frame.mark:
            known.marks[place] = _0
        frame.mark = _0


@compiled(types.int64(KNOWN, FRAME_TYPE, NUMBERS))
def look_again(known: Known, frame: Record, tokens: Any) -> int:
    """Return the answer to a frame's question if another thread has found it, else `UNKNOWN`."""
    token = tokens[frame.tokens]
    refresh(known, token >> 1)
    low, high = bound(known.regions, token, V_LOW), bound(known.regions, token, V_HIGH)
    return int(answered(known.head, frame.target, low, high))


@compiled(types.int64(KNOWN, FRAMES, NUMBERS))
def find_answered(known: Known, frames: Any, tokens: Any) -> int:
    """Return the depth of the first frame whose question another thread has answered, or -1.

    The answer is stored in `head.result`, and the marks of that frame and all deeper ones are
    removed.
    """
    head = known.head
    for depth in range(head.depth):  # the last one has just begun, or looks by itself
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
