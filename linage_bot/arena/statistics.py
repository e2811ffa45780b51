"""The difference in strength of two engines and its certainty, from pairs of games.

The two games of a pair share an opening, so they are not independent; a *pair score* (0, ½, 1, 1½
or 2 points) is one observation. A pair whose two games both repeat games of earlier pairs, move for
move, is none: programs without randomness play the same game again and again, and copies would make
any difference look certain. All figures are made from the five counts, "pentanomially": M. Van den
Bergh, *Comments on Normalized Elo* and *A Practical Introduction to the GSPRT*,
https://www.cantate.be/Fishtest/ (2019–2021). Elo differences are those of the first engine.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Iterable, Sequence
from statistics import NormalDist
from typing import Final

import attrs

from linage_bot.arena.records import GameRecord
from linage_bot.settings.match import SprtSettings

ELO_PER_LOGIT: Final = 400 / math.log(10)
NORMALIZED_ELO: Final = 800 / math.log(10)
"""Normalized Elo per unit of (score - ½) / deviation of one game's score."""
CONFIDENCE_95: Final = NormalDist().inv_cdf(0.975)
"""Half a 95 % interval, in standard errors."""
_SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_TINY: Final = 1e-3  # for a pair score not seen yet: a count of 0 would mean "impossible"


@attrs.frozen
class Estimate:
    """A value with its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def error(self) -> float:
        """Half the interval: the number after the ±."""
        return (self.high - self.low) / 2


@attrs.define
class PentanomialCounts:
    """The numbers of game pairs in which one engine made 0, ½, 1, 1½ and 2 points against another.

    `repeated` is the number of finished pairs that are not counted, because they hold no new game.
    """

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)
    _players: tuple[str, str] = ("", "")
    repeated: int = attrs.field(default=0, init=False)
    _halves: dict[int, GameRecord] = attrs.field(factory=dict, init=False)
    """The finished games of pairs whose other game is not finished, by opening."""
    _counted: set[int] = attrs.field(factory=set, init=False)
    """The numbers of the games in counted pairs; a copy has the number of the original."""

    @classmethod
    def of(cls, name: str, opponent: str, records: Iterable[GameRecord] = ()) -> PentanomialCounts:
        """Return the finished pairs of two engines, scored for the first of them."""
        pairs = cls(players=(name, opponent))
        for record in records:
            pairs.add(record)
        return pairs

    def add(self, record: GameRecord) -> None:
        """Count one more game, if these two engines played it."""
        if {*self._players} == {*record.players}:
            opening = record.key.opening
            if opening in self._halves:
                self._add_pair(self._halves.pop(opening), record)
            else:
                self._halves[opening] = record

    def _add_pair(self, *pair: GameRecord) -> None:
        games = {record.repeats or record.number for record in pair}
        if games <= self._counted:
            self.repeated += 1
            return
        self._counted |= games
        made = round(2 * sum(record.points(self._players[0]) for record in pair))
        zero, half, one, more, two = (n + (i == made) for i, n in enumerate(self.counts))
        self.counts = zero, half, one, more, two

    @property
    def pairs(self) -> int:
        """The number of finished pairs that count."""
        return sum(self.counts)

    @property
    def score(self) -> float:
        """The mean score of a game, 0 to 1; ½ before the first pair."""
        if not self.pairs:
            return 0.5
        return sum(n * s for n, s in zip(self.counts, _SCORES, strict=True)) / self.pairs

    @property
    def variance(self) -> float:
        """The variance of a pair's mean score."""
        if not self.pairs:
            return 0.0
        squares = sum(n * (s - self.score) ** 2 for n, s in zip(self.counts, _SCORES, strict=True))
        return squares / self.pairs

    def elo(self) -> Estimate:
        """Return the Elo difference for the score; infinite where one side won all.

        If all pairs ended alike, the bounds come from the largest share of pairs with another
        ending that would remain unseen with a chance of 2.5 %.
        """
        if self.variance:
            wide = CONFIDENCE_95 * math.sqrt(self.variance / self.pairs)
            low, high = max(0.0, self.score - wide), min(1.0, self.score + wide)
        else:
            alike = 0.025 ** (1 / self.pairs) if self.pairs else 0.0
            low, high = alike * self.score, 1 - alike * (1 - self.score)
        return Estimate(elo_of_score(self.score), elo_of_score(low), elo_of_score(high))

    def normalized_elo(self) -> Estimate:
        """Return (score - ½) / deviation of one game, scaled: comparable between conditions."""
        if not self.variance:
            ahead = math.copysign(math.inf, self.score - 0.5) if self.score != 0.5 else 0.0
            return Estimate(ahead, -math.inf, math.inf)
        value = (self.score - 0.5) / math.sqrt(2 * self.variance) * NORMALIZED_ELO
        wide = CONFIDENCE_95 * NORMALIZED_ELO / math.sqrt(2 * self.pairs)
        return Estimate(value, value - wide, value + wide)

    def superiority(self) -> float:
        """Return the likelihood of superiority: the certainty that the first engine is the better.

        Never more certain than if each pair were a tossed coin that always fell on the same side.
        """
        ahead = self.score - 0.5
        chance = 0.5**self.pairs
        if self.variance:
            sure = NormalDist().cdf(ahead / math.sqrt(self.variance / self.pairs))
            return min(1 - chance, max(chance, sure))
        return 0.5 if not ahead else 1 - chance if ahead > 0 else chance


def elo_of_score(score: float) -> float:
    """Return the Elo difference with this expected score."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return ELO_PER_LOGIT * math.log(score / (1 - score))


def score_of_elo(elo: float) -> float:
    """Return the expected score with this Elo difference."""
    return (1 + math.tanh(elo / ELO_PER_LOGIT / 2)) / 2  # never overflows


# ----------------------------------------------------------------------------- SPRT


class SprtState(enum.Enum):
    """The state of a sequential test."""

    UNDECIDED = "undecided"
    ACCEPTED = "accepted"  # the difference is elo1 rather than elo0
    REJECTED = "rejected"


def bounds(test: SprtSettings) -> tuple[float, float]:
    """Return the LLR at which a test rejects and that at which it accepts."""
    return math.log(test.beta / (1 - test.alpha)), math.log((1 - test.beta) / test.alpha)


def llr(test: SprtSettings, pairs: PentanomialCounts) -> float:
    """Return the logarithm of the two hypotheses' likelihood ratio; 0 before the first pair.

    It is Wald's sequential test of "the difference is `elo0`" against "it is `elo1`". The
    likelihoods are maximal ones (GSPRT): of all distributions of pair scores with the Elo
    difference of the hypothesis, the one that fits the counts best.
    """
    if not pairs.pairs:
        return 0.0
    counts = [count or _TINY for count in pairs.counts]
    total = sum(counts)
    observed = [count / total for count in counts]
    if test.model == "logistic":
        zero, one = (_fit_mean(observed, score_of_elo(elo)) for elo in (test.elo0, test.elo1))
    else:
        zero, one = (
            _fit_distance(observed, math.sqrt(2) * elo / NORMALIZED_ELO)
            for elo in (test.elo0, test.elo1)
        )
    return total * sum(p * math.log(p1 / p0) for p, p0, p1 in zip(observed, zero, one, strict=True))


def verdict(test: SprtSettings, pairs: PentanomialCounts) -> SprtState:
    """Return the state that the pairs give the test."""
    (lower, upper), value = bounds(test), llr(test, pairs)
    if value >= upper:
        return SprtState.ACCEPTED
    return SprtState.REJECTED if value <= lower else SprtState.UNDECIDED


def _fit_mean(observed: Sequence[float], mean: float) -> list[float]:
    """Return the likeliest distribution of pair scores with this mean.

    It is p / (1 + x (s - mean)) with the x that gives the mean: Van den Bergh, *Maximum Likelihood
    for Multinomial Distributions with Linear Constraints*, proposition 1.1.
    """
    return _tilted(observed, [score - mean for score in _SCORES])


def _fit_distance(observed: Sequence[float], distance: float) -> list[float]:
    """Return the likeliest distribution whose mean lies `distance` deviations from ½.

    The constraint is linearized around the last fit, up to ten times: Van den Bergh, *Normalized
    Elo in Practice*, section 4.1. The first fit meets the constraint itself: around one that falls
    short of the distance, no distribution might meet the linear constraint.
    """
    # It mixes equal shares with pairs that all ended alike.
    far = abs(distance)
    alike = far * (far + math.sqrt(9 * far**2 + 8)) / (4 * (1 + far**2))
    fitted = [(1 - alike) / len(_SCORES)] * len(_SCORES)
    fitted[-1 if distance > 0 else 0] += alike
    for _ in range(10):
        mean = sum(p * s for p, s in zip(fitted, _SCORES, strict=True))
        spread = math.sqrt(sum(p * (s - mean) ** 2 for p, s in zip(fitted, _SCORES, strict=True)))
        values = [
            s - 0.5 - distance * spread * (1 + ((s - mean) / spread) ** 2) / 2 for s in _SCORES
        ]
        last, fitted = fitted, _tilted(observed, values)
        if max(abs(p - q) for p, q in zip(last, fitted, strict=True)) < 1e-9:
            break
    return fitted


def _tilted(observed: Sequence[float], values: Sequence[float]) -> list[float]:
    """Return the distribution p / (1 + x v) under which the values v have mean 0.

    Some values lie on either side of 0. The mean falls as x grows, between the x at which a
    denominator vanishes; so Newton's method, kept inside the interval where the root must be, finds
    the one x.
    """
    low, high = -1 / max(values), -1 / min(values)
    x = 0.0
    for _ in range(200):
        terms = [v / (1 + x * v) for v in values]
        mean = sum(p * t for p, t in zip(observed, terms, strict=True))
        if mean > 0:
            low = x
        else:
            high = x
        step = mean / sum(p * t * t for p, t in zip(observed, terms, strict=True))
        nearer = x + step
        if not low < nearer < high:
            nearer = (low + high) / 2
        if abs(nearer - x) <= 1e-13 * max(1.0, abs(x)):
            break
        x = nearer
    return [p / (1 + x * v) for p, v in zip(observed, values, strict=True)]
