"""Exact play as soon as a proof is possible."""

import random
import threading
from collections.abc import Callable

import pytest

from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.proof import Goal, Proof, Solver
from linage_bot.engine.solver.proven_values import ProvenValues
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.solving import SumSolving
from linage_bot.engine.solver.sums.sums import free_sizes
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, Player, Position
from linage_bot.rules.history import History
from linage_bot.rules.linage import Linage, LinagePosition

NEVER = threading.Event()


def prove(
    position: Position,
    solver: Solver | None = None,
    stopped: threading.Event = NEVER,
    **bounds: float,
) -> ProvenValues | None:
    """Return the proven values if they include a good move, else None."""
    proof = Proof(position, **bounds, goal=Goal.MOVE, solver=solver)
    if not proof.finished:
        proof.run(stopped)
    return proof.proven if proof.proven and proof.proven.good else None


def two_stones(size: str, komi: float) -> LinagePosition:
    """Return a position that is not in any table."""
    start = Linage.configure(size, komi).start()
    return start.play(0).play(max(bits(start.placements())))


Chooser = Callable[[LinagePosition], int]


def random_player(seed: int) -> Chooser:
    """Return a player that plays any legal move."""
    chance = random.Random(seed)
    return lambda position: chance.choice(position.moves())


def search_player(seed: int, visits: int) -> Chooser:
    """Return a player that searches without the solver."""
    engine = Engine(visits=visits, seed=seed, resign_rate=None, solver=False)

    def play(position: LinagePosition) -> int:
        move = engine.play(History.at(position)).move
        assert move is not None
        return move

    return play


def endgames(count: int, size: str, player: Chooser, seed: int = 1) -> list[LinagePosition]:
    """Return late positions of a player's games, with free regions of at most 16 points."""
    chance, found = random.Random(seed), []
    while len(found) < count:
        position = Linage.configure(size, chance.randint(-8, 8) / 2).start()
        position = position.play(chance.choice(list(bits(position.placements()))))
        while not position.over and max(free_sizes(position), default=0) > 16:
            position = position.play(player(position))
        if not position.over and free_sizes(position):
            found.append(position)
    return found


def value(position: LinagePosition) -> int:
    """Return V - H under best play."""
    solving = SumSolving(Arena(3), position)
    assert solving.find_score(SearchBudget())
    return -solving.value.low if position.to_move else solving.value.low


def check_keeps_its_value(position: LinagePosition, exact: Player, opponent: Chooser) -> None:
    """Check that the exact player ends with the solved value or better."""
    solved, solver, chance = value(position), Solver(), random.Random(1)
    while not position.over:
        if position.to_move is exact:
            found = prove(position, solver, nodes=10**7)
            assert found is not None
            position = position.play(chance.choice(found.good))
        else:
            position = position.play(opponent(position))
    margin = sum(
        (-1 if area.owner else 1) * area.points.bit_count()
        for area in position.areas()
        if area.owner is not None
    )
    assert (margin - solved) * (-1 if exact else 1) >= 0


@pytest.mark.parametrize("player", Player)
@pytest.mark.parametrize("opponent", [random_player(4), search_player(4, 50)])
def test_never_loses_a_point(player: Player, opponent: Chooser) -> None:
    """Exact play ends with the solved value, or better where the opponent errs."""
    for position in endgames(5, "7", random_player(1)):
        check_keeps_its_value(position, player, opponent)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("player", Player)
@pytest.mark.parametrize("opponent", [random_player(5), search_player(5, 400)])
def test_never_loses_a_point_in_200_endgames_on_9x9(player: Player, opponent: Chooser) -> None:
    """Exact play loses no point in 200 endgames on 9x9 against random play and search."""
    games = endgames(100, "9", random_player(2)) + endgames(100, "9", search_player(2, 100))
    for position in games:
        check_keeps_its_value(position, player, opponent)


def test_both_exact_end_with_the_solved_value() -> None:
    """Best play by both players ends with the value that the solver gives."""
    for start in endgames(6, "7", random_player(3), seed=3):
        position, solver = start, Solver()
        while not position.over:
            found = prove(position, solver, nodes=10**6)
            assert found is not None
            first, second = value(position) - start.game.komi, found.lead
            assert second == (-first if position.to_move else first)
            position = position.play(found.good[-1])
        first, second = position.scores()
        assert first - second == value(start) - start.game.komi


def test_what_is_out_of_reach_is_not_tried() -> None:
    """A proof that needs too many nodes is not attempted."""
    solver, large = Solver(), two_stones("5", 0)
    assert Proof(large, nodes=50, solver=solver).finished
    assert prove(large, solver, nodes=10**6) is not None


def test_a_failed_try_makes_it_more_careful() -> None:
    """After a failed proof a similar one is not attempted again."""
    solver, hard = Solver(), two_stones("5x6", 7.5)
    proof = Proof(hard, nodes=39_000, goal=Goal.MOVE, solver=solver)
    assert not proof.finished
    proof.run(NEVER)
    assert proof.proven is None or not proof.proven.good
    assert Proof(hard, nodes=39_000, goal=Goal.MOVE, solver=solver).finished


def test_without_time_for_the_score_a_winning_move_will_do() -> None:
    """With too few nodes for the score, a move proven to win is accepted."""
    position = two_stones("4x6", 0.5)
    found = {}
    for nodes in range(4_000, 80_000, 4_000):
        exact = prove(position, nodes=nodes)
        if exact is not None:
            found[exact.value.exact] = exact
            assert exact.value.low > 0
            solved = value(position.play(exact.good[0])) - 0.5
            assert exact.value.low <= solved <= exact.value.high
        if True in found:
            break
    assert found.keys() == {True, False}


def test_stops_when_told() -> None:
    """A proof that is stopped before its start proves nothing."""
    stopped = threading.Event()
    stopped.set()
    assert prove(two_stones("4", 0), stopped=stopped, seconds=5.0) is None


def choose(engine: Engine, position: LinagePosition):
    return engine.play(History.at(position), Limits(visits=50))


def test_the_engine_plays_a_proven_move_and_tells_the_exact_lead() -> None:
    """The engine plays a proven move and reports its exact lead."""
    engine = Engine(seed=1, solver=True)
    decision = choose(engine, Linage.configure("3x4", 0.5).start())
    proven = decision.analysis.candidates[0]
    assert (proven.certain, proven.lead, decision.exact) == (1.0, 4.5, True)
    assert decision.move == proven.move != PASS


def test_the_engine_searches_where_the_solver_is_off_or_the_board_too_large() -> None:
    """Without the solver, or on a board too large for it, the engine searches."""
    small, large = Linage.configure("3x4").start(), Linage.configure("7").start()
    assert choose(Engine(seed=1, solver=False), small).analysis.visits == 50
    engine = Engine(seed=1, solver=True)
    assert choose(engine, large).analysis.visits == 50


def test_a_lost_game_is_played_on() -> None:
    """A game that is proven lost is not resigned by the engine."""
    engine = Engine(seed=1, solver=True, resign_rate=0.5)
    position = Linage.configure("3", 30).start()
    decision = choose(engine, position)
    best = prove(position, nodes=10**6)
    assert best is not None
    assert best.value.high < 0
    assert len(best.best) == 2  # either side's middle
    assert decision.move in best.best
    assert decision.analysis.candidates[0].certain == 0.0


def test_with_visits_and_a_seed_play_repeats() -> None:
    """With visits and a seed play repeats, since proofs are limited by nodes."""

    def game() -> list[int]:
        engine = Engine(seed=3, solver=True)
        position, moves = Linage.configure("6").start(), []
        while not position.over:
            moves.append(choose(engine, position).move)
            position = position.play(moves[-1])
        return moves

    assert game() == game()
