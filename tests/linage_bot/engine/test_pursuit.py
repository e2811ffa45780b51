"""Proofs that are pursued beside other work."""

import threading
import time

import pytest

from linage_bot.engine.pursuit import Pursuit
from linage_bot.engine.solver.known import Span
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
    """Own points less the opponent's, komi counted; the table's values are found again."""
    stopped = threading.Event()
    limit = threading.Timer(PATIENCE_SECONDS, stopped.set)
    limit.start()
    pursuit = Pursuit(here)
    pursuit.pursue(stopped)
    limit.cancel()
    assert pursuit.ended
    assert pursuit.proven is not None
    assert pursuit.proven.lead == lead
    assert pursuit.proven.best
    spans = [pursuit.proven.of(move) for move in here.moves()]
    assert all(span.exact for span in spans)
    assert max(span.low for span in spans) == lead


@pytest.mark.parametrize("player", Player)
def test_a_stone_that_brings_the_position_within_reach_is_judged(player: Player) -> None:
    """Where the position itself is out of reach: whether that wins or loses."""
    pursuit, stopped = Pursuit(two_halls(player)), threading.Event()
    limit = threading.Timer(PATIENCE_SECONDS, stopped.set)
    limit.start()
    pursuit.pursue(stopped)
    limit.cancel()
    assert pursuit.ended
    assert pursuit.proven is not None
    if player is Player.SECOND:
        assert (pursuit.proven.lead, pursuit.proven.best) == (1.0, (DOOR,))
    else:
        assert (pursuit.proven.lead, pursuit.proven.of(DOOR)) == (None, Span(-1, -1))


def test_what_would_take_too_long_is_not_begun() -> None:
    """Nor what is over already."""
    for here in (
        position("linage", "9"),
        position("leblin", "9"),
        position("linage", "3", "pass", "pass"),
    ):
        pursuit = Pursuit(here)
        assert pursuit.ended
        assert not pursuit.ready
        assert pursuit.proven is None


def test_it_stops_when_told_to_and_keeps_what_it_has() -> None:
    """What the table says is there before any search."""
    pursuit, stopped = Pursuit(position("linage", "5x6")), threading.Event()
    assert pursuit.proven is not None
    assert pursuit.proven.lead == 7.5
    thread = threading.Thread(target=pursuit.pursue, args=(stopped,))
    thread.start()
    time.sleep(0.2)
    stopped.set()
    thread.join(60)
    assert not thread.is_alive()
    assert pursuit.proven.lead == 7.5
