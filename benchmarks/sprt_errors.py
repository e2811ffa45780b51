"""The error rates of SPRT, by simulation: python benchmarks/sprt_errors.py [TESTS]

Simulates, for each model, 2,000 tests (or TESTS) with a true difference of exactly elo0 and as many
with elo1. Prints the shares of wrong decisions, which should be alpha and beta (5 %), and the mean
lengths. Takes about a minute.
"""

import math
import random
import sys

from linage_bot.arena.statistics import (
    NORMALIZED_ELO,
    PentanomialCounts,
    SprtState,
    score_of_elo,
    verdict,
)
from linage_bot.settings.match import SprtSettings

DRAWS = 0.2


def true_score(test, elo):
    """Return the mean score of games with this Elo difference, 20 % of which are draws."""
    if test.model == "logistic":
        return score_of_elo(elo)
    # Of one game: (score - 1/2) / deviation = elo / NORMALIZED_ELO, and the mean square
    # distance from 1/2 is (1 - DRAWS) / 4.
    distance = elo / NORMALIZED_ELO
    return 0.5 + distance * math.sqrt((1 - DRAWS) / 4 / (1 + distance**2))


def simulated_errors(test, tests, seed):
    """Return the shares of wrong decisions if the truth is elo0 and if it is elo1."""
    return [wrong for wrong, _ in simulate(test, tests, seed)]


def simulate(test, tests, seed):
    """Yield, for elo0 and for elo1, the share of wrong decisions and the mean number of pairs."""
    rng = random.Random(seed)
    for elo, wrong in ((test.elo0, SprtState.ACCEPTED), (test.elo1, SprtState.REJECTED)):
        win = true_score(test, elo) - DRAWS / 2
        errors = pairs = 0
        for _ in range(tests):
            counts = [0] * 5
            found = SprtState.UNDECIDED
            while found is SprtState.UNDECIDED:
                rolls = rng.random(), rng.random()
                counts[sum(2 * (roll < win) + (win <= roll < win + DRAWS) for roll in rolls)] += 1
                found = verdict(test, PentanomialCounts(tuple(counts)))
                pairs += 1
            errors += found is wrong
        yield errors / tests, pairs / tests


def main():
    tests = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    for model in ("logistic", "normalized"):
        test = SprtSettings(0.0, 40.0 if model == "logistic" else 60.0, model=model)
        for elo, (wrong, pairs) in zip(
            (test.elo0, test.elo1), simulate(test, tests, 1), strict=True
        ):
            print(
                f"{model:10} truth {elo:g} Elo: {100 * wrong:.2f} % wrong, {pairs:.0f} pairs a test"
            )


if __name__ == "__main__":
    main()
