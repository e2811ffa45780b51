"""Clocks over GTP: the time settings limit the time of a move."""

import pytest

from linage_bot.engine.limits import DEFAULT_SECONDS
from linage_bot.engine.solver import loading
from linage_bot.rules.game import Player
from linage_bot.settings.playing import PlaySettings
from tests.linage_bot.gtp.conversation import Conversation


def seconds(client: Conversation) -> float | None:
    """Return the time limit of the next move in seconds."""
    return client.engine.limits().seconds


@pytest.mark.parametrize(
    "line",
    [
        "time_settings 60 0 0",
        "time_settings 0 10 5",
        "time_settings 60 10 5",
        "kgs-time_settings absolute 60",
        "kgs-time_settings byoyomi 0 5 3",
        "kgs-time_settings canadian 60 10 5",
        "kata-time_settings absolute 60",
        "kata-time_settings fischer 60 1",
        "kata-time_settings fischer-capped 60 1 120 30",
        "kata-time_settings fischer-capped 60 1 -1 -1",
        "kata-time_settings byo-yomi 60 5 3",
    ],
)
def test_every_time_system_leaves_time_to_think_and_not_all_of_it(line):
    """In every time system a first move gets some time, but not all of it."""
    client = Conversation(settings=PlaySettings(seed=1))
    client.ok(line)
    assert 0.1 < seconds(client) < 60
    assert client.engine.limits().visits is None


@pytest.mark.parametrize(
    "line", ["time_settings 0 1 0", "kgs-time_settings none", "kata-time_settings none"]
)
def test_no_time_limit_means_the_settings_of_the_player(line):
    """Without a time limit the former clock is removed and the player's settings apply."""
    client = Conversation(settings=PlaySettings(seed=1))
    client.all(["time_settings 10 0 0", line])
    assert seconds(client) == DEFAULT_SECONDS
    client.ok("kata-set-param maxVisits 5")
    assert seconds(client) is None


def test_a_clock_and_the_players_own_limit_both_hold():
    """The clock and the player's own limit both apply, even if the clock has almost run out."""
    client = Conversation(settings=PlaySettings(seconds=0.25, visits=7))
    client.ok("time_settings 3600 0 0")
    assert seconds(client) == 0.25
    assert client.engine.limits().visits == 7
    client.ok("time_left b 0.1 0")
    assert seconds(client) < 0.1


def test_time_left_corrects_the_clock_of_one_colour():
    """`time_left` sets one colour's clock, and a new game gives both colours their full time."""
    client = Conversation()
    client.ok("time_settings 600 30 5")
    full = client.engine.clocks[Player.SECOND]
    client.ok("time_left b 20 2")
    assert 5 < seconds(client) <= 10
    client.ok("play b C3")
    assert client.engine.clocks[Player.SECOND] == full
    client.ok("clear_board")
    assert client.engine.clocks[Player.FIRST] == full


@pytest.mark.parametrize("told", ["-3", "-0.25", "-1e300"])
@pytest.mark.parametrize(
    "line", ["time_settings 600 0 0", "time_settings 60 10 5", "kata-time_settings fischer 60 5"]
)
def test_a_clock_that_is_told_to_be_below_zero_has_run_out(line, told):
    """A negative time counts as 0, in main time and in periods, as in KataGo."""
    for stones in ("0", "3"):
        spent, zero = Conversation(), Conversation()
        spent.all([line, f"time_left b {told} {stones}"])
        zero.all([line, f"time_left b 0 {stones}"])
        assert spent.engine.clocks == zero.engine.clocks
    assert spent.fails("time_left b 5 -1") == "syntax error: a number of stones cannot be negative"


def test_byo_yomi_periods_are_counted_from_what_the_referee_tells():
    """Of three periods one may be spent on a hard choice; the last one limits the move."""
    client = Conversation(settings=PlaySettings(seed=1))
    client.all(["kgs-time_settings byoyomi 60 5 4", "time_left b 5 3"])
    assert 4 < seconds(client) < 5
    assert 4 < client.engine.limits().extra_seconds < 5.1
    client.ok("time_left b 5 1")
    assert 4 < seconds(client) < 5
    assert client.engine.limits().extra_seconds == 0


def test_with_little_time_the_clocks_are_set_only_when_no_move_has_to_wait_for_code():
    """With little time the clock is set after compilation; with an hour it is set at once."""
    client = Conversation(settings=PlaySettings(seed=1))
    client.send(b"kata-time_settings fischer 1 0.05\n")
    assert client.thinking
    client.settle()
    assert client.output == b"= \n\n"
    client.send(b"time_settings 3600 30 1\n")
    assert not client.thinking


@pytest.mark.parametrize("solver", [True, False])
def test_an_engine_that_was_asked_to_compile_waits_for_no_code_in_a_move(monkeypatch, solver):
    """After `linage-compile` no move waits for compilation, of proofs either."""
    monkeypatch.setattr(loading, "_loadings", {})
    client = Conversation(settings=PlaySettings(solver=solver))
    client.ok("linage-compile")
    assert [each.loaded for each in loading._loadings.values()] == [True] * solver


def test_every_time_system_that_is_listed_is_known():
    """Each listed time system is accepted, and only with its own numbers."""
    client = Conversation()
    numbers = {"none": "", "absolute": "9", "fischer": "9 1", "fischer-capped": "9 1 9 9"}
    for system in client.ok("kata-list_time_settings").split():
        client.ok(f"kata-time_settings {system} {numbers.get(system, '9 5 3')}")
        client.fails(f"kata-time_settings {system} 9 5 3 1 1")
    assert client.fails("kgs-time_settings fischer 9 1").startswith("syntax error")


def test_time_left_alone_is_taken_as_absolute_time():
    """`time_left` without a time system counts as absolute time."""
    client = Conversation(settings=PlaySettings(seed=1))
    client.ok("time_left b 8 0")
    assert 0 < seconds(client) < 8


def test_time_left_means_nothing_where_there_is_no_limit():
    """Without a time limit `time_left` has no effect."""
    client = Conversation()
    client.all(["time_settings 0 1 0", "time_left b 0 0"])
    assert seconds(client) is None


def test_genmove_runs_the_clock_of_its_colour_and_reg_genmove_none():
    """genmove uses time of its own colour only, and reg_genmove uses none."""
    client = Conversation()
    client.ok("time_settings 600 0 0")
    client.all(["reg_genmove b"])
    assert client.engine.clocks[Player.FIRST].seconds_left == 600
    client.ok("genmove b")
    assert 0 < client.engine.clocks[Player.FIRST].seconds_left < 600
    assert client.engine.clocks[Player.SECOND].seconds_left == 600


@pytest.mark.parametrize("line", ["time_settings 0 1e-320 1", "time_settings 0 1e-9 1"])
def test_with_next_to_no_time_a_period_a_move_is_chosen_and_played(line):
    """With almost no time for a move, a legal move is still played."""
    client = Conversation()
    client.ok(line)
    client.ok("genmove b")
    assert client.ok("gogui-rules_side_to_move") == "white"


def test_with_a_clock_almost_out_a_move_comes_all_the_same():
    """With no time left a move is still played, and the clock stays at zero."""
    client = Conversation(size="7", settings=PlaySettings(seed=1))
    client.all(["time_settings 60 0 0", "time_left b 0 0"])
    client.ok("genmove b")
    assert client.ok("gogui-rules_side_to_move") == "white"
    assert client.engine.clocks[Player.FIRST].seconds_left == 0
