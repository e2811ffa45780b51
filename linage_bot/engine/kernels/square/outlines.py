"""Keys of regions that are the same however a region is moved, turned or mirrored.

Where nothing but a region's own shape decides what can be played in it, a position is worth what
the collection of its regions is: `outlines_of` tells such collections apart.
"""

from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import compiled
from linage_bot.engine.kernels.square.regions import next_region, unsee
from linage_bot.engine.kernels.square.windows import FLOOD_TYPE, SET, Set
from linage_bot.engine.kernels.words import Word, mixed

_U = np.uint64
_0, _1, _5, _31 = map(np.uint64, (0, 1, 5, 31))
_NUMBERS = np.random.Generator(np.random.PCG64(2016)).integers(1, 1 << 63, 1024, np.uint64)


@compiled(types.uint64(FLOOD_TYPE, types.uint64))
def outline(flood: Any, count: Word) -> Word:
    """The key of the region of so many cells in the queue: the least of its eight images' sums."""
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
def outlines_of(points: Set, flood: Any, least: Word) -> Word:
    """A key of the collection of a set's regions that have at least so many points.

    Its lowest bit is that of the number of all regions.
    """
    unsee(points, flood)
    number = total = _0
    while True:
        count = next_region(flood)
        if not count:
            return total & ~_1 | number & _1
        number += _1
        if count >= least:
            total += outline(flood, count)
