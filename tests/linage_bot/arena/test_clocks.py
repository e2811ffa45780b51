"""Referee's clocks: losses on time, the time left, and the time that engines receive."""

import pytest

from linage_bot.arena.clocks import PlayerClock, time_settings
from linage_bot.rules.game import Player
from linage_bot.settings.match import ClockSettings

ABSOLUTE = ClockSettings(main_seconds=10, margin_seconds=0.5)
FISCHER = ClockSettings(main_seconds=10, increment_seconds=2, margin_seconds=0.5)
BYO_YOMI = ClockSettings(main_seconds=10, period_seconds=5, periods=3, margin_seconds=0.5)
CANADIAN = ClockSettings(main_seconds=10, period_seconds=6, period_moves=3, margin_seconds=0.5)
FIXED = ClockSettings(move_seconds=4, margin_seconds=0.5)
PERIODS_ONLY = ClockSettings(period_seconds=5, margin_seconds=0)


def left_after(settings, *moves):
    """Seconds allowed for the move that follows; None once the flag fell."""
    clock = PlayerClock.full(settings)
    for used in moves:
        clock = clock.after(used)
        if clock is None:
            return None
    return clock.seconds


CASES = [
    (ABSOLUTE, (), 10),
    (ABSOLUTE, (3, 3), 4),
    (ABSOLUTE, (10,), 0),
    (ABSOLUTE, (10.4,), 0),
    (ABSOLUTE, (10.6,), None),
    (ABSOLUTE, (10.4, 0.4), 0),
    (ABSOLUTE, (10.4, 0.6), None),
    (FISCHER, (), 10),
    (FISCHER, (3,), 9),
    (FISCHER, (1,), 11),
    (FISCHER, (10.4,), 2),
    (FISCHER, (10.4, 2.6), None),
    (BYO_YOMI, (), 25),
    (BYO_YOMI, (4,), 21),
    (BYO_YOMI, (10,), 15),
    (BYO_YOMI, (10, 5), 15),
    (BYO_YOMI, (10, 4, 4, 4, 4), 15),
    (BYO_YOMI, (10, 6), 10),
    (BYO_YOMI, (16,), 10),
    (BYO_YOMI, (25,), 5),
    (BYO_YOMI, (25.6,), None),
    (BYO_YOMI, (25, 4.9, 4.9), 5),
    (BYO_YOMI, (25, 5.6), None),
    (CANADIAN, (), 16),
    (CANADIAN, (12,), 4),
    (CANADIAN, (12, 1), 3),
    (CANADIAN, (12, 1, 1), 6),
    (CANADIAN, (12, 4.6), None),
    (CANADIAN, (16, 0.1, 0.1), 6),
    (FIXED, (), 4),
    (FIXED, (1, 4.4), 4),
    (FIXED, (4.6,), None),
    (PERIODS_ONLY, (5, 5, 1), 5),
    (PERIODS_ONLY, (5.01,), None),
]


@pytest.mark.parametrize(("settings", "moves", "left"), CASES)
def test_what_a_clock_leaves_for_the_next_move(settings, moves, left):
    """The time left is right in each time system, and is none beyond the margin."""
    assert left_after(settings, *moves) == pytest.approx(left)


def test_the_limit_of_a_move_includes_the_margin():
    """An answer that comes half a second late is still in time."""
    assert PlayerClock.full(ABSOLUTE).limit_seconds == 10.5


TOLD = [
    (ABSOLUTE, (), "time_left b 10 0"),
    (ABSOLUTE, (3.5,), "time_left b 6 0"),
    (FISCHER, (3.5,), "time_left b 8 0"),
    (BYO_YOMI, (12,), "time_left b 5 3"),
    (BYO_YOMI, (16,), "time_left b 5 2"),
    (CANADIAN, (4,), "time_left b 6 0"),
    (CANADIAN, (12,), "time_left b 4 2"),
    (FIXED, (1,), "time_left b 4 1"),
    (PERIODS_ONLY, (), "time_left b 5 1"),
]


@pytest.mark.parametrize(("settings", "moves", "words"), TOLD)
def test_engines_are_told_what_is_left(settings, moves, words):
    """Engines receive whole seconds, rounded down, with the moves or periods in overtime."""
    clock = PlayerClock.full(settings)
    for used in moves:
        clock = clock.after(used)
    assert " ".join(clock.time_left(Player.FIRST)) == words


def test_an_engine_that_reads_fractions_is_told_thousandths_and_never_too_many():
    """Engines without fractions receive whole seconds, rounded down, as in GTP."""
    clock = PlayerClock.full(ClockSettings(main_seconds=1, increment_seconds=0.05)).after(0.1266)
    assert clock.time_left(Player.SECOND, fractions=True) == ("time_left", "w", "0.923", "0")
    assert clock.time_left(Player.SECOND) == ("time_left", "w", "0", "0")


ALL = frozenset({"time_settings", "kgs-time_settings", "kata-time_settings"})
PLAIN = frozenset({"time_settings"})
SETTINGS = [
    (ABSOLUTE, PLAIN, "time_settings 10 0 0"),
    (FISCHER, ALL, "kata-time_settings fischer 10 2"),
    (FISCHER, PLAIN, "time_settings 10 2 1"),
    (BYO_YOMI, ALL, "kgs-time_settings byoyomi 10 5 3"),
    (BYO_YOMI, PLAIN, "time_settings 10 5 1"),
    (CANADIAN, ALL, "time_settings 10 6 3"),
    (FIXED, ALL, "time_settings 0 4 1"),
    (ClockSettings(move_seconds=0.25), ALL, "time_settings 0 0.25 1"),
]


@pytest.mark.parametrize(("settings", "known", "words"), SETTINGS)
def test_engines_learn_their_clock_in_the_commands_they_have(settings, known, words):
    """An engine without the clock's command receives the nearest of GTP, never with more time."""
    assert " ".join(time_settings(settings, known)) == words


def test_without_a_clock_nothing_is_told():
    """Without a clock no time command is sent."""
    assert time_settings(None, ALL) is None
