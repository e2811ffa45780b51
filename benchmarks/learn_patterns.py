"""Learn the weights of patterns from deeply searched positions, and write them to their file.

    python -m benchmarks.learn_patterns deep-9 deep-13 deep-19 --write    # a minute or two
    python -m benchmarks.learn_patterns deep-9 --most 2000                # only measure

`benchmarks/deep_positions.py` makes such folders. The last tenth of each is held out, to measure
how well the weights order moves from which they were not learned; the weights are learned from the
rest. The target is a placement's share of the visits. The loss is the cross entropy, reduced by
AdaGrad (Duchi, Hazan, Singer 2011), a position at a time, in the same order in every run.
"""

import argparse
import zlib
from pathlib import Path
from typing import Any

import attrs
import numba
import numpy as np
from numba import types

from linage_bot.engine import kernels
from linage_bot.engine.kernels.contract import MOST_MOVES, Gains, Moves, compiled
from linage_bot.engine.kernels.square import patterns
from linage_bot.engine.kernels.square.patterns import SHAPE, UNIT, features_of, stage_of
from linage_bot.engine.kernels.square.priors import SURVEY_TYPE, estimate_priors
from linage_bot.rules.game import PASS, Player
from linage_bot.rules.linage import Linage

EPOCHS = 14
RATE, LAST_RATE = 0.05, 0.005
DECAY = 3e-4
SLOPE = 0.6  # points of a prior that a unit of the softmax is worth in play
KEPT = 0.1  # share of the positions that are held out
_ENOUGH = 100  # visits by which a placement's value is known
_WIDE = [(x, y) for y in (-1, 0, 1) for x in (-2, -1, 0, 1, 2)]  # in the order of a window's bits
_TALL = [(x, y) for x in (-1, 0, 1) for y in (-2, -1, 0, 1, 2)]
_NEAR = [(x, y) for x, y in _WIDE if abs(x) + abs(y) <= 2] + [(0, -2), (0, 2)]
_Table = types.Array(types.int32, 2, "C")


@attrs.frozen
class Sample:
    """A sequence of positions: a row of features and the visits for each of their placements."""

    features: np.ndarray  # int32, placements by features; one numbering for all tables
    visits: np.ndarray  # float64, by placement
    win_rates: np.ndarray  # float64, by placement; NaN without visits
    ends: np.ndarray  # int64: a 0, then the end of each position's placements

    def part(self, first: int, end: int) -> "Sample":
        """Return the positions from `first` up to, but not including, `end`."""
        rows = slice(self.ends[first], self.ends[end])
        ends = self.ends[first : end + 1] - self.ends[first]
        return Sample(self.features[rows], self.visits[rows], self.win_rates[rows], ends)


def representatives(offsets: list[tuple[int, int]]) -> np.ndarray:
    """Return, for each window, the least of its four images under reflection."""
    windows = np.arange(1 << len(offsets))
    least = windows
    for a in (1, -1):
        for b in (1, -1):
            image = np.zeros_like(windows)
            for bit, (x, y) in enumerate(offsets):
                image |= (windows >> bit & 1) << offsets.index((a * x, b * y))
            least = np.minimum(least, image)
    return least


@compiled(types.void(SURVEY_TYPE, Moves, types.int64, types.int64, Gains, _Table))
def _fill(survey: Any, moves: Any, count: int, player: int, gains: Any, table: Any) -> None:
    stage = stage_of(count, np.int64(survey.columns * survey.rows))
    for i in range(count):
        if moves[i] != PASS:
            found = features_of(survey, np.uint64(moves[i]), gains[i], player, stage)
            for k in range(5):
                table[i, k] = found[k]


def read(folder: Path) -> Sample:
    """Return the positions of a folder."""
    files = [dict(np.load(file)) for file in sorted(folder.glob("*.npz"))]
    columns = int(files[0].pop("columns"))
    data = {name: np.concatenate([each[name] for each in files]) for name in files[0]}
    count = len(data["open"])
    rows = data["open"].shape[1] // columns
    start = Linage.configure(f"{columns}x{rows}").start()
    kernel = kernels.load(start.game)
    moves, gains = np.empty(MOST_MOVES, np.int64), np.zeros(MOST_MOVES)
    begins = np.cumsum((0, *SHAPE))[:-1].astype(np.int32)
    least = [representatives(offsets) for offsets in (_WIDE, _TALL, _NEAR)]
    features, visits, win_rates = [], [], []
    for each in range(count):
        stones = sum(1 << int(point) for point in np.flatnonzero(data["open"][each] == 0))
        player = Player(int(data["player"][each]))
        state = kernel.encode(attrs.evolve(start, first=stones, to_move=player))[0]
        number = kernel.legal(state, moves)
        estimate_priors(state["survey"], state["board"], moves, number, gains)
        table = np.empty((number, len(SHAPE)), np.int32)
        _fill(state["survey"], moves, number, int(player), gains, table)
        places = moves[:number] != PASS
        for k, images in enumerate(least):
            table[places, k] = images[table[places, k]]
        features.append(table[places] + begins)
        found = moves[:number][places]
        visits.append(data["visits"][each][found].astype(float))
        win_rates.append(data["win_rates"][each][found].astype(float))
    ends = np.cumsum([0, *map(len, visits)])
    return Sample(*map(np.concatenate, (features, visits, win_rates)), ends=ends)


@numba.njit
def _epoch(
    features: Any, visits: Any, ends: Any, order: Any, weights: Any, squares: Any, rate: float
) -> float:
    """Learn from every position once; return the mean cross entropy, each before its update."""
    chances = np.empty(MOST_MOVES)
    entropy = 0.0
    for each in order:
        first, end = ends[each], ends[each + 1]
        total = visits[first:end].sum()
        highest = -1e9
        for i in range(first, end):
            score = 0.0
            for k in features[i]:
                score += weights[k]
            chances[i - first] = score
            highest = max(highest, score)
        mass = 0.0
        for i in range(end - first):
            chances[i] = np.exp(chances[i] - highest)
            mass += chances[i]
        for i in range(first, end):
            chance, share = chances[i - first] / mass, visits[i] / total
            entropy -= share * np.log(chance) if share else 0.0
            for k in features[i]:
                slope = chance - share + DECAY * weights[k]
                squares[k] += slope * slope
                weights[k] -= rate * slope / np.sqrt(squares[k])
    return entropy / len(order)


def learned(sample: Sample) -> np.ndarray:
    """Return the weights of all features in units of the softmax."""
    weights, squares = np.zeros(sum(SHAPE)), np.full(sum(SHAPE), 0.01)
    chance = np.random.default_rng(1)
    for epoch in range(EPOCHS):
        order = chance.permutation(len(sample.ends) - 1)
        rate = RATE + (LAST_RATE - RATE) * epoch / (EPOCHS - 1)
        entropy = _epoch(sample.features, sample.visits, sample.ends, order, weights, squares, rate)
        print(f"epoch {epoch + 1}: {entropy:.3f}")
    return weights


def told(sample: Sample, weights: np.ndarray) -> str:
    """Return a report on how well weights order the moves of positions."""
    scores = weights[sample.features].sum(1)
    first = ten = 0
    for begin, end in zip(sample.ends, sample.ends[1:], strict=False):
        best = begin + sample.visits[begin:end].argmax()
        better = (scores[begin:end] > scores[best]).sum()
        first, ten = first + (better == 0), ten + (better < 10)
    count = len(sample.ends) - 1
    return (
        f"best move first {first / count:.1%}, among ten {ten / count:.1%} of {count},"
        f" correlation with siblings' values {agreement(sample, scores):.2f}"
    )


def agreement(sample: Sample, scores: np.ndarray) -> float:
    """Return the correlation of scores with win rates, each less its position's mean.

    Of the placements with at least `_ENOUGH` visits; win rates as log odds.
    """
    pairs = []
    for begin, end in zip(sample.ends, sample.ends[1:], strict=False):
        known = sample.visits[begin:end] >= _ENOUGH
        rates = np.clip(sample.win_rates[begin:end][known], 0.001, 0.999)
        if known.sum() > 1:
            both = np.stack([np.log(rates / (1 - rates)), scores[begin:end][known]])
            pairs.append(both - both.mean(1, keepdims=True))
    return float(np.corrcoef(np.concatenate(pairs, 1))[0, 1])


def joined(samples: list[Sample]) -> Sample:
    """Return all positions of several samples as one."""
    lengths = [np.diff(each.ends) for each in samples]
    return Sample(
        np.concatenate([each.features for each in samples]),
        np.concatenate([each.visits for each in samples]),
        np.concatenate([each.win_rates for each in samples]),
        np.concatenate(([0], np.cumsum(np.concatenate(lengths)))),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folders", nargs="+", metavar="FOLDER", type=Path)
    parser.add_argument("--most", type=int, help="positions of each folder to learn from")
    parser.add_argument("--write", action="store_true", help="replace the shipped weights")
    arguments = parser.parse_args()
    samples = {folder: read(folder) for folder in arguments.folders}
    cuts = {folder: int((len(each.ends) - 1) * (1 - KEPT)) for folder, each in samples.items()}
    parts = [
        each.part(0, min(cuts[at], arguments.most or cuts[at])) for at, each in samples.items()
    ]
    weights = learned(joined(parts))
    tables = np.split(weights, np.cumsum(SHAPE)[:-1])
    for k, offsets in enumerate((_WIDE, _TALL, _NEAR)):
        tables[k] = tables[k][representatives(offsets)]
    priors_alone = np.concatenate([*(0 * table for table in tables[:-1]), tables[-1]])
    for (folder, each), part in zip(samples.items(), parts, strict=True):
        kept = each.part(cuts[folder], len(each.ends) - 1)
        print(f"{folder}: {told(kept, np.concatenate(tables))}")
        print(f"  learned from: {told(part, np.concatenate(tables))}")
        print(f"  by the priors: {told(kept, priors_alone)}")
    if not arguments.write:
        return
    shipped = np.round(np.concatenate(tables) * SLOPE / UNIT).astype("<i2")
    patterns.FILE.write_bytes(zlib.compress(shipped.tobytes(), 9))


if __name__ == "__main__":
    main()
