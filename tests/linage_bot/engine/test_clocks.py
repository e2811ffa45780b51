"""The time that a clock gives a move."""

import math

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.engine.clocks import Clock, TimeSystem

_seconds = st.floats(0, 1e7)
_systems = st.builds(
    TimeSystem,
    main_seconds=_seconds,
    period_seconds=_seconds,
    period_stones=st.integers(0, 100),
    periods=st.integers(0, 10),
    increment_seconds=_seconds,
    cap_seconds=_seconds,
    most_seconds=_seconds,
)
_moves = st.floats(0, 700)
_over = st.floats(0, 1)
BYO_YOMI = TimeSystem(20, 5, 1, 4)


def left(clock: Clock) -> float:
    """Return the seconds before the flag falls, including overtime that has begun."""
    system = clock.system
    overtime = system.period_seconds if clock.stones_left == 0 and system.period_stones else 0
    if system.period_stones == 1:
        overtime += (clock.periods_left - 1) * system.period_seconds
    return clock.seconds_left + overtime


@given(_systems, _seconds, st.integers(0, 100), _moves, _over)
def test_a_move_never_gets_more_than_is_left(system, seconds, stones, moves, over):
    """A move gets no more than the time left or the limit for each move, in any time system."""
    for clock in (Clock.full(system), Clock.full(system).with_time_left(seconds, stones)):
        time = clock.allot(moves, over)
        if system.unlimited:
            assert math.isinf(time.seconds)
        else:
            assert 0 <= time.seconds <= time.most_seconds <= left(clock)
            assert time.most_seconds <= system.most_seconds


@given(_systems, st.lists(st.floats(0, 1.0), max_size=60), _moves, _over)
def test_who_uses_the_most_that_is_allotted_never_loses_on_time(system, shares, moves, over):
    """A player who uses the maximum for each move does not lose on time in up to 60 moves."""
    clock = Clock.full(system)
    for share in shares:
        time = clock.allot(moves, over)
        if math.isinf(time.seconds):
            assert clock.after(1e9) == clock
            return
        used = share * time.most_seconds
        assert used <= left(clock)
        clock = clock.after(used)
        assert clock.seconds_left >= 0
        assert clock.periods_left >= 1


@pytest.mark.parametrize("system", [TimeSystem(5), TimeSystem(1, increment_seconds=0.05)])
def test_a_game_as_long_as_it_can_be_leaves_time_for_a_lag_at_every_move(system):
    """A game of twice the expected length, with all time used, still leaves time for each lag."""
    clock, lag = Clock.full(system), 0.02
    for move in range(80):
        used = clock.allot(max(0, 40 - move), min(1.0, move / 40)).most_seconds + lag
        assert used < clock.seconds_left or clock.seconds_left < lag * (80 - move)
        clock = clock.after(used)


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
    """The first of 50 moves gets a number of seconds between these limits."""
    assert least <= Clock.full(system).allot(50, 0.0).seconds <= most


def test_with_fewer_moves_to_come_a_move_gets_more():
    """A move gets more time when fewer moves remain."""
    clock = Clock.full(TimeSystem(600))
    assert clock.allot(10, 0.5).seconds > clock.allot(40, 0.5).seconds


def test_the_middle_of_the_game_gets_more_than_its_beginning():
    """With equal time and moves left, the middle of a game gets more time than its beginning."""
    clock = Clock.full(TimeSystem(600))
    assert clock.allot(20, 0.4).seconds > clock.allot(20, 0.0).seconds


def test_a_choice_that_is_not_safe_may_take_longer_but_not_most_of_the_clock():
    """A hard choice gets at least half as much time again, but less than half of the clock."""
    for clock in (Clock.full(TimeSystem(60)), Clock.full(TimeSystem(60, increment_seconds=1))):
        time = clock.allot(20, 0.3)
        assert 1.5 * time.seconds < time.most_seconds < 0.5 * clock.seconds_left


def test_a_little_is_kept_for_everything_but_the_search():
    """A move leaves some of its period unused, even if the period is a tenth of a second."""
    for seconds in (5, 0.1):
        clock = Clock.full(TimeSystem(0, seconds, 1))
        assert clock.allot(50).most_seconds < seconds


def test_a_bound_on_every_move_is_kept():
    """In capped Fischer time a move gets no more than its limit, even with a full clock."""
    assert Clock.full(TimeSystem(600, most_seconds=2)).allot(20).most_seconds == 2


def test_periods_of_several_stones_begin_again_when_all_are_placed():
    """The seconds of a period are shared among its stones, and then a new period starts."""
    clock = Clock.full(TimeSystem(0, 10, 3))
    for stones, seconds in ((2, 8), (1, 6), (3, 10)):
        clock = clock.after(2)
        assert (clock.stones_left, clock.seconds_left) == (stones, seconds)


def test_when_the_main_time_runs_out_the_periods_begin():
    """The move that exceeds the main time is the first stone of a period and pays the excess."""
    clock = Clock.full(TimeSystem(5, 10, 3)).after(7)
    assert (clock.stones_left, clock.seconds_left) == (2, 8)


@pytest.mark.parametrize(
    ("used", "periods"),
    # 20 s of main time, four periods of 5 s; a period is lost once it is used up.
    [([20.5], 4), ([20.5, 5, 4.9], 4), ([20.5, 5.1], 3), ([26], 3), ([36, 5, 9], 1), ([20, 99], 1)],
)
def test_byo_yomi_periods_are_counted_down(used, periods):
    """A move within its period keeps the period, and the last period is never counted down."""
    clock = Clock.full(BYO_YOMI)
    for seconds in used:
        clock = clock.after(seconds)
    assert clock == Clock(BYO_YOMI, 5, 1, periods)


def test_as_long_as_two_periods_remain_behind_it_one_is_spent_on_a_hard_choice():
    """A hard choice may use a whole period only while at least two more remain after it."""
    for periods, most in ((4, 10), (3, 10), (2, 5), (1, 5)):
        time = Clock(BYO_YOMI, 5, 1, periods).allot(20)
        assert 4.5 < time.seconds < 5
        assert most - 0.5 < time.most_seconds < most


def test_the_referee_tells_periods_in_byo_yomi_and_stones_otherwise():
    """The second number of `time_left` counts periods in byo-yomi, and stones otherwise."""
    assert Clock.full(BYO_YOMI).with_time_left(5, 3) == Clock(BYO_YOMI, 5, 1, 3)
    canadian = TimeSystem(20, 5, 6)
    assert Clock.full(canadian).with_time_left(5, 3) == Clock(canadian, 5, 3, 1)
    assert Clock.full(BYO_YOMI).with_time_left(7, 0) == Clock(BYO_YOMI, 7, 0, 4)


@pytest.mark.parametrize(
    ("counted", "told", "taken"),
    [
        (12.3, 12, 12.3),  # the referee cut the fraction off
        (12.1, 11, 11.5),  # lag made us count a little too much
        (14, 11, 11),  # something else did: the referee is right
        (10.9, 11, 11),
        (12.3, 12.2, 12.2),  # a fraction is exact
        (0.7, 0, 0.7),
    ],
)
def test_whole_seconds_from_the_referee_do_not_blur_the_count(counted, told, taken):
    """The fraction of a second is kept while it agrees with the referee, and dropped otherwise."""
    clock = Clock(TimeSystem(60), counted)
    assert clock.with_time_left(told, 0).seconds_left == taken


def test_what_is_lost_on_the_way_at_every_move_is_not_spent_on_thinking():
    """An observed lag is subtracted from every later move; a smaller one lowers the estimate."""
    prompt = Clock(TimeSystem(10), 5.0).with_time_left(4.99, 0)
    late = Clock(TimeSystem(10), 5.0).with_time_left(4.9, 0)
    assert late.lag_seconds == pytest.approx(0.1)
    assert 20 * late.allot(20).seconds < 20 * prompt.allot(20).seconds - 20 * 0.05
    assert late.with_time_left(4.85, 0).lag_seconds < late.lag_seconds
    hopeless = Clock(TimeSystem(10), 5.0).with_time_left(4.5, 0)
    assert hopeless.allot(20).most_seconds == 0


def test_where_moves_overrun_their_time_more_is_kept():
    """After moves that took too long more time is reserved, until moves are on time again."""
    system = TimeSystem(10, increment_seconds=0.1)
    steady = Clock(system, 1.0).after(0.2, 0.2)
    busy = Clock(system, 1.0).after(0.2, 0.05)
    assert busy.allot(10).seconds < steady.allot(10).seconds
    assert Clock(system, 0.3).after(0.15, 0.0).allot(10).most_seconds == 0
    for _ in range(30):
        busy = busy.after(0.1, 0.1)
    assert busy.overrun_seconds < 0.01


def test_increments_are_added_after_each_move_up_to_the_cap():
    """An increment is added after each move, and time above the cap is lost."""
    assert Clock.full(TimeSystem(60, increment_seconds=2)).after(5).seconds_left == 57
    capped = TimeSystem(60, increment_seconds=2, cap_seconds=61)
    assert Clock.full(capped).after(0.5).seconds_left == 61


def test_time_settings_0_1_0_mean_no_limit():
    """Time settings of `0 1 0` mean no limit, as in GTP."""
    assert TimeSystem(0, 1, 0).unlimited
    assert not TimeSystem(1).unlimited


@pytest.mark.parametrize("field", [field.name for field in attrs.fields(TimeSystem)])
def test_negative_times_are_refused(field):
    """A negative number in a time system is refused."""
    with pytest.raises(ValueError, match="negative"):
        attrs.evolve(TimeSystem(1), **{field: -1})
