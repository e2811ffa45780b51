"""Loops over many games at once: steps with the legal moves, observations, and playouts; compiled.

Each loop runs over a slice of the games, so that several threads can share a batch. The slices of
different threads share no game, and no loop takes anything from another game, so the results do not
depend on the number of threads.

The arrays of a batch, with a row for each game: `states`; `listed`, the legal moves as a kernel
lists them; `counts`, their number, which is 0 after the end; `mask`, a truth value for each point
and a last one for the pass; `to_move`; `returns`, First's result after the end; `random`, one word
of a generator's state.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeAlias

import attrs
import numpy as np
from numba import types

from linage_bot.engine.jit.pointers import compiled_with
from linage_bot.engine.kernels.contract import (
    FIRST_HAS,
    PASS_ENDS,
    SECOND_HAS,
    Kernel,
    Moves,
    Random,
    State,
    compiled,
)
from linage_bot.engine.kernels.words import advance, below
from linage_bot.rules.game import PASS

STAY = -2  # in place of a move: none is played, but the legal moves are listed

_Mask = types.Array(types.boolean, 2, "C")
_Listed = types.Array(types.int64, 2, "C")
_Players = types.Array(types.uint8, 1, "C")
_Returns = types.Array(types.float32, 1, "C")
_Means = types.Array(types.float64, 1, "C")
_Chosen = types.Array(types.boolean, 1, "C")  # of games
_Exists = types.Array(types.boolean, 1, "C")  # of points
_Planes = types.Array(types.float32, 3, "C")
_U = np.uint64
_Array: TypeAlias = Any


@compiled(types.int64(Moves, _Mask, Moves))
def first_illegal(moves: _Array, mask: _Array, counts: _Array) -> int:
    """Return the index of the first illegal move, or -1 if all are legal; finished games count not.

    A pass may be `PASS` or the number of points, as which it is written again as `PASS`.
    """
    passing = mask.shape[1] - 1
    for i in range(moves.size):
        move = moves[i]
        if move == passing:
            moves[i] = PASS
        elif move == PASS:
            move = passing
        if counts[i] and not (0 <= move <= passing and mask[i, move]):
            return i
    return -1


def _step_games(
    states: State,
    listed: _Array,
    counts: _Array,
    mask: _Array,
    to_move: _Array,
    returns: _Array,
    moves: _Array,
    start: int,
    stop: int,
    play: Any,
    legal: Any,
    score_lead: Any,
) -> None:
    for i in range(_U(start), _U(stop)):
        state, move = states[i], moves[i]
        if move != STAY:
            if not counts[i]:
                continue
            play(state, move)
            to_move[i] ^= 1
        row, possible = mask[i], listed[i]
        count = legal(state, possible)
        for k in range(_U(row.size)):
            row[k] = False
        for k in range(_U(count)):
            row[possible[k]] = True  # `PASS` is the index of the last one
        counts[i] = count
        returns[i] = 0.0
        if not count:
            returns[i] = np.sign(score_lead(state))


def _restart(
    states: State,
    listed: _Array,
    counts: _Array,
    mask: _Array,
    to_move: _Array,
    returns: _Array,
    which: _Array,
    new_states: State,
    new_listed: _Array,
    new_counts: _Array,
    new_mask: _Array,
    new_to_move: _Array,
    new_returns: _Array,
    copy: Any,
) -> None:
    for i in range(_U(which.size)):
        if which[i]:
            copy(states[i], new_states[0])
            for k in range(new_counts[0]):
                listed[i, k] = new_listed[0, k]
            for k in range(mask.shape[1]):
                mask[i, k] = new_mask[0, k]
            counts[i], to_move[i], returns[i] = new_counts[0], new_to_move[0], new_returns[0]


@compiled(types.void(_Listed, Moves, Random, Moves, types.int64, types.int64))
def choose(
    listed: _Array, counts: _Array, random: _Array, moves: _Array, start: int, stop: int
) -> None:
    """Set `moves` to a random legal move of each game, and to `PASS` for finished ones."""
    for i in range(_U(start), _U(stop)):
        moves[i] = PASS
        if counts[i]:
            random[i] = advance(random[i])
            moves[i] = listed[i, below(random[i], _U(counts[i]))]


def _observe(
    states: State,
    mask: _Array,
    to_move: _Array,
    exists: _Array,
    points: _Array,
    planes: _Array,
    start: int,
    stop: int,
    observe: Any,
) -> None:
    for i in range(_U(start), _U(stop)):
        flags = observe(states[i], points)
        board, legal = planes[i], mask[i]
        for point in range(_U(exists.size)):
            content = points[point]
            board[0, point] = content == 1
            board[1, point] = content == 2
            board[2, point] = content == 0 and exists[point]
            board[3, point] = legal[point]
        board[4] = to_move[i]
        board[5] = 1.0 if flags & PASS_ENDS else 0.0
        board[6] = 1.0 if flags & FIRST_HAS else 0.0
        board[7] = 1.0 if flags & SECOND_HAS else 0.0


def _play_out(
    states: State,
    scratch: State,
    random: _Array,
    trail: _Array,
    means: _Array,
    count: int,
    start: int,
    stop: int,
    copy: Any,
    playout: Any,
) -> None:
    for i in range(start, stop):
        word, total = random[i : i + 1], 0
        for _ in range(count):
            copy(scratch[0], states[i])
            total += np.sign(playout(scratch[0], word, trail))
        means[i] = total / count


@attrs.frozen
class BatchLoops:
    """The loops compiled for a kernel; each begins with the arguments of the function above."""

    step: Callable[..., None]
    restart: Callable[..., None]
    observe: Callable[..., None] | None  # None: the kernel has no observations
    play_out: Callable[..., None]


@functools.cache
def loops_for(kernel: Kernel) -> BatchLoops:
    """Return the loops with the kernel's functions bound, compiled or loaded from disk."""
    states, place = types.Array(kernel.signatures.state, 1, "C"), types.int64
    games = states, _Listed, Moves, _Mask, _Players, _Returns
    step = (*games, Moves, place, place)
    restart = (*games, _Chosen, *games)
    observe = (states, _Mask, _Players, _Exists, Moves, _Planes, place, place)
    play_out = (states, states, Random, Moves, _Means, place, place, place)
    needed = kernel.play, kernel.legal, kernel.score_lead
    return BatchLoops(
        compiled_with(needed, _step_games, types.void, step),
        compiled_with((kernel.copy,), _restart, types.void, restart),
        None
        if kernel.observe is None
        else compiled_with((kernel.observe,), _observe, types.void, observe),
        compiled_with((kernel.copy, kernel.playout), _play_out, types.void, play_out),
    )
