"""Elo, LOS and SPRT: equal to published values and to scipy's results."""

import math

import attrs
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from benchmarks.sprt_errors import simulated_errors
from linage_bot.arena.records import Key
from linage_bot.arena.statistics import (
    PentanomialCounts,
    SprtState,
    bounds,
    elo_of_score,
    llr,
    score_of_elo,
    verdict,
)
from linage_bot.settings.match import SprtSettings


def recorded(game, plays):
    """Records of games, with the numbers of those they repeat: (pair, swapped, how it went)."""
    originals, records = {}, []
    for number, (opening, swapped, course) in enumerate(plays, 1):
        original = originals.setdefault((swapped, course), number)
        record = game(number, "ada" if course % 2 else "bea")
        key, players = Key(("ada", "bea"), opening, swapped), record.players
        if swapped != (number % 2 == 0):
            players = players[::-1]
        winner = players.index("ada" if course % 2 else "bea")
        repeats = 0 if original == number else original
        facts = {"key": key, "players": players, "winner": winner, "repeats": repeats}
        records.append(attrs.evolve(record, **facts))
    return records


PLAYS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=12)


@hypothesis_settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(PLAYS, st.randoms())
def test_a_pair_counts_when_it_holds_a_game_that_no_counted_pair_holds(game, pairs, chance):
    """The order in which games end does not raise the number of counted pairs."""
    plays = [
        (opening, swapped, course)
        for opening, courses in enumerate(pairs)
        for swapped, course in zip((False, True), courses, strict=True)
    ]
    chance.shuffle(plays)
    counted = PentanomialCounts.of("ada", "bea", recorded(game, plays))
    assert counted.pairs + counted.repeated == len(pairs)
    seen, left, expected = set(), {}, 0
    for opening, swapped, course in plays:
        left.setdefault(opening, set()).add((swapped, course))
        if len(left[opening]) == 2:
            expected += not left[opening] <= seen
            seen |= left[opening]
    assert counted.pairs == expected
    assert counted.pairs <= len(seen)
    assert counted.pairs == len(pairs) or len(seen) < len(plays)


def test_a_match_of_copies_tells_what_one_pair_tells(game):
    """Copies of a pair make neither Elo, certainty nor the test more certain."""
    test = SprtSettings(0, 50)
    plays = [(opening, swapped, 1) for opening in range(20) for swapped in (False, True)]
    copies = PentanomialCounts.of("ada", "bea", recorded(game, plays))
    one = PentanomialCounts.of("ada", "bea", recorded(game, plays[:2]))
    assert (copies.counts, copies.repeated) == ((0, 0, 0, 0, 1), 19)
    assert copies.elo() == one.elo()
    assert copies.superiority() == one.superiority()
    assert llr(test, copies) == llr(test, one)


COUNTS = st.tuples(*[st.integers(0, 200)] * 5)
SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)


# The numbers of fastchess's own tests (app/tests/elo_test.cpp), which give two decimals.
@pytest.mark.parametrize(
    ("counts", "elo", "elo_error", "normalized", "normalized_error", "superiority"),
    [
        ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28, 1.0),
        ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96, 0.0505),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65, 0.0),
    ],
)
def test_estimates_equal_the_published_ones(
    counts, elo, elo_error, normalized, normalized_error, superiority
):
    """Estimates agree with all published decimals of fastchess's tests."""
    pairs = PentanomialCounts(counts)
    assert pairs.elo().value == pytest.approx(elo, abs=0.006)
    assert pairs.elo().error == pytest.approx(elo_error, abs=0.006)
    assert pairs.normalized_elo().value == pytest.approx(normalized, abs=0.006)
    assert pairs.normalized_elo().error == pytest.approx(normalized_error, abs=0.006)
    assert pairs.superiority() == pytest.approx(superiority, abs=0.0001)


# What fishtest's LLRcalc.py (official-stockfish/fishtest, server/fishtest/stats) answers.
LLRS = [
    ((365, 16618, 36229, 16974, 390), 0, 2, -0.005920, 2.250368),
    ((127, 4883, 10712, 5150, 104), -1.75, 0.25, 6.862003, 3.010154),
    ((0, 0, 0, 0, 104), 0, 5, 1.485940, 2.094955),
    ((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.074126, 0.406799),
    ((871, 26175, 55983, 26678, 821), 0, 2, -4.978673, 0.804451),
    ((10, 2, 0, 0, 0), 0, 10, -0.350384, -0.477365),
    ((1, 0, 0, 0, 0), 0, 10, -0.029255, -0.041544),
    ((3, 10, 20, 15, 6), 0, 20, 0.810703, 0.664160),
    ((0, 0, 12, 0, 0), -5, 5, 0.0, 0.0),
    ((0, 3, 5, 9, 30), 0, 50, 6.278453, 7.092911),
]


@pytest.mark.parametrize(("counts", "elo0", "elo1", "logistic", "normalized"), LLRS)
def test_the_llr_equals_the_published_method_to_6_decimals(
    counts, elo0, elo1, logistic, normalized
):
    """The LLR agrees in both models, also for zero counts and a single outcome."""
    pairs = PentanomialCounts(counts)
    for model, expected in (("logistic", logistic), ("normalized", normalized)):
        test = SprtSettings(elo0, elo1, model=model)
        assert llr(test, pairs) == pytest.approx(expected, abs=1e-6)


def likeliest(observed, constraint):
    """The largest log-likelihood under a constraint, by a general optimiser."""
    import scipy.optimize  # takes a second, which other tests need not wait for

    found = scipy.optimize.minimize(
        lambda p: -sum(o * math.log(q) for o, q in zip(observed, p, strict=True)),
        observed,
        bounds=[(1e-9, 1)] * 5,
        constraints=[
            {"type": "eq", "fun": lambda p: sum(p) - 1},
            {"type": "eq", "fun": constraint},
        ],
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert found.success
    return -found.fun


@pytest.mark.parametrize("counts", [(10, 30, 60, 40, 20), (5, 2, 3, 4, 9), (40, 30, 20, 10, 5)])
@pytest.mark.parametrize("elos", [(0.0, 20.0), (-30.0, 10.0), (0.0, 300.0), (-250.0, 250.0)])
def test_the_llr_is_the_ratio_of_the_largest_likelihoods(counts, elos):
    """The LLR agrees with its definition, computed by scipy's optimiser."""
    observed = [count / sum(counts) for count in counts]

    def mean(p):
        return sum(q * s for q, s in zip(p, SCORES, strict=True))

    def distance(p):
        variance = sum(q * (s - mean(p)) ** 2 for q, s in zip(p, SCORES, strict=True))
        return (mean(p) - 0.5) / math.sqrt(2 * variance) * 800 / math.log(10)

    logistic = [likeliest(observed, lambda p, e=elo: mean(p) - score_of_elo(e)) for elo in elos]
    normalized = [likeliest(observed, lambda p, e=elo: (distance(p) - e) / 100) for elo in elos]
    for model, (zero, one) in (("logistic", logistic), ("normalized", normalized)):
        found = llr(SprtSettings(*elos, model=model), PentanomialCounts(counts))
        assert found == pytest.approx(sum(counts) * (one - zero), abs=2e-4)


@given(COUNTS)
def test_seen_from_the_other_engine_everything_changes_its_sign(counts):
    """The order of the two engines does not matter, for any counts."""
    pairs, mirrored = PentanomialCounts(counts), PentanomialCounts(counts[::-1])
    assert mirrored.elo().value == pytest.approx(-pairs.elo().value)
    assert mirrored.elo().low == pytest.approx(-pairs.elo().high)
    assert mirrored.normalized_elo().value == pytest.approx(-pairs.normalized_elo().value)
    assert mirrored.superiority() == pytest.approx(1 - pairs.superiority())
    for model in ("logistic", "normalized"):
        there, back = SprtSettings(-3, 8, model=model), SprtSettings(-8, 3, model=model)
        assert llr(back, mirrored) == pytest.approx(-llr(there, pairs), abs=1e-6)


@given(st.floats(-1000, 1000))
def test_elo_and_score_are_two_words_for_one_thing(elo):
    """From -1,000 to 1,000 Elo, the conversion and its inverse agree to a millionth."""
    assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo, abs=1e-6)


def test_before_the_first_pair_nothing_is_known():
    """Without a pair, odds are even and the interval is infinite."""
    pairs = PentanomialCounts()
    assert (pairs.score, pairs.superiority(), llr(SprtSettings(0, 5), pairs)) == (0.5, 0.5, 0.0)
    assert pairs.elo().low == -math.inf
    assert pairs.elo().high == math.inf


def test_who_has_won_all_may_be_infinitely_better_but_a_few_pairs_prove_little():
    """Five pairs won are luck once in 32 times; a thousand are 900 Elo at least."""
    pairs = PentanomialCounts((0, 0, 0, 0, 5))
    assert pairs.elo().value == pairs.elo().high == math.inf
    assert pairs.elo().low == pytest.approx(elo_of_score(0.025 ** (1 / 5)))
    assert pairs.normalized_elo().value == math.inf
    assert pairs.superiority() == 1 - 1 / 32
    assert PentanomialCounts((0, 0, 0, 0, 1000)).elo().low > 900
    even = PentanomialCounts((0, 0, 12, 0, 0))
    assert even.superiority() == 0.5
    assert even.elo().low == pytest.approx(-even.elo().high)


def test_only_finished_pairs_count_and_only_those_of_the_two(game):
    """Points are counted for the engine named first, regardless of the colours."""
    records = [
        game(1, "ada"),
        game(2, "ada"),
        game(3, "bea"),
        game(4, None),
        game(5, "ada"),  # its other half is missing
    ]
    assert PentanomialCounts.of("ada", "bea", records).counts == (0, 1, 0, 0, 1)
    assert PentanomialCounts.of("bea", "ada", records).counts == (1, 0, 0, 1, 0)
    assert PentanomialCounts.of("ada", "cleo", records).pairs == 0


def test_a_test_ends_at_walds_bounds():
    """Alpha and beta each set their own bound; in between the test continues."""
    test = SprtSettings(0, 10, alpha=0.05, beta=0.1)
    assert bounds(test) == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))
    assert verdict(test, PentanomialCounts((0, 5, 10, 5, 0))) is SprtState.UNDECIDED
    assert verdict(test, PentanomialCounts((0, 10, 100, 200, 50))) is SprtState.ACCEPTED
    assert verdict(test, PentanomialCounts((50, 200, 100, 10, 0))) is SprtState.REJECTED


@pytest.mark.parametrize("model", ["logistic", "normalized"])
@pytest.mark.parametrize("elo", [300, 2000])
def test_a_test_of_large_differences_is_decided_from_the_first_pairs(model, elo):
    """Pairs with one outcome decide a test of large differences."""
    for test in (SprtSettings(0, elo, model=model), SprtSettings(-elo, 0, model=model)):
        assert verdict(test, PentanomialCounts((0, 0, 0, 0, 30))) is SprtState.ACCEPTED
        assert verdict(test, PentanomialCounts((30, 0, 0, 0, 0))) is SprtState.REJECTED
        assert math.isfinite(llr(test, PentanomialCounts((0, 0, 1, 0, 0))))


@pytest.mark.thorough
@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_a_sequential_test_seldom_errs(model):
    """benchmarks/sprt_errors.py measures how seldom, with 2,000 tests."""
    for error in simulated_errors(SprtSettings(0.0, 80.0, model=model), tests=40, seed=2):
        assert error < 0.2  # more than four deviations above 5 %
