"""Two-color Linage compiled: the exact rules, playouts as in Linage, and the score of groups.

Strategy. A placement on any empty point is legal if it leaves no region without a line. So a
playout draws points from a list and checks whether a stone there would cut a neighbour off from
every line; nearly always the window around the point decides this, seldom a search of the board. If
so, the point is parked until a stone is put on that neighbour (`board`, `windows`). To list all
legal points, most are found at once (`safe_points`), and only the other listed ones are examined.
Ownership is computed only for the score: then regions and groups are flooded a whole row at a time
(`regions`).

Invariants.
- Every empty point is listed or parked, and a parked point is illegal. So once all listed points
  have been examined, those still listed are legal; if none is listed, neither player can place.
- A stone is First's if it is in `first`, else Second's.
"""

from typing import Any, cast

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import Signatures, State, States, compiled, level_symmetries
from linage_bot.engine.kernels.square.board import (
    BOARD,
    copy_board,
    encode_board,
    put,
    unlist,
)
from linage_bot.engine.kernels.square.lines import may_place
from linage_bot.engine.kernels.square.listing import first_outside, keep_listed, list_moves
from linage_bot.engine.kernels.square.regions import size_of, spread
from linage_bot.engine.kernels.square.safe_points import SAFE, find_safe
from linage_bot.engine.kernels.square.windows import (
    MARGIN,
    WORDS,
    holds,
    layer_rows,
    padded_at,
    padded_cell,
    padded_point,
)
from linage_bot.engine.kernels.turns import (
    BUTTON_FREE,
    TURNS,
    copy_turns,
    encode_turns,
    end_turn,
    in_half_points,
    pass_flags,
    pass_turn,
    turns_word,
)
from linage_bot.engine.kernels.words import Word, advance, below
from linage_bot.rules.game import PASS, Position
from linage_bot.rules.two_color_linage import TwoColorLinagePosition

STATE = np.dtype(
    [
        ("board", BOARD),
        ("turns", TURNS),
        ("first", np.uint32, WORDS),  # a layer: First's stones
        ("points", np.uint32, WORDS),  # a layer: all points of the board
        ("within", np.uint32, WORDS),  # scratch, also below
        ("region", np.uint32, WORDS),
        ("owned", np.uint32, WORDS),
        ("safe", SAFE),  # scratch of `legal`
        ("count_regions", np.int64),  # 1 if the points of owned regions count too
    ],
    align=True,
)
_S = Signatures(STATE)

_U = np.uint64
_0, _1, _3, _5, _31 = map(np.uint64, (0, 1, 3, 5, 31))
_BOTTOM = _U(MARGIN)


@compiled(types.void(_S.state, types.int64))
def _find_lines(state: State, kind: int) -> None:
    """Set `region` to one point of every line of a kind within `within`.

    `kind`: 0 for horizontal lines, 1 for vertical ones.
    """
    for j in range(_BOTTOM, _BOTTOM + state.board.flood.rows):
        found = _U(state.within[j])
        for k in range(_1, state.board.flood.line):
            found &= _U(state.within[j + k]) if kind else _U(state.within[j]) >> k
        state.region[j] = np.uint32(found)


@compiled(types.int64(_S.state, types.int64))
def _score(state: State, player: int) -> int:
    """Return a player's score without komi and button, in points."""
    rows = state.board.flood.rows
    within, region, owned = state.within, state.region, state.owned
    for j in range(_BOTTOM, _BOTTOM + rows + _5):  # `_find_lines` also reads rows above the board
        within[j] = np.uint32(state.board.open[j] & _U(0xFFFFFFFF))
    _find_lines(state, player)  # First owns regions without horizontal lines, Second vertical
    spread(region, within, rows)
    for j in range(_BOTTOM, _BOTTOM + rows):
        owned[j] = within[j] & ~region[j]
    score = size_of(owned, rows) if state.count_regions else 0
    for j in range(_BOTTOM, _BOTTOM + rows):
        first = state.first[j]
        within[j] = state.points[j] & ~within[j] & ~first if player else first
        near = owned[j - _1] | owned[j + _1] | owned[j] << np.uint32(1) | owned[j] >> np.uint32(1)
        region[j] = np.uint32(near) & within[j]
    spread(region, within, rows)
    return score + size_of(region, rows)


@compiled(_S.score_lead)
def score_lead(state: State) -> int:
    """Return First's score lead in the present position, in half points."""
    lead = _score(state, 0) - _score(state, 1)
    return in_half_points(lead, state.turns.komi, state.turns.button)


@compiled(types.void(_S.state, types.uint64, types.int64))
def _place(state: State, cell: Word, player: int) -> None:
    """Put a player's stone on a cell that is not listed."""
    put(state.board, cell)
    state.first[cell >> _5] |= np.uint32(_U(1 - player) << ((cell & _31) + _3))


@compiled(types.void(_S.state))
def _settle(state: State) -> None:
    """Make the listed points those that are legal, also in `safe.legal`."""
    find_safe(state.board.open, state.board.flood.rows, state.board.flood.line, state.safe)
    known = _U(size_of(state.safe.legal, state.board.flood.rows))
    place = _0  # listed[:place] are legal
    while known < state.board.count:
        place = first_outside(state.board, state.safe.legal, place)
        cell = _U(state.board.listed[place])
        unlist(state.board, cell)
        if may_place(state.board, cell):
            known += _1
            keep_listed(state.board, state.safe.legal, cell, place)


@compiled(_S.legal)
def legal(state: State, moves: Any) -> int:
    """List the legal placements, ascending, then a pass; return their number, 0 after the end."""
    if state.turns.passes == 2:
        return 0
    _settle(state)
    return list_moves(state.board, state.safe.legal, moves) + 1


@compiled(_S.play)
def play(state: State, move: int) -> None:
    """Play a legal move."""
    if move == PASS:
        pass_turn(state.turns)
        return
    cell = padded_at(move, state.board.columns)
    unlist(state.board, cell)
    _place(state, cell, state.turns.to_move)
    end_turn(state.turns)


@compiled(_S.playout)
def playout(state: State, random: Any, trail: Any) -> int:
    """Play random legal placements until there are none; return the score lead."""
    trail[0] = 0
    if state.turns.passes == 2:
        return score_lead(state)
    word = random[_0]
    player = state.turns.to_move
    stones = 0
    while state.board.count:
        word = advance(word)
        cell = _U(state.board.listed[below(word, state.board.count)])
        unlist(state.board, cell)
        if may_place(state.board, cell):
            _place(state, cell, player)
            player = 1 - player
            stones += 1
            trail[_U(stones)] = padded_point(cell, state.board.columns)
    random[_0] = word
    trail[0] = stones
    if state.turns.button == BUTTON_FREE:  # the first player without a placement takes it
        state.turns.button = player
    return score_lead(state)


@compiled(_S.copy)
def copy(to: State, source: State) -> None:
    """Make `to` equal to `source`, except for scratch and the rows above the board."""
    copy_board(to.board, source.board)
    copy_turns(to.turns, source.turns)
    for j in range(_BOTTOM, _BOTTOM + source.board.flood.rows):
        to.first[j], to.points[j] = source.first[j], source.points[j]
    to.count_regions = source.count_regions


@compiled(_S.hash_data)
def hash_data(state: State, points: Any) -> Word:
    """Fill in the stones; return a word for the passes and the button."""
    point = 0
    for y in range(state.board.flood.rows):
        for x in range(state.board.columns):
            cell = padded_cell(x, y)
            first = _U(state.first[cell >> _5]) >> ((cell & _31) + _3) & _1
            points[point] = 0 if holds(state.board.open, cell) else 2 - np.int64(first)
            point += 1
    return turns_word(state.turns)


@compiled(_S.observe)
def observe(state: State, points: Any) -> int:
    """Fill in the stones; return the flags of the passes and the button."""
    hash_data(state, points)
    return pass_flags(state.turns.passes, state.turns.button)


def encode(position: Position) -> States:
    """Return the state of a position, with every empty point listed."""
    position = cast(TwoColorLinagePosition, position)
    states, board = np.zeros(1, STATE), position.game.board
    state = states[0]
    encode_board(state["board"], position, position.game.line)
    encode_turns(state["turns"], position)
    for j, row in layer_rows(board.points, board):
        state["points"][j] = row
    for j, row in layer_rows(position.first, board):
        state["first"][j] = row
    state["count_regions"] = position.game.count_regions
    return states


symmetries = level_symmetries
