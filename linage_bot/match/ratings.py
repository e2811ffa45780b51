"""A rating list from all games of an event: Bradley–Terry with an advantage for the first player.

The model: First scores, on average, 1 / (1 + 10^-(d / 400)) with d = First's rating − Second's +
the advantage. A draw counts as half a win (quasi-likelihood: R. Wedderburn, Biometrika 61, 1974).
Ratings are those that make the games likeliest; R. Bradley and M. Terry, Biometrika 39, 1952; the
advantage as in R. Davidson and R. Beaver, Biometrics 33, 1977.

The two games of an opening pair are not independent. Errors therefore come from the "sandwich"
H⁻¹ (Σ g gᵀ) H⁻¹ with one term for each pair: K.-Y. Liang and S. Zeger, Biometrika 73, 1986.

Nobody's rating is infinite: a weak prior (normal, deviation `prior_elo`) pulls it to the middle.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import attrs

from linage_bot.match.records import GameRecord, Key
from linage_bot.match.statistics import ELO_PER_LOGIT

Matrix = list[list[float]]

_CONFIDENCE_95: Final = 1.959963984540054
PRIOR_ELO: Final = 1500.0


@attrs.frozen
class Rating:
    """An engine's rating in Elo with half its 95 % interval; 0 for an anchor."""

    name: str
    elo: float
    error: float
    games: int


@attrs.frozen
class RatingList:
    """All ratings, the highest first, and what it is worth to move first, in Elo."""

    ratings: tuple[Rating, ...]
    advantage: float
    advantage_error: float


@attrs.frozen
class _Result:
    """One game as the model sees it."""

    first: int
    second: int
    score: float  # First's
    cluster: int


def rate(
    names: Sequence[str],
    records: Iterable[GameRecord],
    anchors: Mapping[str, float] | None = None,
    prior_elo: float = PRIOR_ELO,
) -> RatingList:
    """Rate the engines called `names`.

    An engine among the `anchors` keeps the rating given there. Without anchors the mean is 0. A
    `prior_elo` of infinity means no prior; each engine must then have won and lost something
    against others, or it raises `ZeroDivisionError`.
    """
    anchors = {name: elo for name, elo in (anchors or {}).items() if name in names}
    results = _results(names, records)
    fixed = {names.index(name): elo / ELO_PER_LOGIT for name, elo in anchors.items()}
    centre = sum(fixed.values()) / len(fixed) if fixed else 0.0
    weight = (ELO_PER_LOGIT / prior_elo) ** 2
    if not fixed and weight == 0:
        fixed = {0: 0.0}  # only differences matter
    model = _Model(len(names), results, fixed, centre, weight)
    theta = model.fit()
    covariance = model.covariance(theta)
    if not anchors:
        theta, covariance = _centred(theta, covariance)
    played = [0] * len(names)
    for result in results:
        played[result.first] += 1
        played[result.second] += 1
    errors = [_CONFIDENCE_95 * math.sqrt(max(0.0, row[i])) for i, row in enumerate(covariance)]
    if len({result.cluster for result in results}) < 2:  # one pair cannot tell
        errors = [0.0 if name in anchors else math.inf for name in (*names, "")]
    ratings = [
        Rating(
            name, anchors.get(name, theta[i] * ELO_PER_LOGIT), errors[i] * ELO_PER_LOGIT, played[i]
        )
        for i, name in enumerate(names)
    ]
    ratings.sort(key=lambda rating: -rating.elo)
    return RatingList(tuple(ratings), theta[-1] * ELO_PER_LOGIT, errors[-1] * ELO_PER_LOGIT)


def _results(names: Sequence[str], records: Iterable[GameRecord]) -> list[_Result]:
    index = {name: place for place, name in enumerate(names)}
    clusters: dict[Key, int] = {}
    results = []
    for record in records:
        if all(name in index for name in record.players):
            pair = attrs.evolve(record.key, swapped=False)
            cluster = clusters.setdefault(pair, len(clusters))
            first, second = (index[name] for name in record.players)
            results.append(_Result(first, second, record.points(record.players[0]), cluster))
    return results


@attrs.frozen
class _Model:
    """The likelihood in the parameters: a rating for each engine, in logits, then the advantage."""

    engines: int
    results: list[_Result]
    fixed: Mapping[int, float]
    centre: float
    weight: float  # of the prior

    @property
    def free(self) -> list[int]:
        """The parameters to be found."""
        return [i for i in range(self.engines + 1) if i not in self.fixed]

    def fit(self) -> list[float]:
        """The likeliest parameters, by Newton's method with halved steps."""
        theta = [self.fixed.get(i, self.centre) for i in range(self.engines)] + [0.0]
        free, best = self.free, self._objective(theta)
        for _ in range(100):
            gradient, hessian = self._gradient(theta), self._hessian(theta)
            step = _solve(_part(hessian, free), [gradient[i] for i in free])
            scale = 1.0
            while True:
                moved = list(theta)
                for i, change in zip(free, step, strict=True):
                    moved[i] += scale * change
                value = self._objective(moved)
                if value >= best or scale < 1e-6:
                    break
                scale /= 2
            theta, best = moved, value
            if max(map(abs, step), default=0.0) < 1e-11:
                break
        return theta

    def covariance(self, theta: Sequence[float]) -> Matrix:
        """The clustered covariance of the parameters; 0 for what is fixed."""
        free = self.free
        bread = _inverse(_part(self._hessian(theta), free))
        scores: defaultdict[int, list[float]] = defaultdict(lambda: [0.0] * (self.engines + 1))
        for result in self.results:
            residual = result.score - self._expected(theta, result)
            for i, sign in ((result.first, 1), (result.second, -1), (self.engines, 1)):
                scores[result.cluster][i] += sign * residual
        meat = [[0.0] * len(free) for _ in free]
        for score in scores.values():
            own = [score[i] for i in free]
            for a, row in zip(own, meat, strict=True):
                for j, b in enumerate(own):
                    row[j] += a * b
        inner = _product(_product(bread, meat), bread)
        clusters = len(scores)
        correction = clusters / (clusters - 1) if clusters > 1 else 1.0
        covariance = [[0.0] * (self.engines + 1) for _ in range(self.engines + 1)]
        for a, row in zip(free, inner, strict=True):
            for b, value in zip(free, row, strict=True):
                covariance[a][b] = correction * value
        return covariance

    def _expected(self, theta: Sequence[float], result: _Result) -> float:
        return 1 / (1 + math.exp(-_difference(theta, result)))

    def _prior(self, i: int) -> tuple[float, float]:
        """The weight and the middle of a parameter's prior."""
        return self.weight, (self.centre if i < self.engines else 0.0)

    def _objective(self, theta: Sequence[float]) -> float:
        total = 0.0
        for result in self.results:
            d = _difference(theta, result)
            # log(1 + e^d) without overflow
            total += result.score * d - (max(d, 0.0) + math.log1p(math.exp(-abs(d))))
        for i in self.free:
            weight, middle = self._prior(i)
            total -= weight * (theta[i] - middle) ** 2 / 2
        return total

    def _gradient(self, theta: Sequence[float]) -> list[float]:
        gradient = [0.0] * (self.engines + 1)
        for result in self.results:
            residual = result.score - self._expected(theta, result)
            gradient[result.first] += residual
            gradient[result.second] -= residual
            gradient[-1] += residual
        for i in self.free:
            weight, middle = self._prior(i)
            gradient[i] -= weight * (theta[i] - middle)
        return gradient

    def _hessian(self, theta: Sequence[float]) -> Matrix:
        """Minus the second derivatives."""
        size = self.engines + 1
        hessian = [[0.0] * size for _ in range(size)]
        for result in self.results:
            expected = self._expected(theta, result)
            information = expected * (1 - expected)
            signs = ((result.first, 1), (result.second, -1), (self.engines, 1))
            for a, sign_a in signs:
                for b, sign_b in signs:
                    hessian[a][b] += sign_a * sign_b * information
        for i in self.free:
            hessian[i][i] += self._prior(i)[0]
        return hessian


def _difference(theta: Sequence[float], result: _Result) -> float:
    return theta[result.first] - theta[result.second] + theta[-1]


def _centred(theta: Sequence[float], covariance: Matrix) -> tuple[list[float], Matrix]:
    """Ratings and covariance with the mean rating moved to 0; the advantage stays."""
    count = len(theta) - 1
    mean = sum(theta[:count]) / count
    shift = [
        [float(i == j) - (i < count and j < count) / count for j in range(count + 1)]
        for i in range(count + 1)
    ]
    moved = [*(value - mean for value in theta[:count]), theta[-1]]
    return moved, _product(_product(shift, covariance), shift)


def _part(matrix: Matrix, indices: Sequence[int]) -> Matrix:
    return [[matrix[i][j] for j in indices] for i in indices]


def _product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [[sum(map(float.__mul__, row, column)) for column in columns] for row in left]


def _solve(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    inverse = _inverse(matrix)
    return [sum(map(float.__mul__, row, vector)) for row in inverse]


def _inverse(matrix: Matrix) -> Matrix:
    """Gauss–Jordan with row pivots; raises `ZeroDivisionError` for a singular matrix."""
    size = len(matrix)
    rows = [
        [*map(float, row), *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)
    ]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        scale = 1 / rows[i][i]
        rows[i] = [value * scale for value in rows[i]]
        for k in range(size):
            factor = rows[k][i]
            if k != i and factor:
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[size:] for row in rows]
