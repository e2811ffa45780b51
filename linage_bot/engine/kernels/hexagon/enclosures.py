"""Enclosures and dead stones on a hexagonal board, updated after every stone; compiled.

Strategy. Every empty cell has a label: one of the cells of its enclosure, or `OUTSIDE` if its
region touches the edge. A stone can only split the region in which it is placed, and only if the
empty cells around it are not connected there, or if it is on the edge. Then each part is flooded
until it reaches the edge. So for most stones it is enough to examine six neighbours.

A stone of either player *waits* to be judged if its surroundings, or those of another stone of its
group, have changed: a stone was placed or removed next to it, or an enclosure next to it was made,
changed or opened. A placement judges only the waiting enemy stones; nothing has changed for all
others.

Invariants, before and after each `place`.
- Labels and `control` are those of the position; a label is a cell of its enclosure.
- A dead stone waits, or some stone of its group waits. Each waiting stone is listed exactly once.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import State, compiled
from linage_bot.engine.kernels.stones import (
    BORDERED_CELLS,
    EMPTY,
    LISTED,
    OFF,
    STONES,
    copy_stones,
    fresh_mark,
    put,
    take,
)
from linage_bot.engine.kernels.words import Word

AROUND = (1, 33, 32, -1, -33, -32)  # the steps to the neighbours, going around
OUTSIDE = 0
SHARED = 2  # the control of an enclosure: this, or a player

FIELD = np.dtype(
    [
        ("stones", STONES),
        ("label", np.uint16, BORDERED_CELLS),  # of empty cells
        ("control", np.uint8, BORDERED_CELLS),  # by label
        ("waits", np.uint8, BORDERED_CELLS),  # 1 for stones in `waiting`, else 0
        ("waiting", np.uint16, (2, LISTED)),
        ("waiters", np.uint64, 2),
        ("captured", np.uint64),  # the number that the last placement removed: taken[:captured]
        ("taken", np.uint16, LISTED),
        ("queue", np.uint16, LISTED),  # scratch
    ],
    align=True,
)
FIELD_TYPE = numba.from_dtype(FIELD)

_U = np.uint64
_0, _1, _5 = map(np.uint64, (0, 1, 5))
_LIVES, _DEAD, _STIFLED = 0, 1, 2
_UNKNOWN = 0xFFFF  # the label of a cell just vacated


@compiled(types.void(FIELD_TYPE, types.uint64))
def _wait(field: State, cell: Word) -> None:
    """Make a stone wait to be judged, as its surroundings have changed."""
    if not field.waits[cell]:
        player = _U(field.stones.on[cell])
        field.waits[cell] = 1
        field.waiting[player, field.waiters[player]] = cell
        field.waiters[player] += _1


@compiled(types.void(FIELD_TYPE, types.uint64))
def _mark_waiting(field: State, cell: Word) -> None:
    """Make all stones next to a cell wait to be judged."""
    on = field.stones.on
    for step in AROUND:
        beside = cell + _U(step)
        if on[beside] < EMPTY:
            _wait(field, beside)


@compiled(types.uint64(FIELD_TYPE, types.uint64, types.boolean))
def _enclosed(field: State, start: Word, labelled: bool) -> Word:
    """Return the size of the region of an empty cell if it is an enclosure, else 0.

    `queue` then holds its cells. `labelled`: whether the label `OUTSIDE` of one of its cells proves
    that the region touches the edge.
    """
    stones, queue = field.stones, field.queue
    mark = fresh_mark(stones)
    queue[0] = start
    stones.mark[start] = mark
    head, tail = _0, _1
    while head < tail:
        cell = _U(queue[head])
        head += _1
        for step in AROUND:
            beside = cell + _U(step)
            on = stones.on[beside]
            if on == EMPTY:
                if stones.mark[beside] != mark:
                    if labelled and field.label[beside] == OUTSIDE:
                        return _0
                    stones.mark[beside] = mark
                    queue[tail] = beside
                    tail += _1
            elif on == OFF:
                return _0
    return tail


@compiled(types.void(FIELD_TYPE, types.uint64))
def _label(field: State, size: Word) -> None:
    """Label the `size` queued cells as an enclosure, and set its control; its neighbours wait."""
    stones, label = field.stones, field.queue[0]
    mark = fresh_mark(stones)
    lead = 0
    for i in range(size):
        cell = _U(field.queue[i])
        field.label[cell] = label
        for step in AROUND:
            beside = cell + _U(step)
            if stones.on[beside] < EMPTY and stones.mark[beside] != mark:
                stones.mark[beside] = mark
                lead += 1 if stones.on[beside] == 0 else -1
                _wait(field, beside)
    field.control[_U(label)] = 0 if lead > 0 else 1 if lead < 0 else SHARED


@compiled(types.void(FIELD_TYPE, types.uint64))
def _open(field: State, start: Word) -> None:
    """Label as `OUTSIDE` all cells connected with a cell through cells with other labels.

    Such cells were in enclosures or have just been vacated. The stones next to them wait.
    """
    stones, queue = field.stones, field.queue
    queue[0] = start
    field.label[start] = OUTSIDE
    head, tail = _0, _1
    while head < tail:
        cell = _U(queue[head])
        head += _1
        for step in AROUND:
            beside = cell + _U(step)
            on = stones.on[beside]
            if on == EMPTY:
                if field.label[beside] != OUTSIDE:
                    field.label[beside] = OUTSIDE
                    queue[tail] = beside
                    tail += _1
            elif on != OFF:
                _wait(field, beside)


@compiled(types.void(FIELD_TYPE, types.uint64))
def _split(field: State, cell: Word) -> None:
    """Label the parts of the region in which a stone was placed."""
    on, was = field.stones.on, field.label[cell]
    parts, at_edge = 0, False
    before = on[cell + _U(AROUND[5])]
    for step in AROUND:
        beside = on[cell + _U(step)]
        if beside == EMPTY and before != EMPTY:
            parts += 1
        at_edge |= beside == OFF
        before = beside
    if was == OUTSIDE and not at_edge and parts < 2:
        return
    before = on[cell + _U(AROUND[5])]
    for step in AROUND:
        beside = cell + _U(step)
        # If all six cells around are empty, none is the first of a part, and `parts` is 0.
        if on[beside] == EMPTY and (before != EMPTY or parts == 0) and field.label[beside] == was:
            size = _enclosed(field, beside, False)
            if size:
                _label(field, size)
            if parts == 0:
                return
        before = on[beside]


@compiled(types.int64(FIELD_TYPE, types.uint64, types.uint64))
def _stone_status(field: State, cell: Word, enemy: Word) -> int:
    """Return a stone's status by the empty cells next to it; `_STIFLED` if there are none.

    `_DEAD` if it is next to an enclosure that the enemy controls and to no other, else `_LIVES`.
    """
    status = _STIFLED
    for step in AROUND:
        beside = cell + _U(step)
        if field.stones.on[beside] == EMPTY:
            label = _U(field.label[beside])
            if label == OUTSIDE:
                if status == _STIFLED:
                    status = _LIVES
            elif field.control[label] == enemy:
                status = _DEAD
            else:
                return _LIVES
    return status


@compiled(types.uint64(FIELD_TYPE, types.uint64))
def _size_without_liberties(field: State, start: Word) -> Word:
    """Return the size of a stone's group if no cell next to the group is empty, else 0.

    `queue` then holds its cells.
    """
    stones, queue = field.stones, field.queue
    mark, player = fresh_mark(stones), stones.on[start]
    queue[0] = start
    stones.mark[start] = mark
    head, tail = _0, _1
    while head < tail:
        cell = _U(queue[head])
        head += _1
        for step in AROUND:
            beside = cell + _U(step)
            on = stones.on[beside]
            if on == EMPTY:
                return _0
            if on == player and stones.mark[beside] != mark:
                stones.mark[beside] = mark
                queue[tail] = beside
                tail += _1
    return tail


@compiled(types.void(FIELD_TYPE, types.uint64))
def _list_dead_stones(field: State, player: Word) -> None:
    """List a player's dead stones as captured; afterwards none of the player's stones waits."""
    field.captured = _0
    taken, waits, enemy = field.taken, field.waits, _1 - player
    for i in range(field.waiters[player]):
        cell = _U(field.waiting[player, i])
        if waits[cell] and field.stones.on[cell] == player:
            status = _stone_status(field, cell, enemy)
            if status == _DEAD:
                taken[field.captured] = cell
                field.captured += _1
            elif status == _STIFLED:
                size = _size_without_liberties(field, cell)
                for k in range(size):
                    taken[field.captured] = field.queue[k]
                    waits[_U(field.queue[k])] = 0
                    field.captured += _1
        waits[cell] = 0
    field.waiters[player] = _0


@compiled(types.void(FIELD_TYPE))
def _remove_captured(field: State) -> None:
    """Remove the captured stones from the board and label the cells that become empty."""
    for i in range(field.captured):
        cell = _U(field.taken[i])
        take(field.stones, cell)
        field.label[cell] = _UNKNOWN
    for i in range(field.captured):
        cell = _U(field.taken[i])
        _mark_waiting(field, cell)
        if field.label[cell] == _UNKNOWN:
            size = _enclosed(field, cell, True)
            if size:
                _label(field, size)
            else:
                _open(field, cell)


@compiled(types.void(FIELD_TYPE, types.uint64, types.uint64))
def place(field: State, cell: Word, player: Word) -> None:
    """Put a player's stone on an empty cell, and remove the enemy stones that are dead then."""
    put(field.stones, cell, player)
    _wait(field, cell)
    _mark_waiting(field, cell)
    _split(field, cell)
    _list_dead_stones(field, _1 - player)
    _remove_captured(field)


@compiled(types.void(FIELD_TYPE))
def survey(field: State) -> None:
    """Find all enclosures from scratch, and make every stone wait."""
    stones = field.stones
    field.waiters[0], field.waiters[1] = _0, _0
    for cell in range((stones.rows + _1) << _5):
        field.waits[cell] = 0
    for i in range(stones.empties):
        field.label[_U(stones.empty[i])] = _UNKNOWN
    for cell in range((stones.rows + _1) << _5):
        if stones.on[cell] < EMPTY:
            _wait(field, cell)
        elif stones.on[cell] == EMPTY and field.label[cell] == _UNKNOWN:
            size = _enclosed(field, cell, True)
            if size:
                _label(field, size)
            else:
                _open(field, cell)


@compiled(types.void(FIELD_TYPE, types.uint64, types.uint64))
def retract(field: State, cell: Word, player: Word) -> None:
    """Undo the last `place`; the captured stones stay listed. Slow, and seldom needed."""
    take(field.stones, cell)
    for i in range(field.captured):
        put(field.stones, _U(field.taken[i]), _1 - player)
    survey(field)


@compiled(types.void(FIELD_TYPE, FIELD_TYPE))
def copy_field(to: Any, source: Any) -> None:
    """Make `to` equal to `source`, except for scratch; both must come from the same game."""
    copy_stones(to.stones, source.stones)
    cells = (source.stones.rows + _1) << _5
    for cell in range(cells):
        to.label[cell] = source.label[cell]
    for cell in range(cells):
        to.control[cell] = source.control[cell]
    for cell in range(cells):
        to.waits[cell] = source.waits[cell]
    for player in range(_U(2)):
        for i in range(source.waiters[player]):
            to.waiting[player, i] = source.waiting[player, i]
        to.waiters[player] = source.waiters[player]
