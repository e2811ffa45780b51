"""The limits of a client on the network."""

import attrs
import pytest

from linage_bot.settings.playing import PlaySettings
from tests.linage_bot.gtp.conversation import Conversation


def conversation(**settings) -> Conversation:
    """Start a conversation with a server that has these settings."""
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
    """A value above the server's limit is refused by naming the limit, which is accepted."""
    client = conversation(**settings)
    for value in too_much:
        for command in ("kata-set-param", "linage-param"):
            reason = client.fails(f"{command} {parameter} {value}")
            assert reason == f"syntax error: {parameter} is at most {most} on this server"
    client.ok(f"kata-set-param {parameter} {most}")
    assert client.ok(f"kata-get-param {parameter}") == most


def test_less_may_be_asked_for_and_what_was_set_may_be_taken_back():
    """A guest's limits are the server's settings, not the guest's own earlier requests."""
    client = conversation(seconds=2.0, threads=2)
    client.all(["kata-set-param maxTime 1", "kata-set-param threads 1", "kata-set-param threads 2"])
    client.all(["kata-set-param maxVisits 1000000000", "kata-set-param maxVisits unlimited"])
    client.all(["kata-set-param seed 5", "kata-set-param level 3", "kata-set-param level 10"])
    free = conversation()
    free.all(["kata-set-param maxVisits 20", "kata-set-param maxVisits unlimited"])


@pytest.mark.parametrize(("own", "most"), [(2.0, 2.0), (None, 600.0)])
def test_no_clock_gives_a_move_more_time_than_the_server_does(own, most):
    """With a million seconds on the clock, a move uses at most the server's limit."""
    client = conversation(seconds=own)
    client.ok("kata-time_settings absolute 1000000")
    limits = client.engine.limits()
    assert limits.seconds + limits.extra_seconds == most


def test_where_no_clock_runs_many_visits_take_no_longer_than_a_move_may():
    """Without a clock, a search by visits is repeatable but takes at most ten minutes."""
    client = conversation(visits=10**9)
    limits = client.engine.limits()
    assert limits.ceiling_seconds == 600.0
    assert limits.bounded_by_visits


def test_a_proof_takes_no_longer_than_a_move_may():
    """A proof may not take longer than a move; without a number it still gets a response."""
    client = conversation(seconds=2.0)
    assert client.fails("linage-solve 3") == "syntax error: SECONDS is at most 2 on this server"
    assert client.ok("linage-solve 2").startswith("{")
    assert client.ok("linage-solve").startswith("{")


def test_a_local_user_may_ask_for_anything():
    """A local user may set any value: 256 threads and no time limit."""
    client = Conversation(settings=attrs.evolve(PlaySettings(), seconds=1.0))
    client.all(["kata-set-param threads 256", "kata-set-param maxTime unlimited"])
