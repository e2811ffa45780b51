"""What a client over the network may ask for."""

import attrs
import pytest

from linage_bot.settings.playing import PlaySettings
from tests.linage_bot.gtp.conversation import Conversation


def conversation(**settings) -> Conversation:
    """With a server that was started with these settings."""
    return Conversation(settings=PlaySettings(seed=7, **settings), local=False)


@pytest.mark.parametrize(
    ("settings", "parameter", "most", "too_much"),
    [
        ({"threads": 3}, "threads", "3", ["4", "256"]),
        ({}, "threads", "1", ["2"]),
        ({"nodes": 40_000}, "maxNodes", "40000", ["40001", "1000000000"]),
        ({}, "maxNodes", "3000000", ["3000001"]),
        ({"seconds": 2.0}, "maxTime", "2", ["2.1", "1e9", "unlimited"]),
        ({"visits": 50}, "maxVisits", "50", ["51", "1000000000000", "unlimited"]),
        ({}, "maxTime", "600", ["601"]),
        ({}, "maxVisits", "1000000", ["1000001"]),
        ({"visits": 50}, "maxTime", "600", ["601"]),
    ],
)
def test_what_is_over_the_command_lines_bound_is_refused_in_one_line(
    settings, parameter, most, too_much
):
    """It names the most there is, which is granted; without options there are bounds, too."""
    client = conversation(**settings)
    for value in too_much:
        for command in ("kata-set-param", "linage-param"):
            reason = client.fails(f"{command} {parameter} {value}")
            assert reason == f"syntax error: {parameter} is at most {most} on this server"
    client.ok(f"kata-set-param {parameter} {most}")
    assert client.ok(f"kata-get-param {parameter}") == most


def test_less_may_be_asked_for_and_what_was_set_may_be_taken_back():
    """A guest is bound by the server's settings, not by what was asked for before."""
    client = conversation(seconds=2.0, threads=2)
    client.all(["kata-set-param maxTime 1", "kata-set-param threads 1", "kata-set-param threads 2"])
    client.all(["kata-set-param maxVisits 1000000000", "kata-set-param maxVisits unlimited"])
    client.all(["kata-set-param seed 5", "kata-set-param level 3", "kata-set-param level 10"])
    free = conversation()
    free.all(["kata-set-param maxVisits 20", "kata-set-param maxVisits unlimited"])


@pytest.mark.parametrize(("own", "most"), [(2.0, 2.0), (None, 600.0)])
def test_no_clock_gives_a_move_more_time_than_the_server_does(own, most):
    """Of a million seconds a move uses what the command line allows, or ten minutes."""
    client = conversation(seconds=own)
    client.ok("kata-time_settings absolute 1000000")
    limits = client.engine.limits()
    assert limits.seconds + limits.extra_seconds == most


def test_where_no_clock_runs_many_visits_take_no_longer_than_a_move_may():
    """Ten minutes; a search bounded by visits alone is repeatable all the same."""
    client = conversation(visits=10**9)
    limits = client.engine.limits()
    assert limits.ceiling_seconds == 600.0
    assert limits.bounded_by_visits


def test_a_proof_takes_no_longer_than_a_move_may():
    """Three seconds where a move has two are refused; without a number it still answers."""
    client = conversation(seconds=2.0)
    assert client.fails("linage-solve 3") == "syntax error: SECONDS is at most 2 on this server"
    assert client.ok("linage-solve 2").startswith("{")
    assert client.ok("linage-solve").startswith("{")


def test_a_local_user_may_ask_for_anything():
    """It is their own machine: 256 threads and no limit at all."""
    client = Conversation(settings=attrs.evolve(PlaySettings(), seconds=1.0))
    client.all(["kata-set-param threads 256", "kata-set-param maxTime unlimited"])
