"""What placements promise before any search: how much each is likely to change its region's mean.

A position is a sum of regions, and the mean of a sum is the sum of the means. The mean of a region
of `n` points with `v` upright and `h` level lines is estimated at

    n (v^1.5 - h^1.5) / (v^1.5 + h^1.5)    points, V - H;

for an owned region that is exact. What a placement promises is the change it makes to the sum of
these estimates, hence to its own region's: what the tax is to a thermograph, the gain is to a hot
region. The exponent is the one that fits best what deep searches say of 9x9 positions.

Sets of points are layers, as in `regions`; lines are known by their lowest or leftmost points.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import Gains, Moves, State, compiled
from linage_bot.engine.kernels.square.board import BOARD_TYPE
from linage_bot.engine.kernels.square.regions import spread
from linage_bot.engine.kernels.square.rings import TOGETHER
from linage_bot.engine.kernels.square.small_regions import bounds_of
from linage_bot.engine.kernels.square.windows import LAYER, MARGIN, WORDS, Layer
from linage_bot.engine.kernels.words import Word, popcount
from linage_bot.rules.game import PASS

SURVEY = np.dtype(
    [
        ("columns", np.uint64),  # the board's facts
        ("rows", np.uint64),
        ("line", np.uint64),
        ("open", np.uint32, WORDS),
        ("unseen", np.uint32, WORDS),
        ("upright", np.uint32, WORDS),
        ("across", np.uint32, WORDS),
        ("region", np.uint32, WORDS),  # the one looked at
        ("part", np.uint32, WORDS),
    ],
    align=True,
)
SURVEY_TYPE = numba.from_dtype(SURVEY)
_PAIR = types.UniTuple(types.int64, 2)  # type: ignore[no-untyped-call]  # Numba's
_COUNTS = types.UniTuple(types.int64, 3)  # type: ignore[no-untyped-call]  # Numba's

_U = np.uint64
_0, _1, _2, _3, _4, _5, _6, _7 = map(np.uint64, range(8))
_NONE = np.uint32(0)
_ROW = _U(0xFFFFFFFF)
_POWERS = np.arange(25 * 25) ** 1.5  # of as many lines as a board may have; roots take long
_BOTTOM = _U(MARGIN)


@compiled(types.float64(types.int64, types.int64, types.int64))
def _estimate(points: int, upright: int, across: int) -> float:
    """The mean of a region with so many lines, at least one."""
    v, h = _POWERS[_U(upright)], _POWERS[_U(across)]
    mean: float = points * (v - h) / (v + h)
    return mean


@compiled(types.void(SURVEY_TYPE, BOARD_TYPE))
def _look(survey: State, board: State) -> None:
    """Note the rows and lines of a board's open points, and that none of its regions was seen."""
    rows, line = board.flood.rows, board.flood.line
    survey.columns, survey.rows, survey.line = board.columns, rows, line
    for j in range(_BOTTOM - _1, _BOTTOM + rows + _5):
        survey.open[j] = np.uint32(board.open[j] & _ROW) if j < _BOTTOM + rows else _NONE
        survey.unseen[j] = survey.open[j]
    for j in range(_BOTTOM, _BOTTOM + rows):
        across = upright = survey.open[j]
        for k in range(_1, line):
            across &= survey.open[j] >> np.uint32(k)
            upright &= survey.open[j + k]
        survey.across[j], survey.upright[j] = across, upright


@compiled(types.void(SURVEY_TYPE, types.uint64))
def _take_region(survey: State, j: Word) -> None:
    """Make `region` the one of the lowest point not yet seen in row j, which is seen then."""
    region, left, rows = survey.region, survey.unseen, survey.rows
    for k in range(_BOTTOM - _1, _BOTTOM + rows + _1):
        region[k] = _NONE
    region[j] = left[j] & (~left[j] + np.uint32(1))
    spread(region, survey.open, rows)
    for k in range(_BOTTOM, _BOTTOM + rows):
        left[k] &= ~region[k]


@compiled(_COUNTS(SURVEY_TYPE, LAYER))
def _counts(survey: State, region: Layer) -> tuple[int, int, int]:
    """The points, upright and level lines of a region."""
    points = upright = across = 0
    for j in range(_BOTTOM, _BOTTOM + survey.rows):
        row = _U(region[j])
        points += popcount(row)
        upright += popcount(row & _U(survey.upright[j]))
        across += popcount(row & _U(survey.across[j]))
    return points, upright, across


@compiled(_PAIR(SURVEY_TYPE, LAYER, types.uint64, types.uint64))
def _broken(survey: State, points: Layer, j: Word, bit: Word) -> tuple[int, int]:
    """How many upright and level lines through a point begin in a set of points."""
    line = survey.line
    begins = _U(survey.across[j] & points[j]) << _5 >> (bit + _6 - line)
    across = popcount(begins & ((_1 << line) - _1))
    upright: Any = np.int64(0)
    for k in range(line):
        upright += np.int64(_U(survey.upright[j - k] & points[j - k]) >> bit & _1)
    return upright, across


@compiled(types.uint64(LAYER, types.uint64, types.uint64))
def _neighbours(region: Layer, j: Word, bit: Word) -> Word:
    """Which of the four points beside a point are in a region: below, left, right, above."""
    beside = _U(region[j]) >> (bit - _1)
    below, above = _U(region[j - _1]) >> bit & _1, _U(region[j + _1]) >> bit & _1
    return below | (beside & _1) << _1 | (beside & _4) | above << _3


@compiled(types.float64(SURVEY_TYPE, types.uint64, types.uint64, _COUNTS))
def _worth_of_parts(survey: State, j: Word, bit: Word, left: Any) -> float:
    """The estimates of all that a stone leaves of `region`, which together has so much left.

    One part after another is filled from a neighbour of the stone; the last is what is left then.
    """
    region, part, rows = survey.region, survey.part, survey.rows
    worth = 0.0
    region[j] &= ~np.uint32(_1 << bit)
    pending = _neighbours(region, j, bit)
    while pending & (pending - _1):  # more than one
        for k in range(_BOTTOM - _1, _BOTTOM + rows + _1):
            part[k] = _NONE
        if pending & _1:  # of two or more one is below, to the left or to the right
            part[j - _1] = np.uint32(_1 << bit)
        else:
            part[j] = np.uint32(_1 << (bit - _1 if pending & _2 else bit + _1))
        spread(part, region, rows)
        pending &= ~_neighbours(part, j, bit)
        if pending:
            points, upright, across = _counts(survey, part)
            broken = _broken(survey, part, j, bit)
            upright, across = upright - broken[0], across - broken[1]
            worth += _estimate(points, upright, across)
            left = (left[0] - points, left[1] - upright, left[2] - across)
    region[j] |= np.uint32(_1 << bit)
    return worth + _estimate(left[0], left[1], left[2])


@compiled(types.uint64(LAYER, types.uint64, types.uint64))
def _ring(region: Layer, j: Word, bit: Word) -> Word:
    """Which of the eight points around a point are in a region, as `rings` counts them."""
    left = bit - _1
    beside = _U(region[j]) >> left & _5
    below, above = _U(region[j - _1]) >> left & _7, _U(region[j + _1]) >> left & _7
    return below | (beside & _1) << _3 | beside >> _1 << _3 & _U(16) | above << _5


@compiled(_COUNTS(SURVEY_TYPE, Moves, types.int64, Gains))
def _promise_in_region(survey: State, moves: Any, count: int, gains: Any) -> tuple[int, int, int]:
    """Fill in the gains of the placements in `region`; returns its bounds and its heat."""
    region, columns = survey.region, survey.columns
    points, upright, across = _counts(survey, region)
    before = _estimate(points, upright, across)
    for i in range(count):
        if moves[i] == PASS:
            continue
        move = _U(moves[i])
        j, bit = _BOTTOM + move // columns, _3 + move % columns
        if not _U(region[j]) >> bit & _1:
            continue
        broken = _broken(survey, region, j, bit)
        left = (points - 1, upright - broken[0], across - broken[1])
        if TOGETHER[_ring(region, j, bit)]:
            worth = _estimate(left[0], left[1], left[2])
        else:
            worth = _worth_of_parts(survey, j, bit, left)
        gains[i] = worth - before
    return bounds_of(region, survey.rows, survey.line, points)


@compiled(_COUNTS(SURVEY_TYPE, BOARD_TYPE, Moves, types.int64, Gains))
def promise_placements(
    survey: State, board: State, moves: Any, count: int, gains: Any
) -> tuple[int, int, int]:
    """Fill in what legal placements on a board's open points promise; other gains stay.

    All regions of open points are free. Returns the least and the most that they can be worth
    together, V - H, whoever is to move, and the heat of the hottest of those that `small_regions`
    knows.
    """
    least, most, hottest = 0, 0, 0
    _look(survey, board)
    for j in range(_BOTTOM, _BOTTOM + survey.rows):
        while survey.unseen[j]:
            _take_region(survey, j)
            low, high, heat = _promise_in_region(survey, moves, count, gains)
            least, most, hottest = least + low, most + high, max(hottest, heat)
    return least, most, hottest
