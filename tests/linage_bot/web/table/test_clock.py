"""The clocks of a table show the time left and report the player whose flag falls."""

import json

import pytest

from linage_bot.rules.game import Player
from linage_bot.settings.match import ClockSettings
from linage_bot.web.table.clock import TableClock, TimeLeft

FIRST, SECOND = Player.FIRST, Player.SECOND
FISCHER = ClockSettings(main_seconds=180, increment_seconds=2, margin_seconds=0)
BYOYOMI = ClockSettings(main_seconds=60, period_seconds=30, periods=3, margin_seconds=0)


def running(settings: ClockSettings) -> TableClock:
    """Return a clock on which First's time runs from second 0."""
    return TableClock.full(settings, FIRST).run(True, 0)


def test_time_runs_for_the_player_to_move_alone() -> None:
    """Time runs only for the player to move, and each move adds its increment."""
    clock = running(FISCHER)
    assert clock.shown(FIRST, 10) == TimeLeft(170)
    assert clock.shown(SECOND, 10) == TimeLeft(180)
    clock = clock.moved(SECOND, 10).run(True, 10)
    assert clock.shown(FIRST, 25) == TimeLeft(172)
    assert clock.shown(SECOND, 25) == TimeLeft(165)


def test_a_clock_that_stands_still_keeps_what_was_used() -> None:
    """A stopped clock keeps the time used, and stopping it twice changes nothing."""
    clock = running(FISCHER).run(False, 10)
    assert clock.run(False, 50) is clock
    assert clock.shown(FIRST, 1000) == TimeLeft(170)
    clock = clock.run(True, 1000)
    assert clock.shown(FIRST, 1005) == TimeLeft(165)
    assert clock.moved(SECOND, 1005).shown(FIRST, 2000) == TimeLeft(167)


def test_a_flag_falls_when_the_time_is_over() -> None:
    """A player's flag falls when the time is used up, but not on a stopped clock."""
    clock = running(FISCHER)
    assert clock.seconds_left(100) == 80
    assert clock.fallen(179.9) is None
    assert clock.fallen(180) is FIRST
    assert clock.run(False, 170).fallen(500) is None
    assert clock.run(False, 170).seconds_left(500) is None


@pytest.mark.parametrize(
    ("used", "shown"),
    [
        (59, TimeLeft(1)),
        (60, TimeLeft(30, 3)),
        (75, TimeLeft(15, 3)),
        (95, TimeLeft(25, 2)),
        (149, TimeLeft(1, 1)),
        (151, TimeLeft(0, 1)),
    ],
)
def test_periods_follow_the_main_time(used: float, shown: TimeLeft) -> None:
    """Byo-yomi periods follow the main time, one after the other."""
    clock = running(BYOYOMI)
    assert clock.shown(FIRST, used) == shown
    assert (clock.fallen(used) is FIRST) is (used >= 150)


def test_a_period_in_which_a_move_is_made_is_whole_again() -> None:
    """A byo-yomi period in which a move is made starts again in full."""
    clock = running(BYOYOMI).moved(SECOND, 95)
    assert clock.shown(FIRST, 95) == TimeLeft(30, 2)


def test_a_move_that_took_no_time_earns_none() -> None:
    """The first move of each player uses no time and earns no increment."""
    clock = TableClock.full(FISCHER, FIRST).moved(SECOND, 100)
    assert clock.shown(FIRST, 100) == TimeLeft(180)


def test_time_used_before_a_move_is_taken_back_is_gone() -> None:
    """Time used before an undo stays used and earns no increment."""
    clock = running(FISCHER)
    assert clock.turned(FIRST, 10) is clock
    assert clock.turned(SECOND, 10).shown(FIRST, 10) == TimeLeft(170)


@pytest.mark.parametrize("used", [20, 95])
def test_an_engine_is_told_what_is_left(used: float) -> None:
    """An engine gets the time left on its clock and budgets less than that."""
    for settings in (FISCHER, BYOYOMI):
        clock = running(settings)
        told = clock.for_engine(used)
        assert told.seconds_left == clock.shown(FIRST, used).seconds
        assert 0 < told.allot(20).most_seconds < clock.seconds_left(used)


def test_clocks_outlive_the_server() -> None:
    """A clock that is saved and read again shows the same time."""
    clock = running(BYOYOMI).moved(SECOND, 95).run(True, 95).run(False, 100)
    read = TableClock.read(json.loads(json.dumps(clock.written())))
    assert read == clock
