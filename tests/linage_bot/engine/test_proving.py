"""Moves by proof, and the limits of the proofs."""

import random
import threading

import pytest

from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.proving import bounds
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.rules import GAMES
from linage_bot.rules.game import Position
from tests.linage_bot.engine.choosing import choose, start

FEW = 10  # visits
LATE_SECONDS = 30.0  # on any machine, for a proof of some thousand nodes


def some_positions(game: str, size: str, moves: int) -> list[Position]:
    """Return four unfinished positions after `moves` random moves."""
    chance, found = random.Random(3), []
    while len(found) < 4:
        position = start(game, size)
        for _ in range(moves):
            if not position.over:
                position = position.play(chance.choice(position.moves()))
        if not position.over:
            found.append(position)
    return found


@pytest.mark.parametrize(
    ("game", "size", "moves"),
    [
        *(("linage", "6", 2), ("linage", "7", 9), ("linage-two-color", "4", 2)),
        *(("linage-parity", "6", 3), ("leblin", "4", 4), ("gardar", "3", 3)),
    ],
)
@pytest.mark.parametrize("clock_seconds", [None, 36_000.0])
def test_time_to_spare_does_not_undo_a_limit_on_visits(game, size, moves, clock_seconds):
    """With hours for a move, a limit on visits still ends the search and its proof."""
    never = threading.Event()
    assert wait_for_kernel(GAMES[game].configure(), never)
    assert wait_for_solver(GAMES[game].configure(), never)
    limits = Limits(visits=FEW, seconds=7200.0, clock_seconds=clock_seconds)
    for position in some_positions(game, size, moves):
        in_time = choose(Engine(seed=1), position, Limits(visits=FEW))
        too_late = threading.Event()
        alarm = threading.Timer(LATE_SECONDS, too_late.set)
        alarm.start()
        assert choose(Engine(seed=1), position, limits, stopped=too_late) == in_time
        assert not too_late.is_set()
        alarm.cancel()


@pytest.mark.parametrize(
    ("visits", "few", "for_a_move"),
    [(50, 2_000, 5_000), (5_000, 20_000, 5_000), (10**6, 500_000, 500_000)],
)
def test_an_analysis_of_few_visits_is_not_delayed_by_a_long_proof(visits, few, for_a_move):
    """Among thousands of short analyses, a proof takes no longer than the search."""
    assert bounds(Limits(visits=visits), 0.5, brief=True) == (None, few)
    assert bounds(Limits(visits=visits), 0.5) == (None, for_a_move)
