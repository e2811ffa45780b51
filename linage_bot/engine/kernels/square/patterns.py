"""Scores of placements in Linage by the pattern around them, with weights learned from deep search.

The model takes the probability that a search of 20,000 visits prefers a placement to be a softmax
over the scores of all placements (as in Coulom, "Computing Elo ratings of move patterns", 2007). A
placement's score is the sum of the weights of five features:

- the open points in three rows of five around it;
- the open points in three columns of five around it;
- the open points among the twelve that are at most two steps away;
- its distances from the nearest edge both ways, by the stage of the game;
- its prior (see `priors`), by the stage of the game.

In the first three, stones, edges and owned points are not distinguished. The stage is the share of
the board that is left to play.

Strategy. The tables are for Vertical. If the board is turned on its side, Horizontal's placements
become Vertical's and the rows around a point become its columns. So for Horizontal it is enough to
swap the two windows and the two distances, and to negate the prior. Reflections of a window have
equal weights, so no board needs to be reflected.

A weight of 1 is worth as much as a prior of one point. The weights were learned for lines of three
and are used for no others. `benchmarks/learn_patterns.py` makes the file.
"""

import logging
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numba import types

from linage_bot.engine.kernels.contract import Gains, Moves, State, compiled
from linage_bot.engine.kernels.square.priors import SURVEY_TYPE
from linage_bot.engine.kernels.square.windows import LAYER, MARGIN, Layer
from linage_bot.engine.kernels.words import Word
from linage_bot.rules.game import PASS

FILE = Path(__file__).with_name("patterns.bin")
LINE = 3
UNIT = 1 / 512  # value of 1 in the file, which holds whole numbers
STAGES = 7  # by the share of the board's points that are legal placements
EDGES = 25  # pairs of distances from 0 to 4; the one along the rows is the lower digit
GAINS = 64  # priors in steps of half a point, from -4 up
SHAPE = (1 << 15, 1 << 15, 1 << 13, STAGES * EDGES, STAGES * GAINS)  # weights per feature

_log = logging.getLogger(__name__)
_U = np.uint64
_0, _1, _2, _3, _4, _5, _7, _8 = map(np.uint64, (0, 1, 2, 3, 4, 5, 7, 8))
_9, _10, _11, _12, _31 = map(np.uint64, (9, 10, 11, 12, 31))
_BOTTOM = _U(MARGIN)
_FILLING = -10.0  # score of filling a point of one's own region, which loses it; others are near 0
_FEATURES = types.UniTuple(types.uint64, len(SHAPE))  # type: ignore[no-untyped-call]  # Numba's
_BEGINS = np.array([0.2, 0.35, 0.5, 0.65, 0.8, 0.9])  # least shares of the stages from 1 up
_COLUMN = np.array([(row & 1) | (row & 2) << 4 | (row & 4) << 8 for row in range(8)], np.uint64)


def read_weights(file: Path) -> list[Any]:
    """Return the weights of each feature; no features, after a warning, if the file is unusable."""
    try:
        numbers = np.frombuffer(zlib.decompress(file.read_bytes()), "<i2")
        if len(numbers) == sum(SHAPE):
            return np.split((numbers * UNIT).astype(np.float32), np.cumsum(SHAPE)[:-1])
    except (OSError, ValueError, zlib.error):
        pass
    _log.warning("%s is missing or damaged, so it is not used", file)
    return []


_weights = read_weights(FILE)
_KNOWN = bool(_weights)
_WIDE, _TALL, _NEAR, _EDGE, _GAIN = _weights or [np.zeros(1, np.float32)] * len(SHAPE)


@compiled(types.uint64(LAYER, types.uint64, types.uint64))
def wide_window(points: Layer, j: Word, bit: Word) -> Word:
    """Return which points of three rows of five around a point are in a layer, row by row."""
    left = bit - _2
    below, above = _U(points[j - _1]) >> left & _31, _U(points[j + _1]) >> left & _31
    return below | (_U(points[j]) >> left & _31) << _5 | above << _10


@compiled(types.uint64(LAYER, types.uint64, types.uint64))
def tall_window(points: Layer, j: Word, bit: Word) -> Word:
    """Return which points of three columns of five around a point are in a layer, by column."""
    left, window = bit - _1, _0
    for k in range(_5):
        window |= _COLUMN[_U(points[j + k - _2]) >> left & _7] << _U(k)
    return window


@compiled(types.uint64(types.uint64, types.uint64))
def near_points(wide: Word, tall: Word) -> Word:
    """Return the points of two windows that are at most two steps away from their centre.

    First come three rows, of three, five and three points, then the lowest and the highest point.
    """
    rows = wide >> _1 & _7 | (wide >> _5 & _31) << _3 | (wide >> _11 & _7) << _8
    return rows | (tall >> _5 & _1) << _11 | (tall >> _9 & _1) << _12


@compiled(types.uint64(types.uint64, types.uint64))
def _to_edge(place: Word, count: Word) -> Word:
    return min(_4, place, count - _1 - place)


@compiled(types.uint64(types.int64, types.int64))
def stage_of(placements: int, points: int) -> Word:
    """Return the stage: how much of a board is left to play, from 0 (least) to `STAGES` - 1."""
    stage, share = _0, placements / points
    for begin in _BEGINS:
        stage += _U(share >= begin)
    return stage


@compiled(_FEATURES(SURVEY_TYPE, types.uint64, types.float64, types.int64, types.uint64))
def features_of(survey: State, move: Word, gain: float, player: int, stage: Word) -> Any:
    """Return the index of a placement's weight in the table of each feature; `gain`: its prior."""
    y, x = move // survey.columns, move % survey.columns
    j, bit = _BOTTOM + y, _3 + x
    wide, tall = wide_window(survey.open, j, bit), tall_window(survey.open, j, bit)
    along, up = _to_edge(x, survey.columns), _to_edge(y, survey.rows)
    if player:
        wide, tall, along, up, gain = tall, wide, up, along, -gain
    step = _U(min(GAINS - 1, max(0, int(2 * (gain + 4.0)))))
    edge = stage * _U(EDGES) + up * _5 + along
    return wide, tall, near_points(wide, tall), edge, stage * _U(GAINS) + step


@compiled(types.void(SURVEY_TYPE, Moves, types.int64, types.int64, Gains))
def weigh(survey: State, moves: Any, count: int, player: int, gains: Any) -> None:
    """Replace the priors of a player's placements by learned scores, from First's view.

    `survey` is as `estimate_priors` left it. Without weights for the game, the priors stay.
    """
    if not _KNOWN or survey.line != _U(LINE):
        return
    sign = -1.0 if player else 1.0
    stage = stage_of(count, int(survey.columns * survey.rows))
    for i in range(count):
        if moves[i] == PASS:
            continue
        move = _U(moves[i])
        score = _FILLING
        if _U(survey.open[_BOTTOM + move // survey.columns]) >> (_3 + move % survey.columns) & _1:
            f = features_of(survey, move, gains[i], player, stage)
            score = _WIDE[f[0]] + _TALL[f[1]] + _NEAR[f[2]] + _EDGE[f[3]] + _GAIN[f[4]]
        gains[i] = sign * score
