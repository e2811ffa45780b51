"""Bridges on a hexagonal board, compiled: pairs of stones that either of two empty cells connects.

The two cells are neighbours of each other. If the enemy plays on one of them, the owner answers on
the other, so the stones cannot be separated. This is the best-known shape of Hex and Havannah, and
the first that playouts of those games used.
"""

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import State, compiled
from linage_bot.engine.kernels.hexagon.enclosures import AROUND
from linage_bot.engine.kernels.stones import EMPTY, STONES_TYPE
from linage_bot.engine.kernels.words import Word

_U = np.uint64
_0 = _U(0)


@compiled(types.uint64(STONES_TYPE, types.uint64, types.uint64, types.uint64))
def other_cell(stones: State, cell: Word, player: Word, start: Word) -> Word:
    """Return the other cell of a player's bridge after the enemy played on `cell`.

    0 if there is none, or if the player's stones around the other cell connect the two already. Of
    several it is the first, going around `cell` from the direction `start`, which is below 6.
    """
    on = stones.on
    first = np.int64(start)
    for direction in range(first, first + 6):
        other = cell + _U(AROUND[direction % 6])
        if (
            on[other] == EMPTY
            and on[cell + _U(AROUND[(direction + 5) % 6])] == player
            and on[cell + _U(AROUND[(direction + 1) % 6])] == player
        ):
            for turned in range(5, 8):  # the three neighbours of `other` on its far side
                if on[other + _U(AROUND[(direction + turned) % 6])] != player:
                    return other
    return _0
