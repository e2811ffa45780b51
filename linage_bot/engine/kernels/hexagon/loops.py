"""Perimeter loops on a hexagonal board, which score in Gardar; compiled.

Strategy. A group without holes has no loop, and most groups have no holes. The number of holes
follows from counts alone: stones - pairs of neighbours + triangles of neighbours = 1 - holes
(Euler). Only for groups with holes are the floods of the definition done.
"""

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import State, compiled
from linage_bot.engine.kernels.hexagon.enclosures import AROUND
from linage_bot.engine.kernels.stones import (
    BORDERED_CELLS,
    EMPTY,
    LISTED,
    OFF,
    STONES_TYPE,
    bordered_cell,
    fresh_mark,
)
from linage_bot.engine.kernels.words import Word

LOOPS = np.dtype(
    [
        ("kind", np.uint8, BORDERED_CELLS),
        ("group", np.uint16, LISTED),
        ("queue", np.uint16, LISTED),
    ],
    align=True,
)
LOOPS_TYPE = numba.from_dtype(LOOPS)

_U = np.uint64
_0, _1, _5 = map(np.uint64, (0, 1, 5))
# The kinds of cells for one group; a cell that is neither its stone nor outside is in a hole.
_HOLE, _GROUP, _RIM, _OUTSIDE, _INSIDE = 0, 1, 2, 3, 4


@compiled(types.uint64(STONES_TYPE, LOOPS_TYPE, types.uint64, types.uint64))
def _holes(stones: State, loops: State, start: Word, mark: Word) -> Word:
    """Return the number of holes of a stone's group.

    Afterwards the group's stones are marked with `mark` and listed in `group`, followed by a zero.
    """
    on, player = stones.on, stones.on[start]
    group = loops.group
    group[0] = start
    stones.mark[start] = mark
    head, tail = _0, _1
    sixths = 0
    while head < tail:
        cell = _U(group[head])
        head += _1
        before = on[cell + _U(AROUND[5])] == player
        for step in AROUND:
            beside = cell + _U(step)
            mine = on[beside] == player
            if mine:
                sixths -= 3  # each pair is counted twice
                if before:
                    sixths += 2  # each triangle is counted three times
                if stones.mark[beside] != mark:
                    stones.mark[beside] = mark
                    group[tail] = beside
                    tail += _1
            before = mine
    group[tail] = 0
    return _U(1 - sixths // 6) - tail


@compiled(types.void(STONES_TYPE, LOOPS_TYPE, types.uint64, types.uint64, types.uint64))
def _spread(stones: State, loops: State, queued: Word, through: Word, into: Word) -> None:
    """Flood from the queued cells through cells of kinds up to `through`, and make them `into`."""
    kind, queue = loops.kind, loops.queue
    head, tail = _0, queued
    while head < tail:
        cell = _U(queue[head])
        head += _1
        for step in AROUND:
            beside = cell + _U(step)
            if stones.on[beside] != OFF and kind[beside] <= through:
                kind[beside] = into
                queue[tail] = beside
                tail += _1


@compiled(types.boolean(STONES_TYPE, types.uint64))
def _at_edge(stones: State, cell: Word) -> bool:
    for step in AROUND:  # noqa: SIM110 - Numba compiles no generator expressions
        if stones.on[cell + _U(step)] == OFF:
            return True
    return False


@compiled(types.boolean(LOOPS_TYPE, types.uint64, types.uint64))
def _is_beside(loops: State, cell: Word, kind: Word) -> bool:
    """Return whether a neighbour of a cell is of a kind."""
    for step in AROUND:  # noqa: SIM110
        if loops.kind[cell + _U(step)] == kind:
            return True
    return False


@compiled(types.int64(STONES_TYPE, LOOPS_TYPE))
def _loop_stones_of_group(stones: State, loops: State) -> int:
    """Return the number of stones in the perimeter loop of `group`, which has holes."""
    kind, group, queue = loops.kind, loops.group, loops.queue
    for y in range(stones.rows):  # only these cells are ever written
        for x in range(stones.columns):
            kind[bordered_cell(x, y)] = _HOLE
    size: Word = _0
    while group[size]:
        kind[_U(group[size])] = _GROUP
        size += _1
    queued: Word = _0
    for y in range(stones.rows):
        for x in range(stones.columns):
            cell = bordered_cell(x, y)
            if stones.on[cell] != OFF and kind[cell] == _HOLE and _at_edge(stones, cell):
                kind[cell] = _OUTSIDE
                queue[queued] = cell
                queued += _1
    _spread(stones, loops, queued, _U(_HOLE), _U(_OUTSIDE))
    for i in range(size):
        stone = _U(group[i])
        if _at_edge(stones, stone) or _is_beside(loops, stone, _U(_OUTSIDE)):
            kind[stone] = _RIM
    queued = _0
    for y in range(stones.rows):
        for x in range(stones.columns):
            cell = bordered_cell(x, y)
            if stones.on[cell] != OFF and kind[cell] == _HOLE:
                kind[cell] = _INSIDE
                queue[queued] = cell
                queued += _1
    _spread(stones, loops, queued, _U(_GROUP), _U(_INSIDE))
    count = 0
    for i in range(size):
        stone = _U(group[i])
        if kind[stone] == _RIM and _is_beside(loops, stone, _U(_INSIDE)):
            count += 1
    return count


@compiled(types.int64(STONES_TYPE, LOOPS_TYPE))
def loop_lead(stones: State, loops: State) -> int:
    """Return the number of stones in First's perimeter loops minus that in Second's."""
    mark = fresh_mark(stones)
    lead = 0
    for y in range(stones.rows):
        for x in range(stones.columns):
            cell = bordered_cell(x, y)
            player = stones.on[cell]
            counted = stones.mark[cell] == mark
            if player < EMPTY and not counted and _holes(stones, loops, cell, mark):
                found = _loop_stones_of_group(stones, loops)
                lead += found if player == 0 else -found
    return lead
