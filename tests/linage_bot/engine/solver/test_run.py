"""Solving a position from the library."""

import threading

import pytest

from linage_bot import History, game, solve


def test_a_long_proof_is_stopped_from_another_thread():
    """The report then has the bounds that are proven so far."""
    stopped = threading.Event()
    position = History(game("linage", size=9))
    report = solve(position, stopped=stopped, watch=lambda _solving: stopped.set())
    assert not report.score.exact
    with pytest.raises(TypeError, match="stopped: expected Event, not bool"):
        solve(position, stopped=True)
