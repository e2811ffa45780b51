"""Parity Linage compiled: the exact rules, and playouts that examine a window around each point.

Strategy. A playout draws points at random from a list. It checks for each whether a stone there
would leave some neighbour in a part of the region that breaks the condition. Nearly always the
window around the point shows parts that are large enough, or a line; otherwise the whole board is
searched. If a stone would break the condition, the point is parked until a stone is put on the
neighbour in question (`board`). To list all legal points, most are found at once unless n > 0, and
only the other listed ones are examined.

The regions are counted once, at the end. With the condition `size` and n = 0 even this is
unnecessary: at the end every region is a single point, so there are as many regions as empty
points.

Invariants.
- Every empty point is listed or parked, unless it has been found to be a region of its own. A stone
  on such a point is illegal for ever, since it would decrease the number of regions.
- A parked point p is illegal: a stone on it would leave the part with its neighbour q =
  `blocked_by[p]` without a line, or with n points or fewer. So once all listed points have been
  examined, those still listed are legal.
"""

from typing import Any, cast

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import Signatures, State, States, compiled
from linage_bot.engine.kernels.square.board import (
    BOARD,
    copy_board,
    encode_board,
    put,
    unlist,
)
from linage_bot.engine.kernels.square.lines import may_place
from linage_bot.engine.kernels.square.listing import first_outside, keep_listed, list_moves
from linage_bot.engine.kernels.square.regions import count_regions, outlines_of, reaches, size_of
from linage_bot.engine.kernels.square.safe_points import SAFE, find_connected, find_safe
from linage_bot.engine.kernels.square.windows import (
    CENTRE,
    MARGIN,
    NEXT,
    RIM,
    add,
    cell_in_window,
    filled,
    grown,
    holds,
    padded_at,
    padded_cell,
    padded_point,
    remove,
    window_at,
)
from linage_bot.engine.kernels.tuning import PLAIN_UCT
from linage_bot.engine.kernels.turns import NO_BUTTON, pass_flags
from linage_bot.engine.kernels.words import Word, advance, below, lowest, popcount
from linage_bot.rules.game import PASS, Position
from linage_bot.rules.parity_linage import LINE, ParityLinagePosition

STATE = np.dtype(
    [
        ("board", BOARD),
        ("safe", SAFE),  # scratch of `legal`
        ("most", np.uint64),  # n: a region of n points is too small
        ("lines", np.int64),  # 1 if every region must have a line instead
        ("passing", np.int64),  # 1 if players may pass
        ("passes", np.int64),  # in succession
        ("empties", np.int64),  # the number of empty points
    ],
    align=True,
)
_S = Signatures(STATE)

_U = np.uint64
_0, _1, _2 = map(np.uint64, (0, 1, 2))
_BOTTOM = _U(MARGIN)


@compiled(types.uint64(_S.state, types.uint64, types.uint64, types.uint64))
def _small_part(state: State, cell: Word, left: Word, doubtful: Word) -> Word:
    """Return a neighbour that a stone on `cell` would leave in a part of at most `most` points.

    0 if there is none. `left` is the window without the cell, `doubtful` the neighbours in it.
    """
    while doubtful:
        first = doubtful & -doubtful
        part = grown(grown(first, left), left)
        if popcount(part) <= state.most:
            part = filled(part, left)
            if popcount(part) <= state.most:
                candidate = cell_in_window(cell, lowest(first))
                if not part & RIM:
                    return candidate
                remove(state.board.open, cell)
                enough = reaches(state.board.open, state.board.flood, candidate, state.most + _1)
                add(state.board.open, cell)
                if not enough:
                    return candidate
        doubtful &= ~part
    return _0


@compiled(types.int64(_S.state, types.uint64))
def _examine(state: State, cell: Word) -> int:
    """Return whether a placement is legal on an empty point just removed from the list.

    If not, park the point, unless it is a region of its own.
    """
    if state.lines:
        return may_place(state.board, cell)
    left = window_at(state.board.open, cell) ^ CENTRE
    if not left & NEXT:
        return False  # a region of one point, which is never listed again
    if not state.most:
        return True
    neighbour = _small_part(state, cell, left, left & NEXT)
    if not neighbour:
        return True
    state.board.blocked_by[cell] = neighbour
    return False


@compiled(types.void(_S.state))
def _settle(state: State) -> None:
    """Make the listed points those that are legal, also in `safe.legal`."""
    rows = state.board.flood.rows
    if state.lines:
        find_safe(state.board.open, rows, state.board.flood.line, state.safe)
    elif state.most:
        for j in range(_BOTTOM, _BOTTOM + rows):
            state.safe.legal[j] = 0
    else:
        find_connected(state.board.open, state.safe.legal, rows)
    known = _U(size_of(state.safe.legal, rows))
    place = _0  # listed[:place] are legal
    while known < state.board.count:
        place = first_outside(state.board, state.safe.legal, place)
        cell = _U(state.board.listed[place])
        unlist(state.board, cell)
        if _examine(state, cell):
            known += _1
            keep_listed(state.board, state.safe.legal, cell, place)


@compiled(_S.legal)
def legal(state: State, moves: Any) -> int:
    """List the legal placements, ascending, then a pass if passing is allowed.

    Return the number of moves, which is 0 after the end of the game.
    """
    if state.passes == 2:
        return 0
    _settle(state)
    placements = list_moves(state.board, state.safe.legal, moves)
    return placements + 1 if state.passing else placements


@compiled(_S.score_lead)
def score_lead(state: State) -> int:
    """Return 1 if the number of regions is odd, so that First is ahead, else -1."""
    return 1 if count_regions(state.board.open, state.board.flood) & 1 else -1


@compiled(types.void(_S.state, types.uint64))
def _place(state: State, cell: Word) -> None:
    """Put a stone on a cell that is not listed."""
    put(state.board, cell)
    state.empties -= 1


@compiled(_S.play)
def play(state: State, move: int) -> None:
    """Play a legal move."""
    if move == PASS:
        state.passes += 1
        return
    cell = padded_at(move, state.board.columns)
    unlist(state.board, cell)
    _place(state, cell)
    state.passes = 0


@compiled(_S.playout)
def playout(state: State, random: Any, trail: Any) -> int:
    """Play random legal placements until there are none; return the score lead."""
    trail[0] = 0
    if state.passes == 2:
        return score_lead(state)
    word = random[_0]
    stones = 0
    while state.board.count:
        word = advance(word)
        cell = _U(state.board.listed[below(word, state.board.count)])
        unlist(state.board, cell)
        if _examine(state, cell):
            _place(state, cell)
            stones += 1
            trail[_U(stones)] = padded_point(cell, state.board.columns)
    random[_0] = word
    trail[0] = stones
    if state.lines or state.most:
        return score_lead(state)
    return 1 if state.empties & 1 else -1


@compiled(_S.copy)
def copy(to: State, source: State) -> None:
    """Make `to` equal to `source`, except for scratch and the rows above the board."""
    copy_board(to.board, source.board)
    to.most, to.lines = source.most, source.lines
    to.passing, to.passes, to.empties = source.passing, source.passes, source.empties


@compiled(_S.hash_data)
def hash_data(state: State, points: Any) -> Word:
    """Clear `points`; return a word for the regions' shapes, the parity of their number and passes.

    Nothing else matters. Of a region that can never change, only its existence matters, not its
    shape: unless regions need lines, all regions that one stone would make too small are of this
    kind and are left out.
    """
    points[: state.board.columns * state.board.flood.rows] = 0
    least = _1 if state.lines else state.most + _2
    return outlines_of(state.board.open, state.board.flood, least) << _2 | _U(state.passes)


@compiled(_S.observe)
def observe(state: State, points: Any) -> int:
    """Fill in the stones; return whether a pass would end the game, as a flag."""
    point = 0
    for y in range(state.board.flood.rows):
        for x in range(state.board.columns):
            points[point] = 0 if holds(state.board.open, padded_cell(x, y)) else 1
            point += 1
    return pass_flags(state.passes, NO_BUTTON)


def encode(position: Position) -> States:
    """Return the state of a position, with every empty point listed."""
    position = cast(ParityLinagePosition, position)
    game = position.game
    states = np.zeros(1, STATE)
    state = states[0]
    encode_board(state["board"], position, LINE)
    state["most"] = game.n
    state["lines"] = game.condition == "line"
    state["passing"] = game.passing
    state["passes"] = position.passes
    state["empties"] = position.empty.bit_count()
    return states


# A placement's effect on the parity depends on all others, so samples of later turns are useless.
TUNING = PLAIN_UCT
