"""The parts that a stone would split off from a region, found for all points by one walk; compiled.

Strategy. A walk goes through the region depth first and numbers the points as it enters them. Those
that it enters from one neighbour of a point, until it is back at the point, are a *branch* of the
point; their numbers follow one another. Without the point, a branch is connected with the rest of
the region only if one of its points has a neighbour that was entered before the point (Tarjan,
"Depth-first search and linear graph algorithms", 1972). So the least number next to a branch tells
whether the point splits it off.

The lines that begin in a branch are counted by sums over all points entered so far. A line is
represented by its lowest or leftmost point.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import MOST_MOVES, State, compiled
from linage_bot.engine.kernels.square.windows import LAYER, MARGIN, WORDS, Layer
from linage_bot.engine.kernels.words import Word, lowest

WALK = np.dtype(
    [
        ("columns", np.uint64),  # of the board
        ("left", np.uint32, WORDS),  # points of the region that are not entered yet
        ("path", np.uint16, MOST_MOVES),  # row and bit of each point from the first to the present
        ("number", np.uint16, MOST_MOVES),  # by point: 1 for the one that is entered first
        # By number, for a point and all its branches:
        ("last", np.uint16, MOST_MOVES),  # the greatest number in them
        ("back", np.uint16, MOST_MOVES),  # the least number in them or next to them
        # The lines that begin in all points up to a number:
        ("upright", np.uint16, MOST_MOVES),
        ("across", np.uint16, MOST_MOVES),
    ],
    align=True,
)
WALK_TYPE = numba.from_dtype(WALK)
COUNTS = types.UniTuple(types.int64, 3)  # type: ignore[no-untyped-call]  # Numba's
PAIR = types.UniTuple(types.uint64, 2)  # type: ignore[no-untyped-call]  # Numba's

_U = np.uint64
_0, _1, _3, _4, _5, _31 = map(np.uint64, (0, 1, 3, 4, 5, 31))
_BOTTOM = _U(MARGIN)
BELOW, LEFT, RIGHT, ABOVE = map(np.uint64, (1, 2, 4, 8))


@compiled(types.uint64(LAYER, types.uint64, types.uint64))
def neighbours(layer: Layer, j: Word, bit: Word) -> Word:
    """Return which of a point's neighbours are in a layer: `BELOW`, `LEFT`, `RIGHT`, `ABOVE`."""
    beside = _U(layer[j]) >> (bit - _1)
    below, above = _U(layer[j - _1]) >> bit & _1, _U(layer[j + _1]) >> bit & _1
    return below | (beside & _1) << _1 | (beside & _4) | above << _3


@compiled(PAIR(types.uint64, types.uint64, types.uint64))
def _neighbour(j: Word, bit: Word, to: Word) -> tuple[Word, Word]:
    """Return the row and the bit of the neighbour `to` of a point."""
    if to & (BELOW | ABOVE):
        return j + _1 if to & ABOVE else j - _1, bit
    return j, bit + _1 if to & RIGHT else bit - _1


@compiled(types.uint64(WALK_TYPE, types.uint64, types.uint64))
def _point(walk: State, j: Word, bit: Word) -> Word:
    return (j - _BOTTOM) * walk.columns + bit - _3


@compiled(types.uint64(WALK_TYPE, types.uint64, types.uint64))
def _number(walk: State, j: Word, bit: Word) -> Word:
    return _U(walk.number[_point(walk, j, bit)])


@compiled(types.void(WALK_TYPE, LAYER, LAYER, LAYER, types.uint64, types.uint64))
def go_through(
    walk: State, region: Layer, upright: Layer, across: Layer, rows: Word, columns: Word
) -> None:
    """Walk through a region, given with the points in which lines begin."""
    walk.columns = columns
    j = _0
    for k in range(_BOTTOM - _1, _BOTTOM + rows + _1):
        walk.left[k] = region[k]
        if region[k] and not j:
            j = _U(k)
    bit = lowest(_U(region[j]))
    depth, number = _0, _0
    while True:
        number += _1
        walk.path[depth] = j << _5 | bit
        walk.left[j] &= ~np.uint32(_1 << bit)
        walk.number[_point(walk, j, bit)] = number
        walk.upright[number] = walk.upright[number - _1] + (_U(upright[j]) >> bit & _1)
        walk.across[number] = walk.across[number - _1] + (_U(across[j]) >> bit & _1)
        back, free = number, neighbours(walk.left, j, bit)
        entered = neighbours(region, j, bit) & ~free
        while entered:
            y, x = _neighbour(j, bit, entered & (~entered + _1))
            back = min(back, _number(walk, y, x))
            entered &= entered - _1
        walk.back[number] = back
        while not free:  # return to the point before
            here = _number(walk, j, bit)
            walk.last[here] = number
            if not depth:
                return
            depth -= _1
            j, bit = _U(walk.path[depth]) >> _5, _U(walk.path[depth]) & _31
            before = _number(walk, j, bit)
            walk.back[before] = min(walk.back[before], walk.back[here])
            free = neighbours(walk.left, j, bit)
        depth += _1
        j, bit = _neighbour(j, bit, free & (~free + _1))


@compiled(types.uint64(WALK_TYPE, types.uint64, types.uint64, types.uint64))
def split_off(walk: State, j: Word, bit: Word, to: Word) -> Word:
    """Return the first number in the branch of a point that holds its neighbour `to`.

    Return 0 if a stone on the point does not split this branch off from where the walk began, or if
    the neighbour is not in a branch.
    """
    y, x = _neighbour(j, bit, to)
    point, neighbour = _number(walk, j, bit), _number(walk, y, x)
    if neighbour < point:
        return _0
    first = point + _1
    while _U(walk.last[first]) < neighbour:
        first = _U(walk.last[first]) + _1
    return first if _U(walk.back[first]) >= point else _0


@compiled(COUNTS(WALK_TYPE, types.uint64))
def counts_from(walk: State, first: Word) -> Any:
    """Return the numbers of points, vertical lines and horizontal lines that begin in a branch."""
    last, before = _U(walk.last[first]), first - _1
    return (
        np.int64(last - before),
        np.int64(walk.upright[last]) - np.int64(walk.upright[before]),
        np.int64(walk.across[last]) - np.int64(walk.across[before]),
    )
