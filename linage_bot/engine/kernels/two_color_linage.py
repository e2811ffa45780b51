"""Two-color Linage compiled: playouts as in Linage, and the groups beside owned regions counted.

Strategy. Every empty point is open as long as no region is left without a line, so a playout draws
points from a list and asks the window around each, seldom the board, whether a stone there would
cut a neighbour off from every line; if so the point is parked until a stone lands on that neighbour
(`candidates`, `windows`). Who owns what is asked only when the score is: then regions and groups
are flooded a whole row at a time (`regions`).

Invariants.
- Every empty point is listed or parked, and a parked point is illegal. So what remains listed once
  all were examined is legal, and when nothing is listed neither player can place.
- A stone is First's if it is in `first`, else Second's.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import (
    Kernel,
    Signatures,
    State,
    States,
    compiled,
    level_symmetries,
)
from linage_bot.engine.kernels.square.candidates import (
    CANDIDATES,
    UNLISTED,
    copy_candidates,
    copy_set,
    enlist,
    list_all,
    put,
    unlist,
)
from linage_bot.engine.kernels.square.regions import Layer, size_of, spread
from linage_bot.engine.kernels.square.stranding import stranded_by
from linage_bot.engine.kernels.square.windows import (
    FLOOD,
    MARGIN,
    WORDS,
    cell_of,
    holds,
    point_of,
    points_of,
)
from linage_bot.engine.kernels.words import Word, advance, below
from linage_bot.rules.boards import Points, bits
from linage_bot.rules.game import PASS, Player, Position
from linage_bot.rules.two_color_linage import TwoColorLinagePosition

STATE = np.dtype(
    [
        ("empty", np.uint64, WORDS),
        ("first", np.uint32, WORDS),  # layers: First's stones,
        ("board", np.uint32, WORDS),  # all points,
        ("within", np.uint32, WORDS),  # and scratch
        ("region", np.uint32, WORDS),
        ("owned", np.uint32, WORDS),
        ("candidates", CANDIDATES),
        ("flood", FLOOD),
        ("columns", np.uint64),
        ("komi", np.int64),  # in half points
        ("count_regions", np.int64),  # 1 if the points of owned regions count too
        ("button", np.int64),  # who has it: 0 or 1; 2: nobody yet; 3: there is none
        ("passes", np.int64),  # in succession
        ("to_move", np.int64),
    ],
    align=True,
)
_S = Signatures.over(STATE)

_U = np.uint64
_0, _1, _3, _5, _31 = map(np.uint64, (0, 1, 3, 5, 31))
_BOTTOM = _U(MARGIN)
_BUTTON_FREE, _NO_BUTTON = 2, 3


@compiled(types.void(_S.state, types.int64))
def _find_lines(state: State, kind: int) -> None:
    """Put one point of every line of a kind, 0 horizontal, 1 vertical, into `region`."""
    for j in range(_BOTTOM, _BOTTOM + state.flood.rows):
        found = _U(state.within[j])
        for k in range(_1, state.flood.line):
            found &= _U(state.within[j + k]) if kind else _U(state.within[j]) >> k
        state.region[j] = np.uint32(found)


@compiled(types.int64(_S.state, types.int64))
def _score(state: State, player: int) -> int:
    """What counts for a player, without komi and button."""
    rows = state.flood.rows
    within, region, owned = state.within, state.region, state.owned
    for j in range(_BOTTOM, _BOTTOM + rows + _5):  # a vertical line may be looked for above
        within[j] = np.uint32(state.empty[j] & _U(0xFFFFFFFF))
    _find_lines(state, player)  # a region is owned if it has no line of the player's own number
    spread(region, within, rows)
    for j in range(_BOTTOM, _BOTTOM + rows):
        owned[j] = within[j] & ~region[j]
    score = size_of(owned, rows) if state.count_regions else 0
    for j in range(_BOTTOM, _BOTTOM + rows):
        first = state.first[j]
        within[j] = state.board[j] & ~within[j] & ~first if player else first
        near = owned[j - _1] | owned[j + _1] | owned[j] << np.uint32(1) | owned[j] >> np.uint32(1)
        region[j] = np.uint32(near) & within[j]
    spread(region, within, rows)
    return score + size_of(region, rows)


@compiled(_S.margin)
def margin(state: State) -> int:
    """First's points minus Second's, in half points, as the position stands."""
    half_points: int = 2 * (_score(state, 0) - _score(state, 1)) - state.komi
    if state.button == 0:
        half_points += 1
    elif state.button == 1:
        half_points -= 1
    return half_points


@compiled(types.void(_S.state, types.uint64, types.int64))
def _place(state: State, cell: Word, player: int) -> None:
    """Put a player's stone on a cell that is off the list."""
    put(state.candidates, state.empty, cell)
    state.first[cell >> _5] |= np.uint32(_U(1 - player) << ((cell & _31) + _3))


@compiled(_S.legal)
def legal(state: State, moves: Any) -> int:
    """The legal moves, ascending, then a pass; returns their number, 0 when the game is over."""
    if state.passes == 2:
        return 0
    count, point = 0, 0
    for y in range(state.flood.rows):
        for x in range(state.columns):
            cell = cell_of(x, y)
            if state.candidates.place[cell] != UNLISTED:
                unlist(state.candidates, cell)
                neighbour = stranded_by(state.empty, state.flood, cell)
                if neighbour:
                    state.candidates.blocked_by[cell] = neighbour
                else:
                    enlist(state.candidates, cell)
                    moves[count] = point
                    count += 1
            point += 1
    moves[count] = PASS
    return count + 1


@compiled(_S.play)
def play(state: State, move: int) -> None:
    """Play a legal move."""
    if move == PASS:
        if state.button == _BUTTON_FREE:
            state.button = state.to_move
        else:
            state.passes += 1
    else:
        columns = np.int64(state.columns)
        cell = cell_of(_U(move % columns), _U(move // columns))
        unlist(state.candidates, cell)
        _place(state, cell, state.to_move)
        state.passes = 0
    state.to_move = 1 - state.to_move


@compiled(_S.playout)
def playout(state: State, random: Any, trail: Any) -> int:
    """Random legal placements until there is none; the margin then."""
    trail[0] = 0
    if state.passes == 2:
        return margin(state)
    word = random[_0]
    player = state.to_move
    stones = 0
    while state.candidates.count:
        word = advance(word)
        cell = _U(state.candidates.listed[below(word, state.candidates.count)])
        unlist(state.candidates, cell)
        neighbour = stranded_by(state.empty, state.flood, cell)
        if neighbour:
            state.candidates.blocked_by[cell] = neighbour
        else:
            _place(state, cell, player)
            player = 1 - player
            stones += 1
            trail[_U(stones)] = point_of(cell, state.columns)
    random[_0] = word
    trail[0] = stones
    if state.button == _BUTTON_FREE:  # whoever first finds no placement takes it
        state.button = player
    return margin(state)


@compiled(_S.copy)
def copy(to: State, source: State) -> None:
    """Make `to` equal to `source`; scratch and rows above the board are left alone."""
    rows = source.flood.rows
    copy_set(to.empty, source.empty, rows)
    for j in range(_BOTTOM, _BOTTOM + rows):
        to.first[j], to.board[j] = source.first[j], source.board[j]
    copy_candidates(to.candidates, source.candidates, rows)
    to.flood.rows, to.flood.line = rows, source.flood.line
    to.columns, to.komi, to.count_regions = source.columns, source.komi, source.count_regions
    to.button, to.passes, to.to_move = source.button, source.passes, source.to_move


@compiled(_S.look)
def look(state: State, points: Any) -> Word:
    """The stones; the passes and the button."""
    point = 0
    for y in range(state.flood.rows):
        for x in range(state.columns):
            cell = cell_of(x, y)
            first = _U(state.first[cell >> _5]) >> ((cell & _31) + _3) & _1
            points[point] = 0 if holds(state.empty, cell) else 2 - np.int64(first)
            point += 1
    return _U(state.passes | state.button << 2)


def encode(position: Position) -> States:
    """The state of a position, every empty point listed."""
    position = cast(TwoColorLinagePosition, position)
    game, board = position.game, position.game.board
    states = np.zeros(1, STATE)
    state = states[0]
    state["columns"], state["flood"]["rows"] = board.columns, board.rows
    state["flood"]["line"] = game.line
    state["komi"] = round(2 * game.komi)
    state["count_regions"] = game.count_regions
    state["button"] = _NO_BUTTON if not game.button else _BUTTON_FREE
    if position.button_taker is not None:
        state["button"] = position.button_taker
    state["passes"] = position.passes
    state["to_move"] = position.to_move is Player.SECOND
    _fill_layer(state["board"], board.points, board.columns)
    _fill_layer(state["first"], position.first, board.columns)
    list_all(state["candidates"], state["empty"], position)
    return states


def decode(state: State) -> tuple[Points, Points]:
    """The stones of First and of Second."""
    columns, rows = int(state["columns"]), int(state["flood"]["rows"])
    board, first, empty = (
        points_of(state[name], columns, rows) for name in ("board", "first", "empty")
    )
    return first, board & ~first & ~empty


def _fill_layer(layer: Layer, points: int, columns: int) -> None:
    for point in bits(points):
        layer[MARGIN + point // columns] |= 1 << (point % columns + 3)


KERNEL = Kernel(
    STATE,
    encode,
    decode,
    copy,
    play,
    legal,
    playout,
    margin,
    look=look,
    symmetries=level_symmetries,
)
