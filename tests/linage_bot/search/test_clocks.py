"""How much of a clock a move gets."""

import math

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.search.clocks import Clock, TimeSystem

_seconds = st.floats(0, 1e7)
_systems = st.builds(
    TimeSystem,
    main_seconds=_seconds,
    period_seconds=_seconds,
    period_stones=st.integers(0, 100),
    periods=st.integers(0, 10),
    increment_seconds=_seconds,
)


def left(clock: Clock) -> float:
    """What may be used before the flag falls: overtime begins when the main time is over."""
    system = clock.system
    return clock.seconds_left + (
        system.period_seconds if clock.stones_left == 0 and system.period_stones else 0
    )


@given(_systems, _seconds, st.integers(0, 100), st.integers(0, 625))
def test_a_move_never_gets_more_than_is_left(system, seconds, stones, empty):
    for clock in (Clock.full(system), Clock(system, seconds, stones)):
        wanted = clock.seconds_for_move(empty)
        if system.unlimited:
            assert math.isinf(wanted)
        else:
            assert 0 <= wanted <= left(clock)


@given(_systems, st.lists(st.floats(0, 1.0), max_size=60), st.integers(0, 625))
def test_who_uses_what_is_allotted_never_loses_on_time(system, shares, empty):
    clock = Clock.full(system)
    for share in shares:
        wanted = clock.seconds_for_move(empty)
        if math.isinf(wanted):
            assert clock.after(1e9) == clock
            return
        used = share * wanted
        assert used <= left(clock)
        clock = clock.after(used)
        assert clock.seconds_left >= 0


@pytest.mark.parametrize(
    ("system", "most", "least"),
    [
        (TimeSystem(600), 30, 4),  # absolute: a share of the whole game
        (TimeSystem(600, increment_seconds=5), 35, 8),
        (TimeSystem(0, 50, 5), 10, 8),  # a period of 50 s for five stones
        (TimeSystem(0, 5, 1, 3), 5, 4),
        (TimeSystem(600, 50, 5), 40, 12),
    ],
)
def test_time_is_neither_hoarded_nor_wasted(system, most, least):
    assert least <= Clock.full(system).seconds_for_move(169) <= most


def test_with_fewer_empty_points_a_move_gets_more():
    clock = Clock.full(TimeSystem(600))
    assert clock.seconds_for_move(20) > clock.seconds_for_move(169)


def test_a_little_is_kept_for_everything_but_the_search():
    assert Clock(TimeSystem(0, 5, 1), 5, 1).seconds_for_move(50) < 5
    assert Clock(TimeSystem(0, 0.1, 1), 0.1, 1).seconds_for_move(50) < 0.1


def test_periods_of_several_stones_begin_anew_when_all_are_placed():
    clock = Clock.full(TimeSystem(0, 10, 3))
    for stones, seconds in ((2, 8), (1, 6), (3, 10)):
        clock = clock.after(2)
        assert (clock.stones_left, clock.seconds_left) == (stones, seconds)


def test_when_the_main_time_runs_out_the_periods_begin():
    clock = Clock.full(TimeSystem(5, 10, 3)).after(7)
    assert (clock.stones_left, clock.seconds_left) == (2, 8)


def test_increments_are_added_after_each_move():
    assert Clock.full(TimeSystem(60, increment_seconds=2)).after(5).seconds_left == 57


def test_time_settings_0_1_0_mean_no_limit():
    assert TimeSystem(0, 1, 0).unlimited
    assert not TimeSystem(1).unlimited


@pytest.mark.parametrize("field", [field.name for field in attrs.fields(TimeSystem)])
def test_negative_times_are_refused(field):
    with pytest.raises(ValueError, match="negative"):
        attrs.evolve(TimeSystem(1), **{field: -1})
