"""Proofs of a position and all its moves, in slices."""

import threading
import time

import pytest

from linage_bot.engine.proving import ANALYSIS_SECONDS, continue_proof
from linage_bot.engine.solver.proof import Proof
from linage_bot.engine.solver.proven_values import Interval
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player, Position
from tests.linage_bot.engine.two_halls import DOOR, two_halls

PATIENCE_SECONDS = 240.0


def position(name: str, size: str, *moves: str, komi: float | None = None) -> Position:
    found: Position = GAMES[name].configure(size, komi).start()
    for name_of_move in moves:
        found = found.play({found.name_of(move): move for move in found.moves()}[name_of_move])
    return found


@pytest.mark.parametrize(
    ("here", "lead"),
    [
        (position("linage", "5"), 6.5),
        (position("linage", "5", "C1", komi=9.5), 2.5),
        (position("linage", "4x3", komi=0.0), -4.0),
        (position("leblin", "3", "A1"), 1.0),
        (position("linage-parity", "4", "A1"), 1.0),
        (position("linage-two-color", "3x4", "B1"), -1.5),
    ],
)
def test_it_ends_with_what_the_position_and_its_moves_are_worth(
    here: Position, lead: float
) -> None:
    """A proof ends with the exact values of the position and its moves, including komi."""
    stopped = threading.Event()
    limit = threading.Timer(PATIENCE_SECONDS, stopped.set)
    limit.start()
    proof = Proof(here)
    continue_proof(proof, stopped)
    limit.cancel()
    assert proof.finished
    assert proof.proven is not None
    assert proof.proven.lead == lead
    assert proof.proven.best
    spans = [proof.proven.of(move) for move in here.moves()]
    assert all(span.exact for span in spans)
    assert max(span.low for span in spans) == lead


@pytest.mark.parametrize("player", Player)
def test_a_stone_that_brings_the_position_within_reach_is_judged(player: Player) -> None:
    """A stone that makes the rest provable is evaluated, although the position is not provable."""
    proof, stopped = Proof(two_halls(player), ANALYSIS_SECONDS), threading.Event()
    limit = threading.Timer(PATIENCE_SECONDS, stopped.set)
    limit.start()
    continue_proof(proof, stopped)
    limit.cancel()
    assert proof.finished
    assert proof.proven is not None
    if player is Player.SECOND:
        assert (proof.proven.lead, proof.proven.best) == (1.0, (DOOR,))
    else:
        assert (proof.proven.lead, proof.proven.of(DOOR)) == (None, Interval(-1, -1))


def test_what_would_take_too_long_is_not_begun() -> None:
    """No proof starts where it would take too long, or where the game is over."""
    for here in (
        position("linage", "9"),
        position("leblin", "9"),
        position("linage", "3", "pass", "pass"),
    ):
        proof = Proof(here, ANALYSIS_SECONDS)
        assert proof.finished
        assert (proof.proven is not None) == here.over  # the result


def test_it_stops_when_told_to_and_keeps_what_it_has() -> None:
    """A proof stops on request and keeps its results and those of the table."""
    proof, stopped = Proof(position("linage", "5x6")), threading.Event()
    assert proof.proven is not None
    assert proof.proven.lead == 7.5
    thread = threading.Thread(target=continue_proof, args=(proof, stopped))
    thread.start()
    time.sleep(0.2)
    stopped.set()
    thread.join(60)
    assert not thread.is_alive()
    assert proof.proven.lead == 7.5
