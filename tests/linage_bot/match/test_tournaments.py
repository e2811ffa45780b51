"""Pairings: engines do not meet twice while that can be avoided."""

import itertools

from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from linage_bot.match.schedule import swiss
from tests.examples import examples


def test_small_tournaments_as_everybody_knows_them():
    """Two Swiss rounds of four have the usual pairings."""
    assert swiss([0] * 4, (), (), ()) == ([(0, 2), (1, 3)], None)
    assert swiss([2, 2, 0, 0], {(0, 2), (1, 3)}, (), ()) == ([(0, 1), (2, 3)], None)


def test_who_rests_has_the_fewest_points_and_has_not_rested():
    """If all engines have rested, the points alone decide."""
    assert swiss([3, 2, 1, 0, 0], (), {4}, ())[1] == 3
    assert swiss([3, 2, 1], (), {0, 1, 2}, ())[1] == 2


def test_absent_engines_are_not_paired():
    """The two of four that are there play each other."""
    assert swiss([0, 0, 0, 0], (), (), {0, 2}) == ([(1, 3)], None)


def test_when_everyone_has_met_they_meet_again():
    """Better a second game than no round at all."""
    assert swiss([1, 0], {(0, 1)}, (), ()) == ([(0, 1)], None)


def test_one_pair_of_forty_that_lets_all_others_meet_somebody_new_is_found():
    """The only new pair between two groups that have met is found."""
    met = set(itertools.product(range(21), range(21, 40)))
    pairings, _ = swiss(range(40, 0, -1), met - {(20, 39)}, (), ())
    assert met & set(pairings) == {(20, 39)}
    assert pairings[:2] == [(0, 1), (2, 3)]
    neighbours = [(index, index + 1) for index in range(0, 40, 2)]
    assert swiss(range(40, 0, -1), met, (), ())[0] == neighbours


def pairings_by_trying(standing, met):
    """The first that is found by trying everything in turn."""
    if not standing:
        return []
    first, *others = standing
    for other in others:
        if (min(first, other), max(first, other)) not in met:
            rest = pairings_by_trying([index for index in others if index != other], met)
            if rest is not None:
                return [(first, other), *rest]
    return None


@given(st.permutations(range(8)), st.data())
@hypothesis_settings(max_examples=examples(300), deadline=None)
def test_the_pairings_are_those_that_trying_everything_finds(standing, data):
    """Pairings equal those of brute force, so that old events continue as planned."""
    pairs = list(itertools.combinations(range(8), 2))
    met = data.draw(st.sets(st.sampled_from(pairs)))
    points = [8 - standing.index(index) for index in range(8)]
    expected = pairings_by_trying(standing, met) or list(
        zip(standing[::2], standing[1::2], strict=True)
    )
    assert swiss(points, met, (), ())[0] == [(min(pair), max(pair)) for pair in expected]


@given(st.lists(st.integers(0, 4), min_size=2, max_size=9), st.data())
@hypothesis_settings(max_examples=examples(100), deadline=None)
def test_everybody_present_is_paired_once_or_rests(points, data):
    """For any points and earlier pairings; an engine rests only if their number is odd."""
    pairs = list(itertools.combinations(range(len(points)), 2))
    met = set(data.draw(st.lists(st.sampled_from(pairs), max_size=6)))
    pairings, resting = swiss(points, met, (), ())
    seated = [index for pairing in pairings for index in pairing]
    assert sorted(seated + ([] if resting is None else [resting])) == list(range(len(points)))
    assert (resting is None) == (len(points) % 2 == 0)
    assert all(one < two for one, two in pairings)
