"""The legal placements of a square board, as a layer and as a list of moves; compiled.

A kernel puts the points into a layer that it knows at once to be legal. Then it examines the listed
cells outside the layer one by one, from `first_outside` on, and adds those that are legal.
"""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import Moves, State, compiled
from linage_bot.engine.kernels.square.board import BOARD_TYPE, enlist_at
from linage_bot.engine.kernels.square.safe_points import add_to_layer, in_layer
from linage_bot.engine.kernels.square.windows import LAYER, MARGIN, Layer
from linage_bot.engine.kernels.words import Word
from linage_bot.rules.game import PASS

_U = np.uint64
_1, _3 = np.uint64(1), np.uint64(3)


@compiled(types.uint64(BOARD_TYPE, LAYER, types.uint64))
def first_outside(board: State, layer: Layer, place: Word) -> Word:
    """Return the index of the first listed cell outside a layer, from an index on.

    There must be one.
    """
    while in_layer(layer, _U(board.listed[place])):
        place += _1
    return place


@compiled(types.void(BOARD_TYPE, LAYER, types.uint64, types.uint64))
def keep_listed(board: State, layer: Layer, cell: Word, place: Word) -> None:
    """Insert a cell into the list again, at its index, and add it to a layer."""
    enlist_at(board, cell, place)
    add_to_layer(layer, cell)


@compiled(types.int64(BOARD_TYPE, LAYER, Moves))
def list_moves(board: State, layer: Layer, moves: Any) -> int:
    """List the points of a layer, ascending, and a pass behind them; return their number."""
    count, point = 0, 0
    for j in range(_U(MARGIN), _U(MARGIN) + board.flood.rows):
        row = _U(layer[j]) >> _3
        for _ in range(board.columns):  # without branches that depend on the row
            moves[count] = point
            count += int(row & _1)
            row >>= _1
            point += 1
    moves[count] = PASS
    return count
