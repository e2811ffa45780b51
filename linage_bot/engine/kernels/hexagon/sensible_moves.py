"""Sensible placements in Gardar, by a cell's six neighbours and its enclosure; compiled.

These are heuristics for playouts and the search, not rules: a move that they exclude is seldom the
best one.
"""

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import State, compiled
from linage_bot.engine.kernels.hexagon.enclosures import (
    AROUND,
    FIELD_TYPE,
    OUTSIDE,
    SHARED,
    place,
    retract,
)
from linage_bot.engine.kernels.stones import EMPTY
from linage_bot.engine.kernels.words import Word

_U = np.uint64
_0, _1 = map(np.uint64, (0, 1))


@compiled(types.boolean(FIELD_TYPE, types.uint64, types.uint64))
def is_sensible(field: State, cell: Word, player: Word) -> bool:
    """Return whether a playout may put a player's stone on an empty cell.

    It may if neither player controls an enclosure there and some neighbour is empty or the
    player's.
    """
    label = _U(field.label[cell])
    if label != OUTSIDE and field.control[label] != SHARED:
        return False
    on = field.stones.on
    for step in AROUND:
        beside = on[cell + _U(step)]
        if beside == EMPTY or beside == player:  # noqa: SIM109 - this compiles to less
            return True
    return False


@compiled(types.boolean(FIELD_TYPE, types.uint64, types.uint64))
def decides_inside(field: State, cell: Word, player: Word) -> bool:
    """Return whether a stone in an enemy's enclosure of one cell takes stones or saves some.

    It takes enemy stones around it that are next to an enclosure of the player's, unless another
    enclosure keeps them alive. It saves the player's own stones around it that another enclosure
    keeps alive.
    """
    label = _U(field.label[cell])
    if label == OUTSIDE or field.control[label] != _1 - player:
        return False
    on = field.stones.on
    for step in AROUND:
        if on[cell + _U(step)] == EMPTY:
            return False
    for step in AROUND:
        stone = cell + _U(step)
        owner = _U(on[stone])
        threatened, alive = False, False
        for onward in AROUND:
            beside = stone + _U(onward)
            label = _U(field.label[beside])
            if on[beside] == EMPTY and beside != cell and label != OUTSIDE:
                if field.control[label] == _1 - owner:
                    threatened = True
                else:
                    alive = True
        if alive if owner == player else threatened and not alive:
            return True
    return False


@compiled(types.boolean(FIELD_TYPE, types.uint64, types.uint64))
def is_filling(field: State, cell: Word, player: Word) -> bool:
    """Return whether an empty cell touches at least four of the player's stones and no enemy's."""
    own = 0
    for step in AROUND:
        beside = field.stones.on[cell + _U(step)]
        if beside == player:
            own += 1
        elif beside == _1 - player:
            return False
    return own >= 4


@compiled(types.boolean(FIELD_TYPE, types.uint64, types.uint64))
def is_thrown_away(field: State, cell: Word, player: Word) -> bool:
    """Return whether a stone on an empty cell would have six enemy neighbours and take no stone.

    Slow if there are six enemy neighbours, which is rare: the stone is then placed and retracted.
    """
    for step in AROUND:
        if field.stones.on[cell + _U(step)] != _1 - player:
            return False
    place(field, cell, player)
    retract(field, cell, player)
    return bool(field.captured == _0)


@compiled(types.int64(FIELD_TYPE, types.uint64))
def points_left(field: State, player: Word) -> int:
    """Return the number of empty cells that are sensible for a player and not already their own.

    These are the cells that are `is_sensible` but not `is_filling`.
    """
    left = 0
    for i in range(field.stones.empties):
        cell = _U(field.stones.empty[i])
        if is_sensible(field, cell, player) and not is_filling(field, cell, player):
            left += 1
    return left
