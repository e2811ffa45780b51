"""Limits of a search."""

import math

import attrs
import numpy as np
import pytest

from linage_bot import History, game
from linage_bot.engine.analysis import Report
from linage_bot.engine.clocks import TimeSystem
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits

NONSENSE = [math.nan, math.inf, -math.inf, -1, -0.5, "5", True, [], 1j]


@pytest.mark.parametrize("value", NONSENSE, ids=repr)
@pytest.mark.parametrize(
    "name", ["visits", "seconds", "clock_seconds", "extra_seconds", "ceiling_seconds"]
)
def test_a_limit_that_is_none_is_refused_at_once_by_name(name, value):
    """A value that is not a limit is refused by name; only the ceiling may be infinite."""
    if (name, value) == ("ceiling_seconds", math.inf):
        assert Limits(ceiling_seconds=value) == Limits()
        return
    with pytest.raises(ValueError, match=f"^{name}: "):
        Limits(**{name: value})


@pytest.mark.parametrize("value", [0, 1, 2.5, 10**400, np.float32(0.5), np.int64(3)])
def test_any_finite_number_from_0_up_is_a_limit(value):
    """Any finite number from 0 up is a limit; a number of visits must be whole."""
    assert Limits(clock_seconds=value).clock_seconds == value
    assert type(Limits(clock_seconds=value).clock_seconds) in (int, float)  # not NumPy's
    if value == int(value) and not isinstance(value, np.floating):
        assert Limits(visits=value).visits == value


@pytest.mark.parametrize("value", NONSENSE, ids=repr)
def test_an_interval_that_is_none_is_refused_before_the_search(value):
    """A bad interval is refused before the search starts."""
    with pytest.raises(ValueError, match=r"^interval_seconds: "):
        Report(print, value)
    with Engine() as engine, pytest.raises(ValueError, match=r"^interval_seconds: "):
        engine.analysis(History(game("linage", size=5)), interval_seconds=value)


@pytest.mark.parametrize("value", [-1, 1.5, math.nan, "5"], ids=repr)
def test_visits_of_an_analysis_that_are_none_are_refused_before_it(value):
    """A bad number of visits of an analysis is refused before the search starts."""
    with Engine() as engine, pytest.raises(ValueError, match=r"^visits: "):
        engine.analysis(History(game("linage", size=5)), visits=value)


@pytest.mark.parametrize("value", [math.nan, -1, "5"], ids=repr)
@pytest.mark.parametrize("name", [field.name for field in attrs.fields(TimeSystem)])
def test_a_clock_that_is_none_is_refused_by_name(name, value):
    """A bad number in a time system is refused by name."""
    with pytest.raises(ValueError, match=f"^{name}: "):
        TimeSystem(**{"main_seconds": 1.0, name: value})


def test_there_is_no_half_a_visit():
    """A number of visits must be whole."""
    with pytest.raises(ValueError, match=r"10\.5 is not a whole number"):
        Limits(visits=10.5)


def test_only_a_bound_on_visits_alone_makes_a_search_repeatable():
    """Only a limit on visits without any on time makes a search repeatable."""
    assert Limits(visits=5).bounded_by_visits
    assert not Limits().bounded_by_visits
    assert not Limits(seconds=1).bounded_by_visits
    assert not Limits(visits=5, seconds=1).bounded_by_visits


def test_time_that_is_gone_is_taken_from_the_usual_time_first_and_then_from_the_extra():
    """Elapsed time reduces the usual seconds first and then the extra ones, never below 0."""
    limits = Limits(visits=5, seconds=3, extra_seconds=2)
    assert limits.less(1) == Limits(visits=5, seconds=2, extra_seconds=2)
    assert limits.less(4) == Limits(visits=5, seconds=0, extra_seconds=1)
    assert limits.less(9) == Limits(visits=5, seconds=0, extra_seconds=0)
    assert Limits(visits=5).less(9) == Limits(visits=5)


def test_waiting_for_the_compiler_is_paid_by_the_whole_clock():
    """The time for compilation is taken from the whole clock; without a clock none is taken."""
    limits = Limits(seconds=3, extra_seconds=1, clock_seconds=100)
    assert limits.after_wait(25) == Limits(seconds=2.25, extra_seconds=0.75, clock_seconds=75)
    assert limits.after_wait(200).seconds == 0
    assert Limits(seconds=3).after_wait(20) == Limits(seconds=3)


def test_nobody_waits_until_the_clock_has_run_out():
    """The wait for compilation is at most half of the clock, or unlimited without a clock."""
    assert Limits(clock_seconds=10.5).patience_seconds == 5
    assert Limits(clock_seconds=0.1).patience_seconds == 0
    assert Limits(seconds=3).patience_seconds is None


def test_time_is_shared_out_among_what_comes_one_after_the_other():
    """Time is divided between two consecutive searches, and visits are not."""
    limits = Limits(visits=5, seconds=8, extra_seconds=1)
    assert limits.split(0.25) == (
        Limits(visits=5, seconds=6, extra_seconds=1),
        Limits(visits=5, seconds=2, extra_seconds=1),
    )
    assert Limits(visits=5).split(0.25) == (Limits(visits=5), Limits(visits=5))
