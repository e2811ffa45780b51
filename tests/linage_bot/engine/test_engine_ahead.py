"""Parity Linage where only positions after a move can be proven."""

import threading

import pytest

from linage_bot.engine.analysis import Analysis, Report
from linage_bot.engine.decision import Decision
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.engine.solver.proof import Goal, Proof
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player, Position
from tests.examples import some_quick
from tests.linage_bot.engine.choosing import choose
from tests.linage_bot.engine.solver.slow_values import late_positions
from tests.linage_bot.engine.two_halls import DOOR, two_halls

NEVER = threading.Event()


@pytest.fixture(autouse=True)
def _loaded() -> None:
    """Load the kernel and the solver, so that the first move has proofs."""
    game = GAMES["linage-parity"].configure()
    assert wait_for_kernel(game, NEVER)
    assert wait_for_solver(game, NEVER)


def choose_patiently(engine: Engine, position: Position) -> Decision:
    """Choose a move with 20 seconds for a proof, stopping after 200 visits."""
    stopped = threading.Event()

    def look(analysis: Analysis) -> None:
        if analysis.visits >= 200:
            stopped.set()

    return choose(engine, position, Limits(seconds=20.0), stopped=stopped, report=Report(look, 0.0))


def test_a_stone_that_halves_the_board_is_found() -> None:
    """A stone that halves the board is found by a proof."""
    decision = choose_patiently(Engine(), two_halls(Player.SECOND))
    assert (decision.move, decision.exact) == (DOOR, True)


@pytest.mark.parametrize("seed", some_quick(range(3), 0))
def test_a_stone_that_halves_the_board_for_the_opponent_is_not_placed(seed: int) -> None:
    """A stone that halves the board for the opponent is reported as a loss and avoided."""
    position = two_halls(Player.FIRST)
    decision = choose_patiently(Engine(seed=seed), position)
    assert decision.move != DOOR
    assert not decision.exact
    told = {each.move: each for each in decision.analysis.candidates}
    assert told[DOOR].certain == 0
    assert sum(each.visits for each in told.values()) >= 200


@pytest.mark.thorough
def test_no_move_is_made_that_the_opponent_can_refute_at_once() -> None:
    """The engine makes no move that the opponent can refute by a short proof."""
    game, refuted = GAMES["linage-parity"].configure("11x9", None, {"n": "3"}), 0

    def refutes(position: Position) -> bool:
        proof = Proof(position, nodes=2000, goal=Goal.MOVE)
        if not proof.finished:
            proof.run(NEVER)
        return proof.proven is not None and proof.proven.value.low > 0

    for position in late_positions(game, 3, 30, 60):
        limits = Limits(visits=20_000)
        if not Proof(position, nodes=10_000, goal=Goal.MOVE).partial:
            continue
        decision = choose(Engine(seed=1), position, limits)
        if not decision.exact:
            assert decision.move is not None
            assert not refutes(position.after(decision.move))
        decision = choose(Engine(seed=1, solver=False), position, limits)
        assert decision.move is not None
        refuted += refutes(position.after(decision.move))
    assert refuted
