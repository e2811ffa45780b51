"""The rating of one engine from its games against rungs, which are engines of known rating.

The model is that of `ratings`: the first player has an advantage, and each difference in rating has
an expected score. The rungs' own ratings may be off by their errors, so they are fitted, too, each
held to its given value. The information from one rung is then bounded by its own error, and the
games spread over the rungs that are near. The next game is the one that makes the engine's error
smallest, by Fisher's information at the present estimate and a little to both sides of it.

Errors are those of the likeliest value with these priors. Games count as independent of each other,
which makes the errors rather too large where openings decide, as both games of a pair begin alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import attrs

from linage_bot.arena.records import GameRecord
from linage_bot.arena.statistics import CONFIDENCE_95, ELO_PER_LOGIT

_FAR_ELO: Final = 1500.0
"""The prior deviations of the engine's rating from the rungs' mean, and of the advantage."""
_FIRST_ELO: Final = 300.0
_MOST_STEPS: Final = 100
_CLOSE: Final = 1e-7
_NODES: Final = ((0.0, 2 / 3), (math.sqrt(3), 1 / 6), (-math.sqrt(3), 1 / 6))
"""The Gauss–Hermite nodes around an estimate, in its deviations, with their weights."""

Pair = tuple[float, float]


@attrs.frozen
class Rung:
    """An engine of known rating, with half its 95 % interval; 0 where the rating is exact."""

    name: str
    elo: float
    error: float = 0.0


@attrs.frozen
class LadderRating:
    """The engine's rating by its games, with half its 95 % interval.

    The rating is a lower bound (`at_least`) if the engine has won everything, and an upper bound
    (`at_most`) if it has lost everything.
    """

    elo: float
    error: float
    games: int
    advantage: float
    at_least: bool = False
    at_most: bool = False

    @property
    def words(self) -> str:
        """The rating as text for the user."""
        if not self.games:
            return "not known yet"
        if self.at_least:
            return f"at least {self.elo - self.error:.0f}"
        if self.at_most:
            return f"at most {self.elo + self.error:.0f}"
        return f"{self.elo:.0f} ± {self.error:.0f}"


@attrs.define
class _Games:
    """The games against one rung, with the engine moving first and second."""

    counts: list[float] = attrs.field(factory=lambda: [0.0, 0.0])
    points: list[float] = attrs.field(factory=lambda: [0.0, 0.0])


class Ladder:
    """An engine's games against rungs, counted one by one."""

    def __init__(
        self, name: str, rungs: Sequence[Rung], records: Iterable[GameRecord] = ()
    ) -> None:
        self.name = name
        self.rungs = {rung.name: rung for rung in rungs}
        self._games = {rung.name: _Games() for rung in rungs}
        self._middle = sum(rung.elo for rung in rungs) / len(rungs) / ELO_PER_LOGIT
        self._known = self._middle, 0.0, dict.fromkeys(self.rungs, 0.0)
        self._stale = False
        for record in records:
            self.add(record)

    def add(self, record: GameRecord) -> None:
        """Count a game, unless it is between other engines or repeats an earlier one."""
        side = record.players.index(self.name) if self.name in record.players else None
        if side is not None and record.players[1 - side] in self._games and not record.repeats:
            self.count(record.players[1 - side], side, record.points(self.name))

    def count(self, rung: str, side: int, points: float) -> None:
        """Count a game in which the engine moved first (0) or second (1)."""
        games = self._games[rung]
        games.counts[side] += 1
        games.points[side] += points
        self._stale = True

    def score(self, rung: str) -> Pair:
        """Return the engine's points and games against a rung."""
        games = self._games[rung]
        return sum(games.points), sum(games.counts)

    def rating(self) -> LadderRating:
        """Return the likeliest rating."""
        theta, advantage, _ = fit = self._fit()
        games = sum(sum(each.counts) for each in self._games.values())
        points = sum(sum(each.points) for each in self._games.values())
        deviation = math.sqrt(self._covariance(*fit))
        return LadderRating(
            elo=theta * ELO_PER_LOGIT,
            error=CONFIDENCE_95 * deviation * ELO_PER_LOGIT,
            games=round(games),
            advantage=advantage * ELO_PER_LOGIT,
            at_least=0 < games == points,
            at_most=points == 0 < games,
        )

    def next_rungs(self, pairs: int, without: Iterable[str] = ()) -> list[str]:
        """Return the rungs for the next pairs, each chosen as if earlier ones had been played."""
        theta, advantage, offsets = self._fit()
        deviation = math.sqrt(self._covariance(theta, advantage, offsets))
        absent, extra, chosen = set(without), dict[str, Pair](), list[str]()
        present = [name for name in self.rungs if name not in absent]
        for _ in range(pairs if present else 0):
            left: dict[str, float] = {}
            for name in present:
                rating = self._rating(name, offsets)
                more = [0.0, 0.0]
                for node, weight in _NODES:
                    for side, sign in enumerate((1, -1)):
                        away = theta + node * deviation + sign * advantage - rating
                        more[side] += weight * _information(away)
                before = extra.get(name, (0.0, 0.0))
                planned = {**extra, name: (before[0] + more[0], before[1] + more[1])}
                left[name] = self._covariance(theta, advantage, offsets, planned)
            best = min(left, key=left.__getitem__)
            added = extra.get(best, (0.0, 0.0))
            rating = self._rating(best, offsets)
            extra[best] = (
                added[0] + _information(theta + advantage - rating),
                added[1] + _information(theta - advantage - rating),
            )
            chosen.append(best)
        return chosen

    def _rating(self, name: str, offsets: Mapping[str, float]) -> float:
        return self.rungs[name].elo / ELO_PER_LOGIT + offsets[name]

    def _spread(self, name: str) -> float:
        """Return the deviation of a rung's given rating."""
        return self.rungs[name].error / CONFIDENCE_95 / ELO_PER_LOGIT

    def _fit(self) -> tuple[float, float, dict[str, float]]:
        """Return the likeliest rating, advantage, and offset of each rung from its given rating.

        Newton's method with halved steps. The rungs are coupled through the engine alone, so they
        are eliminated one by one. The search starts from the result before the last games.
        """
        theta, advantage, offsets = self._known
        if not self._stale:
            return self._known
        best = self._objective(theta, advantage, offsets)
        for _ in range(_MOST_STEPS):
            (one, two), moves = self._step(theta, advantage, offsets)
            scale = 1.0
            while True:
                moved = {name: offsets[name] + scale * moves[name] for name in offsets}
                value = self._objective(theta + scale * one, advantage + scale * two, moved)
                if value >= best or scale < 1e-6:
                    break
                scale /= 2
            theta, advantage, offsets = theta + scale * one, advantage + scale * two, moved
            best = value
            if abs(one) + abs(two) < _CLOSE:
                break
        self._known, self._stale = (theta, advantage, offsets), False
        return self._known

    def _step(
        self, theta: float, advantage: float, offsets: Mapping[str, float]
    ) -> tuple[Pair, dict[str, float]]:
        far, first = _FAR_ELO / ELO_PER_LOGIT, _FIRST_ELO / ELO_PER_LOGIT
        gradient = [(self._middle - theta) / far**2, -advantage / first**2]
        own: dict[str, tuple[float, float, float, float]] = {}
        for name, games in self._games.items():
            ahead = theta - self._rating(name, offsets)
            rests, weights = [0.0, 0.0], [0.0, 0.0]
            for side, sign in enumerate((1, -1)):
                away = ahead + sign * advantage
                rests[side] = games.points[side] - games.counts[side] * _expected(away)
                weights[side] = games.counts[side] * _information(away)
            gradient[0] += rests[0] + rests[1]
            gradient[1] += rests[0] - rests[1]
            spread = self._spread(name)
            if spread:
                slope = -(rests[0] + rests[1]) - offsets[name] / spread**2
                bend = weights[0] + weights[1] + 1 / spread**2
                across = -(weights[0] + weights[1]), -(weights[0] - weights[1])
                own[name] = (slope, bend, *across)
                gradient[0] -= across[0] * slope / bend
                gradient[1] -= across[1] * slope / bend
        a, b, c = self._curvature(theta, advantage, offsets)
        whole = a * c - b * b
        step = (
            (c * gradient[0] - b * gradient[1]) / whole,
            (a * gradient[1] - b * gradient[0]) / whole,
        )
        moves = dict.fromkeys(offsets, 0.0)
        for name, (slope, bend, one, two) in own.items():
            moves[name] = (slope - one * step[0] - two * step[1]) / bend
        return step, moves

    def _curvature(
        self,
        theta: float,
        advantage: float,
        offsets: Mapping[str, float],
        extra: Mapping[str, Pair] | None = None,
    ) -> tuple[float, float, float]:
        """Return the information about engine and advantage, rungs eliminated: a symmetric matrix.

        `extra` is the information of future games, with the engine moving first and second.
        """
        far, first = _FAR_ELO / ELO_PER_LOGIT, _FIRST_ELO / ELO_PER_LOGIT
        a, b, c = 1 / far**2, 0.0, 1 / first**2
        for name, games in self._games.items():
            ahead = theta - self._rating(name, offsets)
            more = (extra or {}).get(name, (0.0, 0.0))
            one = games.counts[0] * _information(ahead + advantage) + more[0]
            two = games.counts[1] * _information(ahead - advantage) + more[1]
            both, odd = one + two, one - two
            spread = self._spread(name)
            lost = 1 / (both + 1 / spread**2) if spread else 0.0
            a += both - both * both * lost
            b += odd - both * odd * lost
            c += both - odd * odd * lost
        return a, b, c

    def _covariance(
        self,
        theta: float,
        advantage: float,
        offsets: Mapping[str, float],
        extra: Mapping[str, Pair] | None = None,
    ) -> float:
        """Return the variance of the engine's rating."""
        a, b, c = self._curvature(theta, advantage, offsets, extra)
        return c / (a * c - b * b)

    def _objective(self, theta: float, advantage: float, offsets: Mapping[str, float]) -> float:
        far, first = _FAR_ELO / ELO_PER_LOGIT, _FIRST_ELO / ELO_PER_LOGIT
        total = -((theta - self._middle) ** 2) / (2 * far**2) - advantage**2 / (2 * first**2)
        for name, games in self._games.items():
            ahead, spread = theta - self._rating(name, offsets), self._spread(name)
            for side, sign in enumerate((1, -1)):
                away = ahead + sign * advantage
                total += games.points[side] * away - games.counts[side] * _softplus(away)
            if spread:
                total -= offsets[name] ** 2 / (2 * spread**2)
        return total


def _expected(away: float) -> float:
    return (1 + math.tanh(away / 2)) / 2


def _information(away: float) -> float:
    """Return Fisher's information of one game about a rating at this distance."""
    expected = _expected(away)
    return expected * (1 - expected)


def _softplus(away: float) -> float:
    return max(away, 0.0) + math.log1p(math.exp(-abs(away)))
