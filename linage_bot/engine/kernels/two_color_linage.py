"""Two-color Linage compiled: playouts as in Linage, and the groups beside owned regions counted.

Strategy. Every empty point is open as long as no region is left without a line, so a playout draws
points from a list and asks the window around each, seldom the board, whether a stone there would
cut a neighbour off from every line; if so the point is parked until a stone lands on that neighbour
(`board`, `windows`). Who owns what is asked only when the score is: then regions and groups
are flooded a whole row at a time (`regions`).

Invariants.
- Every empty point is listed or parked, and a parked point is illegal. So what remains listed once
  all were examined is legal, and when nothing is listed neither player can place.
- A stone is First's if it is in `first`, else Second's.
"""

from typing import Any, cast

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import Signatures, State, States, compiled, level_symmetries
from linage_bot.engine.kernels.square.board import (
    BOARD,
    UNLISTED,
    copy_board,
    encode_board,
    enlist,
    put,
    unlist,
)
from linage_bot.engine.kernels.square.lines import may_place
from linage_bot.engine.kernels.square.regions import size_of, spread
from linage_bot.engine.kernels.square.windows import (
    MARGIN,
    WORDS,
    Layer,
    holds,
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
    pass_turn,
    turns_word,
)
from linage_bot.engine.kernels.words import Word, advance, below
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, Position
from linage_bot.rules.two_color_linage import TwoColorLinagePosition

STATE = np.dtype(
    [
        ("board", BOARD),
        ("turns", TURNS),
        ("first", np.uint32, WORDS),  # layers: First's stones,
        ("points", np.uint32, WORDS),  # all points,
        ("within", np.uint32, WORDS),  # and scratch
        ("region", np.uint32, WORDS),
        ("owned", np.uint32, WORDS),
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
    """Put one point of every line of a kind, 0 horizontal, 1 vertical, into `region`."""
    for j in range(_BOTTOM, _BOTTOM + state.board.flood.rows):
        found = _U(state.within[j])
        for k in range(_1, state.board.flood.line):
            found &= _U(state.within[j + k]) if kind else _U(state.within[j]) >> k
        state.region[j] = np.uint32(found)


@compiled(types.int64(_S.state, types.int64))
def _score(state: State, player: int) -> int:
    """What counts for a player, without komi and button."""
    rows = state.board.flood.rows
    within, region, owned = state.within, state.region, state.owned
    for j in range(_BOTTOM, _BOTTOM + rows + _5):  # a vertical line may be looked for above
        within[j] = np.uint32(state.board.open[j] & _U(0xFFFFFFFF))
    _find_lines(state, player)  # a region is owned if it has no line of the player's own number
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


@compiled(_S.margin)
def margin(state: State) -> int:
    """First's points minus Second's, in half points, as the position stands."""
    lead = _score(state, 0) - _score(state, 1)
    return in_half_points(lead, state.turns.komi, state.turns.button)


@compiled(types.void(_S.state, types.uint64, types.int64))
def _place(state: State, cell: Word, player: int) -> None:
    """Put a player's stone on a cell that is off the list."""
    put(state.board, cell)
    state.first[cell >> _5] |= np.uint32(_U(1 - player) << ((cell & _31) + _3))


@compiled(_S.legal)
def legal(state: State, moves: Any) -> int:
    """The legal moves, ascending, then a pass; returns their number, 0 when the game is over."""
    if state.turns.passes == 2:
        return 0
    count, point = 0, 0
    for y in range(state.board.flood.rows):
        for x in range(state.board.columns):
            cell = padded_cell(x, y)
            if state.board.place[cell] != UNLISTED:
                unlist(state.board, cell)
                if may_place(state.board, cell):
                    enlist(state.board, cell)
                    moves[count] = point
                    count += 1
            point += 1
    moves[count] = PASS
    return count + 1


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
    """Random legal placements until there is none; the margin then."""
    trail[0] = 0
    if state.turns.passes == 2:
        return margin(state)
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
    if state.turns.button == BUTTON_FREE:  # whoever first finds no placement takes it
        state.turns.button = player
    return margin(state)


@compiled(_S.copy)
def copy(to: State, source: State) -> None:
    """Make `to` equal to `source`; scratch and rows above the board are left alone."""
    copy_board(to.board, source.board)
    copy_turns(to.turns, source.turns)
    for j in range(_BOTTOM, _BOTTOM + source.board.flood.rows):
        to.first[j], to.points[j] = source.first[j], source.points[j]
    to.count_regions = source.count_regions


@compiled(_S.look)
def look(state: State, points: Any) -> Word:
    """The stones; the passes and the button."""
    point = 0
    for y in range(state.board.flood.rows):
        for x in range(state.board.columns):
            cell = padded_cell(x, y)
            first = _U(state.first[cell >> _5]) >> ((cell & _31) + _3) & _1
            points[point] = 0 if holds(state.board.open, cell) else 2 - np.int64(first)
            point += 1
    return turns_word(state.turns)


def encode(position: Position) -> States:
    """The state of a position, every empty point listed."""
    position = cast(TwoColorLinagePosition, position)
    states, columns = np.zeros(1, STATE), position.game.board.columns
    state = states[0]
    encode_board(state["board"], position, position.game.line)
    encode_turns(state["turns"], position)
    _fill_layer(state["points"], position.game.board.points, columns)
    _fill_layer(state["first"], position.first, columns)
    state["count_regions"] = position.game.count_regions
    return states


def _fill_layer(layer: Layer, points: int, columns: int) -> None:
    for point in bits(points):
        layer[MARGIN + point // columns] |= 1 << (point % columns + 3)


symmetries = level_symmetries
