"""When a search may stop."""

from linage_bot.search.limits import Limits


def test_only_a_bound_on_visits_alone_makes_a_search_repeatable():
    assert Limits(visits=5).bounded_by_visits
    assert not Limits().bounded_by_visits
    assert not Limits(seconds=1).bounded_by_visits
    assert not Limits(visits=5, seconds=1).bounded_by_visits
