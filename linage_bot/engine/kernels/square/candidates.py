"""The empty points a playout has still to try: a list to draw from, and points parked beside it.

A placement may be illegal because of one neighbour: the part it would leave that neighbour in
lacks something, a line or enough points. Parts only shrink, so the placement stays illegal until a
stone lands on that neighbour. Until then it is parked: off the list, and not asked about again.

Invariants.
- The list is in no order; `place` says where on it a cell is.
- A cell is listed or parked or neither (a stone, or a point nobody may ever place on again).
- `blocked_by` of a parked cell is the neighbour; of any other, nothing that lies next to it,
  or a point that already has a stone.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import State, compiled
from linage_bot.engine.kernels.square.windows import CELLS, MARGIN, SET, Set, add, cell_of, remove
from linage_bot.engine.kernels.words import Word
from linage_bot.rules.boards import bits
from linage_bot.rules.game import Position

CANDIDATES = np.dtype(
    [
        ("listed", np.uint16, 640),
        ("place", np.uint16, CELLS),  # of a listed cell; else UNLISTED
        ("blocked_by", np.uint16, CELLS),
        ("count", np.uint64),  # listed cells
    ],
    align=True,
)
_CANDIDATES = numba.from_dtype(CANDIDATES)

_U = np.uint64
_0, _1, _5, _32 = map(np.uint64, (0, 1, 5, 32))
UNLISTED = np.uint16(0xFFFF)


@compiled(types.void(_CANDIDATES, types.uint64))
def unlist(candidates: State, cell: Word) -> None:
    """Take a cell off the list, if it is on it."""
    place = candidates.place[cell]
    if place != UNLISTED:
        candidates.count -= _1
        last = candidates.listed[candidates.count]
        candidates.listed[_U(place)] = last
        candidates.place[_U(last)] = place
        candidates.place[cell] = UNLISTED


@compiled(types.void(_CANDIDATES, types.uint64))
def enlist(candidates: State, cell: Word) -> None:
    """Put a cell on the list."""
    candidates.listed[candidates.count] = cell
    candidates.place[cell] = candidates.count
    candidates.count += _1


@compiled(types.void(_CANDIDATES, types.uint64, types.uint64))
def enlist_at(candidates: State, cell: Word, place: Word) -> None:
    """Put a cell on the list at a place; what was there goes to the end."""
    enlist(candidates, cell)
    last = candidates.count - _1
    other = _U(candidates.listed[place])
    candidates.listed[place], candidates.listed[last] = cell, other
    candidates.place[other] = last
    candidates.place[cell] = place


@compiled(types.void(_CANDIDATES, SET, types.uint64))
def put(candidates: State, empty: Set, cell: Word) -> None:
    """A stone lands on a cell that is off the list; points parked because of it return."""
    remove(empty, cell)
    blocked_by = candidates.blocked_by
    for neighbour in (cell - _1, cell + _1, cell - _32, cell + _32):
        if blocked_by[neighbour] == cell:
            enlist(candidates, neighbour)


@compiled(types.void(_CANDIDATES, _CANDIDATES, types.uint64))
def copy_candidates(to: State, source: State, rows: Word) -> None:
    """Make `to` equal to `source`, as far as a board of so many rows goes."""
    for i in range(source.count):
        to.listed[i] = source.listed[i]
    for cell in range(cell_of(_0, _0) - _32, (_U(MARGIN) + rows + _1) << _5):
        to.place[cell] = source.place[cell]
        to.blocked_by[cell] = source.blocked_by[cell]
    to.count = source.count


@compiled(types.void(SET, SET, types.uint64))
def copy_set(to: Set, source: Set, rows: Word) -> None:
    """Make a set of points equal to another, as far as a board of so many rows goes."""
    for j in range(_U(MARGIN) + rows + _1):
        to[j] = source[j]


def list_all(candidates: Any, empty: Any, position: Position) -> None:
    """Fill records of zeros: every empty point of a square board is in `empty` and listed."""
    columns = position.game.board.columns
    candidates["place"][:] = UNLISTED
    for point in bits(position.empty):
        cell = cell_of(point % columns, point // columns)
        add(empty, cell)
        enlist(candidates, cell)
