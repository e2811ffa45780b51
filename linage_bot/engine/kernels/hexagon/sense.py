"""Where a stone makes sense in Gardar, by its six neighbours and its enclosure; compiled.

Hints for playouts and for the search, not rules: what they advise against is seldom the best move.
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
    """Whether a playout may put a stone of a player on an empty cell."""
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
    """Whether a player's stone in the enemy's enclosure of one cell takes stones, or saves some.

    It takes those around it that are next to an enclosure of the player's, if no other of the
    enemy's lets them live; it saves the player's own that have another enclosure to live by.
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
    """Whether an empty cell touches four stones of the player's and none of the enemy's."""
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
    """Whether a stone of a player's on an empty cell would stand among six enemies and take none.

    Slow where it has six enemies around, which is seldom: the stone is put there and taken back.
    """
    for step in AROUND:
        if field.stones.on[cell + _U(step)] != _1 - player:
            return False
    place(field, cell, player)
    retract(field, cell, player)
    return bool(field.captured == _0)


@compiled(types.int64(FIELD_TYPE, types.uint64))
def points_left(field: State, player: Word) -> int:
    """How many empty cells make sense for a player's stones and are not inside their own shapes."""
    left = 0
    for i in range(field.stones.empties):
        cell = _U(field.stones.empty[i])
        if is_sensible(field, cell, player) and not is_filling(field, cell, player):
            left += 1
    return left
