"""When a search may stop."""

from linage_bot.engine.limits import Limits


def test_only_a_bound_on_visits_alone_makes_a_search_repeatable():
    """A clock beside it may end the search first, on a slower machine."""
    assert Limits(visits=5).bounded_by_visits
    assert not Limits().bounded_by_visits
    assert not Limits(seconds=1).bounded_by_visits
    assert not Limits(visits=5, seconds=1).bounded_by_visits


def test_time_that_is_gone_is_taken_from_the_usual_time_first_and_then_from_the_extra():
    """Neither gets less than nothing, and visits are not paid with time."""
    limits = Limits(visits=5, seconds=3, extra_seconds=2)
    assert limits.less(1) == Limits(visits=5, seconds=2, extra_seconds=2)
    assert limits.less(4) == Limits(visits=5, seconds=0, extra_seconds=1)
    assert limits.less(9) == Limits(visits=5, seconds=0, extra_seconds=0)
    assert Limits(visits=5).less(9) == Limits(visits=5)
