"""Floods of whole regions and groups in compiled code, for questions that a window cannot decide.

Sets of points and layers are those of `windows`. In a layer a flood fills a whole row at once.

In some games a region's shape alone decides which moves can be played in it. There the value of a
position depends only on its collection of regions, and stays the same if regions are moved, turned
or mirrored: `outlines_of` is a hash of such a collection.
"""

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import State, compiled
from linage_bot.engine.kernels.square.windows import (
    FLOOD_TYPE,
    LAYER,
    MARGIN,
    SET,
    Layer,
    Set,
    queue_neighbours,
)
from linage_bot.engine.kernels.words import Word, lowest, mixed, popcount

_U = np.uint64
_0, _1, _2, _3, _4, _5, _8, _16 = map(np.uint64, (0, 1, 2, 3, 4, 5, 8, 16))
_31 = _U(31)
_ROW = _U(0xFFFFFFFF)
_BOTTOM = _U(MARGIN)
_NUMBERS = np.random.Generator(np.random.PCG64(2016)).integers(1, 1 << 63, 1024, np.uint64)


@compiled(types.uint64(FLOOD_TYPE, types.uint64, types.uint64))
def _reach(flood: State, start: Word, enough: Word) -> Word:
    """Return the number of cells of `flood.seen` connected with one of them.

    The flood removes the cells that it reaches from `seen`, and stops once it has `enough`.
    """
    seen, queue = flood.seen, flood.queue
    head: Word = _0
    tail: Word = _1
    queue[_0] = start
    seen[start >> _5] &= ~np.uint32(_1 << ((start & _31) + _3))
    while head < tail and tail < enough:
        cell = _U(queue[head])
        head += _1
        tail = queue_neighbours(seen, queue, cell, tail)
    return tail


@compiled(types.void(SET, FLOOD_TYPE))
def mark_unseen(points: Set, flood: State) -> None:
    """Put all points of a set into `flood.seen`, the cells that no flood has reached yet."""
    for j in range(_BOTTOM - _1, _BOTTOM + flood.rows + _1):
        flood.seen[j] = np.uint32(points[j] & _ROW)


@compiled(types.uint64(SET, FLOOD_TYPE, types.uint64, types.uint64))
def reaches(points: Set, flood: State, start: Word, enough: Word) -> Word:
    """Return 1 if a cell of the set is connected with at least `enough` of its cells, else 0.

    The cell itself counts.
    """
    mark_unseen(points, flood)
    return _U(_reach(flood, start, enough) >= enough)


@compiled(types.uint64(FLOOD_TYPE))
def next_region(flood: State) -> Word:
    """Move the cells of a region from `flood.seen` to the queue; return their number, 0 if none."""
    for j in range(_BOTTOM, _BOTTOM + flood.rows):
        if flood.seen[j]:
            return _reach(flood, j << _5 | (lowest(_U(flood.seen[j])) - _3), _ROW)
    return _0


@compiled(types.int64(SET, FLOOD_TYPE))
def count_regions(points: Set, flood: State) -> int:
    """Return the number of connected parts of a set."""
    mark_unseen(points, flood)
    count = 0
    while next_region(flood):
        count += 1
    return count


@compiled(types.uint64(types.uint64, types.uint64))
def _filled_row(region: Word, row: Word) -> Word:
    """Return the runs of a row's points that contain points of a region."""
    # The addition carries from a run's lowest point in the region to the run's upper end.
    region |= row & ~(row + region)
    region |= row & region >> _1
    row &= row >> _1
    region |= row & region >> _2
    row &= row >> _2
    region |= row & region >> _4
    row &= row >> _4
    region |= row & region >> _8
    row &= row >> _8
    return region | row & region >> _16


@compiled(types.void(LAYER, LAYER, types.uint64))
def spread(region: Layer, within: Layer, rows: Word) -> None:
    """Extend a region, a part of `within`, to all points of `within` connected with it."""
    first, beyond = _BOTTOM, _BOTTOM + rows
    for j in range(first, beyond):
        region[j] = np.uint32(
            _filled_row(_U(region[j] | region[j - _1] & within[j]), _U(within[j]))
        )
    changed = True
    while changed:
        changed = False
        for k in range(_1, rows):  # down, from the row below the top
            j = beyond - _1 - k
            if region[j + _1] & within[j] & ~region[j]:
                region[j] = np.uint32(
                    _filled_row(_U(region[j] | region[j + _1] & within[j]), _U(within[j]))
                )
                changed = True
        if not changed:
            return
        changed = False
        for j in range(first + _1, beyond):
            if region[j - _1] & within[j] & ~region[j]:
                region[j] = np.uint32(
                    _filled_row(_U(region[j] | region[j - _1] & within[j]), _U(within[j]))
                )
                changed = True


@compiled(types.int64(LAYER, types.uint64))
def size_of(layer: Layer, rows: Word) -> int:
    """Return the number of points of a layer."""
    size = 0
    for j in range(_BOTTOM, _BOTTOM + rows):
        size += popcount(_U(layer[j]))
    return size


@compiled(types.uint64(FLOOD_TYPE, types.uint64))
def outline(flood: State, count: Word) -> Word:
    """Return the hash of the region in the first `count` cells of the queue.

    It is made from the least of the sums of its eight images, so it is the same for all of them.
    """
    cells = flood.queue
    left = low = _U(1 << 16)
    right = high = _0
    for i in range(count):
        x, y = _U(cells[i]) & _31, _U(cells[i]) >> _5
        left, right = min(left, x), max(right, x)
        low, high = min(low, y), max(high, y)
    best = ~_0
    a, b, c, d, e, f, g, h = _0, _0, _0, _0, _0, _0, _0, _0
    for i in range(count):
        x, y = _U(cells[i]) & _31, _U(cells[i]) >> _5
        west, east, south, north = x - left, right - x, y - low, high - y
        a += _NUMBERS[south << _5 | west]
        b += _NUMBERS[south << _5 | east]
        c += _NUMBERS[north << _5 | west]
        d += _NUMBERS[north << _5 | east]
        e += _NUMBERS[west << _5 | south]
        f += _NUMBERS[west << _5 | north]
        g += _NUMBERS[east << _5 | south]
        h += _NUMBERS[east << _5 | north]
    for each in (a, b, c, d, e, f, g, h):
        best = min(best, each)
    return mixed(best)


@compiled(types.uint64(SET, FLOOD_TYPE, types.uint64))
def outlines_of(points: Set, flood: State, least: Word) -> Word:
    """Return a hash of the collection of a set's regions that have at least `least` points.

    Its lowest bit is the parity of the number of all regions.
    """
    mark_unseen(points, flood)
    number = total = _0
    while True:
        count = next_region(flood)
        if not count:
            return total & ~_1 | number & _1
        number += _1
        if count >= least:
            total += outline(flood, count)
