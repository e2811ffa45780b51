"""Good moves proven in games other than Linage."""

import threading

import pytest

from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.methods import method_of, new_arena
from linage_bot.engine.solver.proof import Goal, Proof, Solver
from linage_bot.engine.solver.proven_values import ProvenValues
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player, Position
from tests.examples import some_quick
from tests.linage_bot.engine.solver.slow_values import exact_bounds, late_positions
from tests.linage_bot.engine.two_halls import DOOR, two_halls

NEVER = threading.Event()
NODES = 10**7


def prove(position: Position, solver: Solver, nodes: int = NODES) -> ProvenValues:
    """Return the values proven in the search for a good move."""
    proof = Proof(position, nodes=nodes, goal=Goal.MOVE, solver=solver)
    if not proof.finished:
        proof.run(NEVER)
    assert proof.proven is not None
    return proof.proven


PARITY = [("3x4", {}), ("4x3", {"n": "1"}), ("4", {"condition": "line", "passing": "off"})]


@pytest.mark.parametrize(("size", "options"), some_quick(PARITY, "4x3"))
def test_a_good_move_is_told_just_where_the_mover_wins(size: str, options: dict[str, str]) -> None:
    """A good move is reported exactly where the player to move wins by full play."""
    game = GAMES["linage-parity"].configure(size, None, options)
    solver, outcomes, won = Solver(), {}, 0
    for position in late_positions(game, 3, 20, 9):
        sign = -1 if position.to_move else 1
        low, high = exact_bounds(position, 20, outcomes)
        assert low == high
        proven = prove(position, solver)
        assert proven.lead == sign * low
        if sign * low > 0:
            won += 1
            assert sign * exact_bounds(position.after(proven.good[0]), 19, outcomes)[0] > 0
    assert won


@pytest.mark.parametrize("komi", [0.0, 2.0])
def test_a_draw_is_better_than_a_loss(komi: float) -> None:
    """A drawing move is chosen before a losing one, with any komi that allows draws."""
    found, solver = set(), Solver()
    game = GAMES["linage-two-color"].configure("3x4", komi, {})
    for position in late_positions(game, 4, 30, 6):
        sign, outcomes = (-1 if position.to_move else 1), {}
        low, high = exact_bounds(position, 17, outcomes)
        if low != high:
            continue
        proven = prove(position, solver)
        value = (sign * low > 0) - (sign * low < 0)
        found.add(value)
        assert (proven.value.low > 0, proven.value.high < 0) == (value > 0, value < 0)
        if value >= 0:
            after = sign * exact_bounds(position.after(proven.good[0]), 16, outcomes)[0]
            assert (after > 0) - (after < 0) == value
    assert {-1, 1} <= found
    assert komi or 0 in found


@pytest.mark.parametrize(("size", "options"), some_quick(PARITY, "4x3"))
def test_what_is_seen_one_ply_ahead_is_so(size: str, options: dict[str, str]) -> None:
    """A win or loss seen one move ahead agrees with full play."""
    game = GAMES["linage-parity"].configure(size, None, options)
    method, outcomes, seen = method_of(game), {}, set()
    arena = new_arena(game.start())
    for position in late_positions(game, 5, 40, 9):
        sign = -1 if position.to_move else 1
        solving = method.solving(arena, position)
        solving.find_win_among(method.key_moves(position), SearchBudget(), 0.25)
        for move, span in solving.proven(position).moves.items():
            if span.exact:
                assert span.low == sign * exact_bounds(position.after(move), 19, outcomes)[0]
                seen.add(span.low)
    assert seen == ({-1, 1} if game.passing else set())


@pytest.mark.parametrize("player", Player)
def test_a_region_out_of_reach_may_be_split_into_some_within(player: Player) -> None:
    """A region too large to prove may be divided into provable ones by a winning move."""
    proven = prove(two_halls(player), Solver(), nodes=1_000_000)
    if player is Player.SECOND:
        assert proven.good == (DOOR,)
        assert proven.value.low == 1
    else:
        assert proven.good == ()
        assert proven.of(DOOR).high == -1


def test_the_same_nodes_give_the_same_move() -> None:
    """The same number of nodes gives the same move on any machine."""
    game = GAMES["linage-parity"].configure("5")
    for position in late_positions(game, 5, 4, 16):
        one, other = (prove(position, Solver(), nodes=500) for _ in range(2))
        assert one == other
