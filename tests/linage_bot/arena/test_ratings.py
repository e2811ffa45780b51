"""Rating lists: equal to statsmodels and choix on the same games, and sensible on hard cases."""

import math
import random

import attrs
import numpy
import pytest

from linage_bot.arena import ratings
from linage_bot.arena.rating_information import RatingInformation
from linage_bot.arena.ratings import rate, rate_results
from linage_bot.arena.records import Key, ScoredGames
from linage_bot.arena.statistics import ELO_PER_LOGIT

NAMES = ("ada", "bea", "cleo", "dora")
STRENGTH = (0.5, 0.0, -0.2, -0.3)


def play(game, pairs, seed, advantage=0.4, draws=0.2, names=NAMES):
    """Records of a round robin; the two games of a pair share some luck."""
    rng = random.Random(seed)
    records = []
    for opening in range(pairs):
        for i in range(len(names)):
            for j in range(i + 1, len(names)):
                luck = rng.gauss(0, 0.5)
                for swapped in (False, True):
                    first, second = (j, i) if swapped else (i, j)
                    strength = STRENGTH[first] - STRENGTH[second] + advantage + luck
                    roll = rng.random()
                    expected = 1 / (1 + math.exp(-strength))
                    winner = None if roll < draws else int(rng.random() > expected)
                    records.append(
                        attrs.evolve(
                            game(1, None),
                            key=Key((names[i], names[j]), opening, swapped),
                            players=(names[first], names[second]),
                            winner=winner,
                        )
                    )
    return records


def design(records, names):
    """The games as a regression: one column for each engine but the first, one for moving first."""
    rows, scores, clusters = [], [], {}
    groups = []
    for record in records:
        row = [0.0] * len(names)
        row[names.index(record.players[0])] += 1
        row[names.index(record.players[1])] -= 1
        rows.append([*row[1:], 1.0])
        scores.append(record.points(record.players[0]))
        pair = (record.key.pairing, record.key.opening)
        groups.append(clusters.setdefault(pair, len(clusters)))
    return numpy.array(rows), numpy.array(scores), numpy.array(groups)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore::statsmodels.tools.sm_exceptions.DomainWarning")
def test_ratings_and_clustered_errors_equal_those_of_statsmodels(game):
    """Ratings of 360 games agree to 0.00001 Elo; pairs with one opening are one cluster."""
    import statsmodels.api  # takes a second, which other tests need not wait for

    records = play(game, 30, seed=3)
    x, y, groups = design(records, NAMES)
    model = statsmodels.api.GLM(y, x, family=statsmodels.api.families.Binomial())
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False})
    clusters = len(set(groups))
    covariance = numpy.asarray(fit.cov_params()) * clusters / (clusters - 1)

    theirs = dict(zip(NAMES, (0.0, *fit.params[:-1]), strict=True))
    ours = rate(NAMES, records, prior_elo=math.inf)
    mean = sum(theirs.values()) / len(theirs)
    centre = numpy.eye(5)
    centre[:4, :4] -= 0.25
    padded = numpy.zeros((5, 5))
    padded[1:, 1:] = covariance
    errors = 1.959964 * numpy.sqrt(numpy.diag(centre @ padded @ centre.T))
    for rating in ours.ratings:
        assert rating.elo == pytest.approx((theirs[rating.name] - mean) * ELO_PER_LOGIT, abs=1e-5)
        error = errors[NAMES.index(rating.name)] * ELO_PER_LOGIT
        assert rating.error == pytest.approx(error, rel=1e-5)
    assert ours.advantage == pytest.approx(fit.params[-1] * ELO_PER_LOGIT, abs=1e-5)
    assert ours.advantage_error == pytest.approx(errors[-1] * ELO_PER_LOGIT, rel=1e-5)


def test_with_sides_balanced_out_ratings_equal_those_of_choix(game):
    """Without draws and with mirrored games the advantage is 0 and ratings are those of choix."""
    import choix  # takes a second, too

    records = play(game, 20, seed=4, draws=0.0)
    mirrored = [attrs.evolve(r, players=r.players[::-1], winner=1 - r.winner) for r in records]
    wins = [
        (NAMES.index(r.players[r.winner]), NAMES.index(r.players[1 - r.winner])) for r in records
    ]
    theirs = choix.opt_pairwise(len(NAMES), wins)
    theirs -= theirs.mean()
    ours = rate(NAMES, records + mirrored, prior_elo=math.inf)
    assert ours.advantage == pytest.approx(0, abs=1e-6)
    for rating in ours.ratings:
        expected = theirs[NAMES.index(rating.name)] * ELO_PER_LOGIT
        assert rating.elo == pytest.approx(expected, abs=1e-3)


def test_an_anchor_keeps_its_rating_and_the_differences_stay(game):
    """An anchor has no error, and differences agree to a millionth of an Elo."""
    records = play(game, 20, seed=5)
    free = {r.name: r for r in rate(NAMES, records, prior_elo=math.inf).ratings}
    held = {r.name: r for r in rate(NAMES, records, {"bea": 2000.0}, prior_elo=math.inf).ratings}
    assert (held["bea"].elo, held["bea"].error) == (2000.0, 0.0)
    for name in NAMES:
        assert held[name].elo - 2000 == pytest.approx(free[name].elo - free["bea"].elo, abs=1e-6)


def test_several_anchors_hold_and_the_others_find_their_place_between(game):
    """Several anchors keep their ratings exactly, for any results between them."""
    records = play(game, 20, seed=6)
    held = {r.name: r.elo for r in rate(NAMES, records, {"ada": 100.0, "dora": -100.0}).ratings}
    assert (held["ada"], held["dora"]) == (100.0, -100.0)
    assert -150 < held["bea"] < 150


def test_who_has_won_all_gets_a_high_but_finite_rating(game):
    """After ten wins 300 to 3,000 Elo above the loser, both as far from 0."""
    records = [game(n, "ada") for n in range(1, 11)]
    ada, bea = rate(("ada", "bea"), records).ratings
    assert (ada.name, ada.games) == ("ada", 10)
    assert 300 < ada.elo - bea.elo < 3000
    assert ada.elo + bea.elo == pytest.approx(0, abs=1e-6)


def test_an_engine_without_games_is_in_the_middle(game):
    """An engine without games is listed between the winner and the loser."""
    ratings = rate(("ada", "bea", "cleo"), [game(1, "ada"), game(2, None)]).ratings
    assert [r.name for r in ratings] == ["ada", "cleo", "bea"]
    assert ratings[1].games == 0


def test_without_games_all_are_equal():
    """A list before the first game is no error: all are at 0."""
    ratings = rate(NAMES, [])
    assert [r.elo for r in ratings.ratings] == [0.0] * 4
    assert ratings.advantage == 0.0


@pytest.mark.parametrize("records", ["none", "won all", "two circles"])
def test_without_a_prior_what_the_games_do_not_tell_is_not_told(game, records):
    """No games, only wins, or two circles that never met: an error, and no number."""
    won = [game(number, "ada") for number in range(1, 11)]
    apart = [
        attrs.evolve(game(number, "ada"), players=players, winner=number % 2)
        for number in range(1, 5)
        for players in (("ada", "bea"), ("cleo", "dora"))
    ]
    with pytest.raises(ZeroDivisionError):
        rate(NAMES, {"none": [], "won all": won, "two circles": apart}[records], prior_elo=math.inf)


def test_results_that_are_counted_are_rated_as_the_single_games(game):
    """Counts of equal results suffice, so a list over years can be stored compactly."""
    records = play(game, 10, seed=7)
    singles = [attrs.evolve(ScoredGames.of(record), cluster=None) for record in records]
    counted = [
        attrs.evolve(result, count=singles.count(result)) for result in dict.fromkeys(singles)
    ]
    assert len(counted) < len(singles) / 3
    one, other = (rate_results(NAMES, each, {"bea": 50.0}) for each in (singles, counted))
    assert one.advantage == pytest.approx(other.advantage)
    assert one.advantage_error == pytest.approx(other.advantage_error)
    for a, b in zip(one.ratings, other.ratings, strict=True):
        assert (a.name, a.games) == (b.name, b.games)
        assert (a.elo, a.error) == pytest.approx((b.elo, b.error))


def test_errors_do_not_depend_on_how_many_pairs_are_looked_at_together(game, monkeypatch):
    """Errors depend neither on the size of parts nor on the order of games."""
    records = play(game, 10, seed=8)
    whole = rate(NAMES, records)
    monkeypatch.setattr(ratings, "_CLUSTERS_AT_ONCE", 7)
    parts = rate(NAMES, random.Random(1).sample(records, len(records)))
    assert parts.advantage_error == pytest.approx(whole.advantage_error)
    assert [r.error for r in parts.ratings] == pytest.approx([r.error for r in whole.ratings])


def test_anchors_far_apart_are_no_trouble(game):
    """A million Elo apart and one win each: no overflow, and both hold."""
    held = rate(("ada", "bea"), [game(1, "ada"), game(2, "bea")], {"ada": 0.0, "bea": 1e6})
    assert [rating.elo for rating in held.ratings] == [1e6, 0.0]


def always(game, wins, pairs=5, names=NAMES):
    """A round robin in which `wins(name, other)` says who wins both games, None for one each."""
    records = []
    for opening in range(pairs):
        for i, one in enumerate(names):
            for two in names[i + 1 :]:
                for swapped in (False, True):
                    players = (two, one) if swapped else (one, two)
                    better = wins(one, two)
                    best = opening % 2 if better is None else players.index(better)
                    facts = {"key": Key((one, two), opening, swapped), "players": players}
                    records.append(attrs.evolve(game(1, None), winner=best, **facts))
    return records


def knowledge(ratings):
    return {rating.name: rating.knowledge for rating in ratings.ratings}


def test_of_who_won_or_lost_all_games_only_a_bound_is_known(game):
    """The rating at which fifteen pairs alike are as likely as 2.5 %, against known opponents."""
    records = always(game, lambda one, _two: "ada" if one == "ada" else None)
    ratings = rate(NAMES, records)
    ada, *others = ratings.ratings
    assert (ada.name, ada.knowledge, ada.error) == ("ada", RatingInformation.AT_LEAST, math.inf)
    assert {other.knowledge for other in others} == {RatingInformation.MEASURED}
    assert sum(other.elo for other in others) == pytest.approx(0, abs=1e-6)
    alike = 0.025 ** (1 / 15)
    assert ada.elo == pytest.approx(ELO_PER_LOGIT * math.log(alike / (1 - alike)), abs=10)
    lost = rate(NAMES, [attrs.evolve(r, winner=1 - r.winner) for r in records]).ratings[-1]
    assert (lost.name, lost.knowledge) == ("ada", RatingInformation.AT_MOST)
    assert lost.elo == pytest.approx(-ada.elo, abs=5)


def test_where_nobody_lost_to_a_weaker_one_no_rating_is_known(game):
    """Without an upset only the order of the engines is known."""
    ratings = rate(NAMES, always(game, lambda one, _two: one))
    assert [rating.name for rating in ratings.ratings] == list(NAMES)
    assert set(knowledge(ratings).values()) == {RatingInformation.UNKNOWN}
    assert ratings.advantage_error == math.inf


def test_an_anchor_far_away_bounds_those_who_met_it(game):
    """A million Elo up or down, the list is the same but for that million."""
    records = always(game, lambda one, _two: one)
    near = rate(NAMES, records, {"bea": 0.0})
    for elo in (1e6, -1e6):
        far = rate(NAMES, records, {"bea": elo})
        assert knowledge(far) == knowledge(near)
        for one, other in zip(far.ratings, near.ratings, strict=True):
            assert (one.name, one.elo) == (other.name, pytest.approx(other.elo + elo, abs=0.01))


def test_an_anchor_makes_bounds_of_what_would_not_be_known(game):
    """An anchor gives bounds to the ratings of its opponents."""
    ratings = rate(NAMES, always(game, lambda one, _two: one), {"bea": 1000.0})
    assert knowledge(ratings) == {
        "ada": RatingInformation.AT_LEAST,
        "bea": RatingInformation.MEASURED,
        "cleo": RatingInformation.AT_MOST,
        "dora": RatingInformation.AT_MOST,
    }


@pytest.mark.parametrize(
    ("winners", "known"),
    [
        (("ada", "ada", "ada", "ada"), False),  # ada won with both sides
        (("ada", "bea", "ada", "bea"), False),  # First won always
        (("ada", "ada", "ada", "bea"), False),  # ada won always as First
        (("ada", "bea", "bea", "ada"), True),
        (("ada", "ada", "bea", None), True),
        (("ada", None, None, "ada"), True),
    ],
)
def test_the_advantage_is_known_only_where_nobody_won_always_with_a_side(game, winners, known):
    """With two engines, each needs a point as First and a lost point as First."""
    records = [game(number, winner) for number, winner in enumerate(winners, 1)]
    ratings = rate(("ada", "bea"), records)
    assert math.isfinite(ratings.advantage_error) == known


def unbounded_advantage(records, names):
    """Whether some direction in which the advantage changes makes no result less likely."""
    import scipy.optimize  # takes a second, too

    rows, ties = [], []
    for record in records:
        row = [0.0] * (len(names) + 1)
        row[names.index(record.players[0])] += 1
        row[names.index(record.players[1])] -= 1
        row[-1] = 1.0
        score = record.points(record.players[0])
        if score == 0.5:
            ties.append(row)
        else:
            rows.append([-x if score else x for x in row])  # at most 0
    bounds = [(None, None)] * len(names)
    return any(
        scipy.optimize.linprog(
            [0.0] * (len(names) + 1),
            A_ub=rows or None,
            b_ub=[0.0] * len(rows) or None,
            A_eq=ties or None,
            b_eq=[0.0] * len(ties) or None,
            bounds=[*bounds, (sign, sign)],
        ).success
        for sign in (1, -1)
    )


def test_whether_the_advantage_is_known_agrees_with_linear_programming(game):
    """The two methods agree on small events, with and without a known advantage."""
    rng = random.Random(7)
    told = []
    for _ in range(60):
        records = play(game, 1, seed=rng.random(), draws=0.1, names=NAMES[: rng.randint(2, 4)])
        records = rng.sample(records, rng.randint(2, len(records)))
        records.append(attrs.evolve(records[0], key=Key(records[0].key.pairing, 9)))
        if all(record.winner is None for record in records):
            continue  # the advantage is 0, but its error is unknown
        told.append(math.isfinite(rate(NAMES, records).advantage_error))
        assert told[-1] == (not unbounded_advantage(records, NAMES))
    assert {True, False} == set(told)
