"""A rating list from all games of an event: Bradley–Terry with an advantage for the first player.

The model: First scores, on average, 1 / (1 + 10^-(d / 400)) with d = First's rating − Second's +
the advantage. A draw counts as half a win (quasi-likelihood: R. Wedderburn, Biometrika 61, 1974).
Ratings are those that make the games likeliest; R. Bradley and M. Terry, Biometrika 39, 1952; the
advantage as in R. Davidson and R. Beaver, Biometrics 33, 1977.

The two games of an opening pair are not independent. Errors therefore come from the "sandwich" H⁻¹
(Σ g gᵀ) H⁻¹ with one term for each pair: K.-Y. Liang and S. Zeger, Biometrika 73, 1986.

No rating is infinite: a weak prior (normal, deviation `prior_elo`) pulls it to the middle.
`knowledge` separates measured ratings from those that only the prior determines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import attrs
import numpy as np
import numpy.typing as npt

from linage_bot.arena.rating_information import (
    RatingInformation,
    advantage_is_known,
    bound,
    comparable,
)
from linage_bot.arena.records import GameRecord, Key, ScoredGames
from linage_bot.arena.statistics import CONFIDENCE_95, ELO_PER_LOGIT

Vector = npt.NDArray[np.float64]
Matrix = npt.NDArray[np.float64]
Indices = npt.NDArray[np.intp]

PRIOR_ELO: Final = 1500.0
_MOST_STEPS: Final = 100
_CLOSE: Final = 1e-9
"""The gain below which a whole Newton step is taken unchecked, since rounding would hide it."""
_SHORT: Final = 1e-5  # logits; the square is the error after such a step
_CLUSTERS_AT_ONCE: Final = 4096
"""The most rows, each with a number for every parameter, in memory at once."""


@attrs.frozen
class Rating:
    """An engine's rating in Elo with half its 95 % interval.

    The error is 0 for an anchor, infinite where the games do not determine it. An `AT_LEAST` or
    `AT_MOST` rating is a 95 % bound; an `UNKNOWN` one only gives the engine a place in the list.
    """

    name: str
    elo: float
    error: float
    games: int
    knowledge: RatingInformation = RatingInformation.MEASURED


@attrs.frozen
class RatingList:
    """All ratings, the highest first, and the advantage of moving first, in Elo.

    The advantage's error is infinite where the games do not determine it.
    """

    ratings: tuple[Rating, ...]
    advantage: float
    advantage_error: float


def rate(
    names: Sequence[str],
    records: Iterable[GameRecord],
    anchors: Mapping[str, float] | None = None,
    prior_elo: float = PRIOR_ELO,
) -> RatingList:
    """Rate the engines called `names` by the games of an event, and classify each rating.

    Works as `rate_results`, but without anchors the mean of the comparable engines is 0. Games that
    repeat an earlier one are no evidence and not counted.
    """
    anchors = {name: elo for name, elo in (anchors or {}).items() if name in names}
    results = [
        ScoredGames.of(record)
        for record in records
        if {*record.players} <= {*names} and not record.repeats
    ]
    group = comparable(names, results, anchors)
    rated = rate_results(names, results, anchors, prior_elo, group)
    elos = {rating.name: rating.elo for rating in rated.ratings}

    def reported(rating: Rating) -> Rating:
        if rating.name in anchors:
            return rating
        if rating.name in group:
            return attrs.evolve(rating, error=_known_error(rating.error))
        elo, knowledge = bound(rating.name, results, elos, rated.advantage, group)
        return attrs.evolve(rating, elo=elo, error=math.inf, knowledge=knowledge)

    error = _known_error(rated.advantage_error) if advantage_is_known(names, results) else math.inf
    return RatingList(tuple(map(reported, rated.ratings)), rated.advantage, error)


def _known_error(error: float) -> float:
    """Return an error; infinite for one of 0, which only means that all pairs ended alike."""
    return error if error > 1e-3 else math.inf


def rate_results(
    names: Sequence[str],
    results: Iterable[ScoredGames],
    anchors: Mapping[str, float],
    prior_elo: float = PRIOR_ELO,
    middle: Sequence[str] = (),
) -> RatingList:
    """Rate the engines called `names`; games of others count for nothing.

    An engine among the `anchors` keeps the rating given there. Without anchors the mean of all, or
    of those in the `middle`, is 0. A `prior_elo` of infinity means no prior; each engine must then
    have won and lost something against others, or it raises `ZeroDivisionError`.
    """
    anchors = {name: elo for name, elo in anchors.items() if name in names}
    model = _Model.of(names, results, anchors, (ELO_PER_LOGIT / prior_elo) ** 2)
    theta = model.fit()
    covariance = model.covariance(theta)
    if not anchors:
        theta, covariance = _centred(
            theta, covariance, [names.index(name) for name in middle or names]
        )
    errors = CONFIDENCE_95 * np.sqrt(np.maximum(0.0, covariance.diagonal()))
    if model.clusters < 2:  # one pair has no spread
        errors = np.array([0.0 if name in anchors else math.inf for name in (*names, "")])
    elo, error, games = theta * ELO_PER_LOGIT, errors * ELO_PER_LOGIT, model.games()
    ratings = [
        Rating(name, anchors.get(name, float(elo[i])), float(error[i]), int(games[i]))
        for i, name in enumerate(names)
    ]
    ratings.sort(key=lambda rating: -rating.elo)
    return RatingList(tuple(ratings), float(elo[-1]), float(error[-1]))


@attrs.frozen(eq=False)
class _Model:
    """The likelihood in the parameters: a rating for each engine, in logits, then the advantage.

    One entry of the vectors is one `ScoredGames`. Clusters are numbered from 0 in order of
    appearance, so that a few thousand can be processed together.
    """

    size: int  # parameters
    first: Indices
    second: Indices
    score: Vector
    count: Vector
    cluster: Indices
    start: Vector  # the parameters' initial values, final for fixed ones
    free: Indices  # the parameters to be found
    weight: float  # of the prior, whose middle is the start

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        results: Iterable[ScoredGames],
        anchors: Mapping[str, float],
        weight: float,
    ) -> _Model:
        """Return the model of some results; `anchors` are in Elo."""
        index = {name: place for place, name in enumerate(names)}
        clusters: dict[Key | int, int] = {}
        rows = [
            (
                index[each.first],
                index[each.second],
                each.score,
                each.count,
                clusters.setdefault(
                    len(clusters) if each.cluster is None else each.cluster, len(clusters)
                ),
            )
            for each in results
            if each.first in index and each.second in index
        ]
        table = np.array(sorted(rows, key=lambda row: row[4]), dtype=float).reshape(-1, 5)
        fixed = {index[name]: elo / ELO_PER_LOGIT for name, elo in anchors.items()}
        start = np.full(len(names) + 1, sum(fixed.values()) / len(fixed) if fixed else 0.0)
        start[-1] = 0.0
        if not fixed and weight == 0:
            fixed = {0: 0.0}  # only differences matter
        start[list(fixed)] = list(fixed.values())
        free = [i for i in range(len(start)) if i not in fixed]
        first, second, cluster = (table[:, column].astype(np.intp) for column in (0, 1, 4))
        return cls(
            size=len(start),
            first=first,
            second=second,
            score=table[:, 2],
            count=table[:, 3],
            cluster=cluster,
            start=start,
            free=np.array(free, dtype=np.intp),
            weight=weight,
        )

    @property
    def clusters(self) -> int:
        """The number of independent observations."""
        shared = len(self.cluster) - len(np.unique(self.cluster))
        return int(self.count.sum()) - shared

    def games(self) -> Vector:
        """Return the number of games each engine has played."""
        return self._sums(self.first, self.count) + self._sums(self.second, self.count)

    def fit(self) -> Vector:
        """Return the likeliest parameters, by Newton's method with halved steps."""
        theta, free = self.start.copy(), self.free
        best = self._objective(theta)
        for _ in range(_MOST_STEPS):
            gradient = self._gradient(theta)[free]
            step = _solved(self._hessian(theta)[np.ix_(free, free)], gradient)
            close = gradient @ step < _CLOSE  # twice the remaining gain
            scale = 1.0
            while True:
                moved = theta.copy()
                moved[free] += scale * step
                value = self._objective(moved)
                if close or value >= best or scale < 1e-6:
                    break
                scale /= 2
            theta, best = moved, value
            if close and np.abs(step).max(initial=0.0) < _SHORT:
                break
        return theta

    def covariance(self, theta: Vector) -> Matrix:
        """Return the clustered covariance of the parameters; 0 for fixed ones."""
        inside = np.ix_(self.free, self.free)
        bread = _solved(self._hessian(theta)[inside], np.eye(len(self.free)))
        correction = self.clusters / (self.clusters - 1) if self.clusters > 1 else 1.0
        covariance = np.zeros((self.size, self.size))
        covariance[inside] = correction * (bread @ self._meat(theta)[inside] @ bread)
        return covariance

    def _meat(self, theta: Vector) -> Matrix:
        """Return the sum of g gᵀ, where g is a cluster's contribution to the gradient."""
        residual = (self.score - self._expected(theta)) * np.sqrt(self.count)
        meat = np.zeros((self.size, self.size))
        for begin in range(0, len(np.unique(self.cluster)), _CLUSTERS_AT_ONCE):
            part = slice(*np.searchsorted(self.cluster, (begin, begin + _CLUSTERS_AT_ONCE)))
            row, own = self.cluster[part] - begin, residual[part]
            gradients = np.zeros((_CLUSTERS_AT_ONCE, self.size))
            np.add.at(gradients, (row, self.first[part]), own)
            np.subtract.at(gradients, (row, self.second[part]), own)
            gradients[:, -1] = np.bincount(row, own, _CLUSTERS_AT_ONCE)
            meat += gradients.T @ gradients
        return meat

    def _difference(self, theta: Vector) -> Vector:
        difference: Vector = theta[self.first] - theta[self.second] + theta[-1]
        return difference

    def _expected(self, theta: Vector) -> Vector:
        expected: Vector = (1 + np.tanh(self._difference(theta) / 2)) / 2  # never overflows
        return expected

    def _objective(self, theta: Vector) -> float:
        d = self._difference(theta)
        likelihood = self.count @ (self.score * d - np.logaddexp(0.0, d))
        moved = (theta - self.start)[self.free]
        return float(likelihood - self.weight * (moved @ moved) / 2)

    def _gradient(self, theta: Vector) -> Vector:
        residual = self.count * (self.score - self._expected(theta))
        gradient = self._sums(self.first, residual) - self._sums(self.second, residual)
        gradient[-1] = residual.sum()
        return gradient - self.weight * (theta - self.start)

    def _hessian(self, theta: Vector) -> Matrix:
        """Return minus the second derivatives."""
        expected, size = self._expected(theta), self.size
        information = self.count * expected * (1 - expected)
        pairs = np.bincount(self.first * size + self.second, information, size * size)
        hessian = -pairs.astype(float).reshape(size, size)
        hessian += hessian.T
        first, second = self._sums(self.first, information), self._sums(self.second, information)
        hessian[-1] = hessian[:, -1] = first - second
        hessian[np.diag_indices(size)] = first + second + self.weight
        hessian[-1, -1] = information.sum() + self.weight
        return hessian

    def _sums(self, players: Indices, values: Vector) -> Vector:
        """Return the sum of the values of each player's games."""
        return np.bincount(players, values, self.size).astype(float)


def _centred(theta: Vector, covariance: Matrix, middle: Sequence[int]) -> tuple[Vector, Matrix]:
    """Shift ratings and covariance so that some ratings' mean is 0; the advantage stays."""
    shift = np.eye(len(theta))
    shift[:-1, middle] -= 1 / len(middle)
    return shift @ theta, shift @ covariance @ shift.T


def _solved(matrix: Matrix, right: Vector) -> Vector:
    """Solve `matrix` · x = `right` for x; raises `ZeroDivisionError` if it is singular."""
    try:
        return np.asarray(np.linalg.solve(matrix, right), dtype=float)
    except np.linalg.LinAlgError:
        raise ZeroDivisionError("the games do not determine all ratings") from None
