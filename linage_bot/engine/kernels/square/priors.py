"""Priors of placements in Linage: the likely change in a region's mean value, before any search.

A position is a sum of regions, and the mean of a sum is the sum of the means. The mean of a region
of `n` points with `v` vertical and `h` horizontal lines is estimated as

    n (v^1.5 - h^1.5) / (v^1.5 + h^1.5)    points, V - H;

for an owned region that is exact. A placement's prior, its *gain*, is the change that it makes to
the sum of these estimates, which is the change to its own region's. It corresponds to the tax in a
hot region's thermograph. The exponent is the one that fits deep searches of 9x9 positions best.
Most placements keep their region together: the points around them show it (`rings`). For the others
a walk through the region finds the parts into which it falls (`branches`).

Sets of points are layers, as in `regions`. A line is represented by its lowest or leftmost point.
Vertical lines are called `upright`, horizontal ones `across`.
"""

from typing import Any

import numba
import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import Gains, Moves, State, compiled
from linage_bot.engine.kernels.square.board import BOARD_TYPE
from linage_bot.engine.kernels.square.branches import (
    BELOW,
    COUNTS,
    LEFT,
    PAIR,
    WALK,
    counts_from,
    go_through,
    neighbours,
    split_off,
)
from linage_bot.engine.kernels.square.regions import spread
from linage_bot.engine.kernels.square.rings import TOGETHER
from linage_bot.engine.kernels.square.small_regions import bounds_of
from linage_bot.engine.kernels.square.windows import LAYER, MARGIN, WORDS, Layer
from linage_bot.engine.kernels.words import Word, popcount
from linage_bot.rules.game import PASS

SURVEY = np.dtype(
    [
        ("columns", np.uint64),  # facts about the board
        ("rows", np.uint64),
        ("line", np.uint64),
        ("open", np.uint32, WORDS),
        ("unseen", np.uint32, WORDS),  # open points of regions that are not yet examined
        ("upright", np.uint32, WORDS),
        ("across", np.uint32, WORDS),
        ("region", np.uint32, WORDS),  # the region that is examined
        ("walk", WALK),  # through it
    ],
    align=True,
)
SURVEY_TYPE = numba.from_dtype(SURVEY)

_U = np.uint64
_0, _1, _3, _4, _5, _6, _7 = map(np.uint64, (0, 1, 3, 4, 5, 6, 7))
_NONE = np.uint32(0)
_ROW = _U(0xFFFFFFFF)
_POWERS = np.arange(25 * 25) ** 1.5  # by the number of lines; a table because roots take long
_BOTTOM = _U(MARGIN)


@compiled(types.float64(types.int64, types.int64, types.int64))
def _estimate(points: int, upright: int, across: int) -> float:
    """Return the estimated mean of a region with these numbers of points and lines.

    The region has at least one line.
    """
    v, h = _POWERS[_U(upright)], _POWERS[_U(across)]
    mean: float = points * (v - h) / (v + h)
    return mean


@compiled(types.void(SURVEY_TYPE, BOARD_TYPE))
def _look(survey: State, board: State) -> None:
    """Start a survey: store a board's open points and their lines, and mark all as not yet seen."""
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
    """Set `region` to that of the first unseen point in row j, and mark its points as seen."""
    region, left, rows = survey.region, survey.unseen, survey.rows
    for k in range(_BOTTOM - _1, _BOTTOM + rows + _1):
        region[k] = _NONE
    region[j] = left[j] & (~left[j] + np.uint32(1))
    spread(region, survey.open, rows)
    for k in range(_BOTTOM, _BOTTOM + rows):
        left[k] &= ~region[k]


@compiled(COUNTS(SURVEY_TYPE, LAYER))
def _counts(survey: State, region: Layer) -> tuple[int, int, int]:
    """Return the numbers of points, vertical lines and horizontal lines of a region."""
    points = upright = across = 0
    for j in range(_BOTTOM, _BOTTOM + survey.rows):
        row = _U(region[j])
        points += popcount(row)
        upright += popcount(row & _U(survey.upright[j]))
        across += popcount(row & _U(survey.across[j]))
    return points, upright, across


@compiled(PAIR(SURVEY_TYPE, types.uint64, types.uint64))
def _lines_through(survey: State, j: Word, bit: Word) -> tuple[Word, Word]:
    """Return the sets of vertical and horizontal lines through a point, by where they begin.

    Bit `line` - 1 of each stands for the point itself, lower ones for points below or to the left.
    """
    line = survey.line
    across = _U(survey.across[j]) << _5 >> (bit + _6 - line) & ((_1 << line) - _1)
    upright = _0
    for k in range(line):
        upright = upright << _1 | _U(survey.upright[j - k]) >> bit & _1
    return upright, across


@compiled(types.uint64(SURVEY_TYPE, types.uint64, types.uint64, types.uint64, types.uint64))
def _others(survey: State, j: Word, bit: Word, some: Word, part: Word) -> Word:
    """Return those of some neighbours of a stone that are not in a part (see `split_off`)."""
    others, left = _0, some
    while left:
        to = left & (~left + _1)
        if split_off(survey.walk, j, bit, to) != part:
            others |= to
        left ^= to
    return others


@compiled(COUNTS(SURVEY_TYPE, types.uint64, types.uint64, types.uint64, PAIR))
def _counts_of_branch(survey: State, j: Word, bit: Word, part: Word, through: Any) -> Any:
    """Return the points, vertical and horizontal lines of a part that a stone splits off.

    The lines `through` the stone's point are not among them.
    """
    walk, shorter = survey.walk, (_1 << (survey.line - _1)) - _1
    points, upright, across = counts_from(walk, part)
    below, to_left = through[0] & shorter, through[1] & shorter
    if below and split_off(walk, j, bit, BELOW) == part:
        upright -= popcount(below)
    if to_left and split_off(walk, j, bit, LEFT) == part:
        across -= popcount(to_left)
    return points, upright, across


@compiled(COUNTS(COUNTS, COUNTS))
def _difference(counts: Any, other: Any) -> Any:
    return counts[0] - other[0], counts[1] - other[1], counts[2] - other[2]


@compiled(types.float64(SURVEY_TYPE, types.uint64, types.uint64, PAIR, COUNTS))
def _worth_of_parts(survey: State, j: Word, bit: Word, through: Any, left: Any) -> float:
    """Return the sum of the estimates of the parts into which a stone splits `region`.

    `left`: the points, vertical and horizontal lines of all parts together, without the lines
    `through` the stone's point. The counts of the last part are the rest.
    """
    worth = 0.0
    pending = neighbours(survey.region, j, bit)
    while pending & (pending - _1):  # more than one
        part = split_off(survey.walk, j, bit, pending & (~pending + _1))
        pending = _others(survey, j, bit, pending, part)
        if pending:
            counts, away = left, pending if part == _0 else _0
            if part:
                counts = _counts_of_branch(survey, j, bit, part, through)
            while away:  # the part where the walk began: all but the branches
                branch = split_off(survey.walk, j, bit, away & (~away + _1))
                other = _counts_of_branch(survey, j, bit, branch, through)
                counts = _difference(counts, other)
                away = _others(survey, j, bit, away, branch)
            worth += _estimate(counts[0], counts[1], counts[2])
            left = _difference(left, counts)
    return worth + _estimate(left[0], left[1], left[2])


@compiled(types.uint64(LAYER, types.uint64, types.uint64))
def _ring(region: Layer, j: Word, bit: Word) -> Word:
    """Return which of the eight points around a point are in a region, as a ring (see `rings`)."""
    left = bit - _1
    beside = _U(region[j]) >> left & _5
    below, above = _U(region[j - _1]) >> left & _7, _U(region[j + _1]) >> left & _7
    return below | (beside & _1) << _3 | beside >> _1 << _3 & _U(16) | above << _5


@compiled(COUNTS(SURVEY_TYPE, Moves, types.int64, Gains))
def _priors_in_region(survey: State, moves: Any, count: int, gains: Any) -> tuple[int, int, int]:
    """Set the gains of the placements in `region`; return its bounds and its heat."""
    region, columns = survey.region, survey.columns
    points, upright, across = _counts(survey, region)
    before = _estimate(points, upright, across)
    walked = False
    for i in range(count):
        if moves[i] == PASS:
            continue
        move = _U(moves[i])
        j, bit = _BOTTOM + move // columns, _3 + move % columns
        if not _U(region[j]) >> bit & _1:
            continue
        through = _lines_through(survey, j, bit)
        left = (points - 1, upright - popcount(through[0]), across - popcount(through[1]))
        if TOGETHER[_ring(region, j, bit)]:
            worth = _estimate(left[0], left[1], left[2])
        else:
            if not walked:
                go_through(survey.walk, region, survey.upright, survey.across, survey.rows, columns)
                walked = True
            worth = _worth_of_parts(survey, j, bit, through, left)
        gains[i] = worth - before
    return bounds_of(region, survey.rows, survey.line, points)


@compiled(COUNTS(SURVEY_TYPE, BOARD_TYPE, Moves, types.int64, Gains))
def estimate_priors(
    survey: State, board: State, moves: Any, count: int, gains: Any
) -> tuple[int, int, int]:
    """Set the gains of legal placements on a board's open points; leave other gains unchanged.

    All regions of open points are free. Return the least and the greatest value of all together,
    V - H, which hold for either player to move, and the heat of the hottest region that is in the
    table of `small_regions`.
    """
    least, most, hottest = 0, 0, 0
    _look(survey, board)
    for j in range(_BOTTOM, _BOTTOM + survey.rows):
        while survey.unseen[j]:
            _take_region(survey, j)
            low, high, heat = _priors_in_region(survey, moves, count, gains)
            least, most, hottest = least + low, most + high, max(hottest, heat)
    return least, most, hottest
