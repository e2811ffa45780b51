"""Playing exactly as soon as a proof can be had."""

import random
import threading

import pytest

from linage_bot.agent import Agent, AgentSettings
from linage_bot.boards import bits
from linage_bot.game import PASS, Player
from linage_bot.games import GAMES
from linage_bot.games.linage import Linage, LinagePosition
from linage_bot.search.limits import Limits
from linage_bot.solver.arena import Allowance, Arena
from linage_bot.solver.endgame import Endgame
from linage_bot.solver.solving import Solving

NEVER = threading.Event()


def endgames(seed: int, count: int, size: str = "7") -> list[LinagePosition]:
    """Positions of random play with a free region of at most 16 points."""
    chance, found = random.Random(seed), []
    while len(found) < count:
        komi = chance.randint(-8, 8) / 2
        position = Linage.configure(size, komi).start()
        while any(area.owner is None and area.points.bit_count() > 16 for area in position.areas()):
            position = position.play(chance.choice(list(bits(position.placements()))))
        if position.placements():
            found.append(position)
    return found


def value(position: LinagePosition) -> int:
    """V - H under best play."""
    solving = Solving(Arena(3), position)
    assert solving.find_score(Allowance())
    return -solving.value.low if position.to_move else solving.value.low


def check_keeps_its_value(position: LinagePosition, exact: Player, chance: random.Random) -> None:
    """Against random play the exact player ends with the solved value or better."""
    solved, endgame = value(position), Endgame()
    while not position.over:
        if position.to_move is exact:
            found = endgame.best(position, NEVER, nodes=10**6)
            assert found is not None
            position = position.play(chance.choice(found.moves))
        else:
            position = position.play(chance.choice(position.moves()))
    margin = sum(
        (-1 if area.owner else 1) * area.points.bit_count()
        for area in position.areas()
        if area.owner is not None
    )
    assert (margin - solved) * (-1 if exact else 1) >= 0


@pytest.mark.parametrize("player", Player)
def test_never_loses_a_point_against_random_play(player: Player) -> None:
    """The result is the solved value, or better where the opponent errs."""
    chance = random.Random(4)
    for position in endgames(seed=1, count=6):
        check_keeps_its_value(position, player, chance)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("player", Player)
def test_never_loses_a_point_in_200_endgames(player: Player) -> None:
    """The result is the solved value, or better where the opponent errs."""
    chance = random.Random(5)
    for position in endgames(seed=2, count=100):
        check_keeps_its_value(position, player, chance)


def test_both_exact_end_with_the_solved_value() -> None:
    """Best play by both is what the solver says."""
    for start in endgames(seed=3, count=6):
        position, endgame = start, Endgame()
        while not position.over:
            found = endgame.best(position, NEVER, nodes=10**6)
            assert found is not None
            first, second = value(position) - start.game.komi, found.lead
            assert second == (-first if position.to_move else first)
            position = position.play(found.moves[-1])
        first, second = position.scores()
        assert first - second == value(start) - start.game.komi


def test_gives_up_when_nodes_are_used_up_and_learns() -> None:
    """A failed try at 25 points is not repeated; smaller regions are still tried."""
    endgame, large = Endgame(reach=25), Linage.configure("5", 0).start()
    assert endgame.best(large, NEVER, nodes=50) is None
    assert endgame.best(large, NEVER, nodes=10**6) is None
    assert endgame.best(Linage.configure("4", 0).start(), NEVER, nodes=10**6) is not None


def test_a_success_well_within_its_bounds_lets_it_try_more() -> None:
    """16 points are too many at first, but not once 15 took little."""
    endgame, large = Endgame(reach=15), Linage.configure("4", 0).start()
    assert endgame.best(large, NEVER, nodes=10**6) is None
    assert endgame.best(Linage.configure("3x5", 0).start(), NEVER, nodes=10**6) is not None
    assert endgame.best(large, NEVER, nodes=10**6) is not None


def test_without_time_for_the_score_a_winning_move_will_do() -> None:
    """5x4 with komi 4.5: some number of nodes proves that a move wins but not by how much."""
    position = Linage.configure("5x4", 4.5).start()
    found = {}
    for nodes in range(200, 10_000, 400):
        exact = Endgame().best(position, NEVER, nodes=nodes)
        if exact is not None:
            found[exact.best] = exact
            assert exact.lead > 0
            solved = value(position.play(exact.moves[0])) - 4.5
            assert solved == exact.lead if exact.best else solved >= exact.lead
    assert found.keys() == {True, False}


def test_stops_when_told() -> None:
    """With the order to stop already given nothing is proven."""
    stopped = threading.Event()
    stopped.set()
    assert Endgame().best(Linage.configure("4", 0).start(), stopped, seconds=5.0) is None


def test_other_games_are_left_to_the_search() -> None:
    """Nothing is proven in them."""
    for name in set(GAMES) - {"linage"}:
        assert Endgame().best(GAMES[name].configure().start(), NEVER, seconds=1.0) is None
    button = Linage.configure("3", 0, {"button": "on"}).start()
    assert Endgame().best(button, NEVER, seconds=1.0) is None


def choose(agent: Agent, position: LinagePosition):
    return agent.choose(position, Limits(visits=50), NEVER)


def test_the_agent_plays_a_proven_move_and_tells_the_exact_lead() -> None:
    """On 3x4 Vertical wins by 5 less komi, for certain."""
    agent = Agent(AgentSettings(seed=1, solver=True))
    decision = choose(agent, Linage.configure("3x4", 0.5).start())
    (proven,) = decision.candidates
    assert (proven.certain, proven.score_lead, decision.exact) == (1.0, 4.5, True)
    assert decision.move == proven.move != PASS


def test_the_agent_searches_where_the_solver_is_off_or_the_board_too_large() -> None:
    """The decision comes from visits then."""
    small, large = Linage.configure("3x4").start(), Linage.configure("7").start()
    assert choose(Agent(AgentSettings(seed=1)), small).visits == 50
    agent = Agent(AgentSettings(seed=1, solver=True))
    assert choose(agent, large).visits == 50


def test_a_lost_game_is_played_on() -> None:
    """The opponent has to find the proof, too."""
    agent = Agent(AgentSettings(seed=1, solver=True, resign_rate=0.5))
    position = Linage.configure("3", 30).start()
    decision = choose(agent, position)
    best = Endgame().best(position, NEVER, nodes=10**6)
    assert best is not None
    assert best.lost
    assert len(best.moves) == 2  # either side's middle
    assert decision.move in best.moves
    assert decision.candidates[0].certain == 0.0


def test_with_visits_and_a_seed_play_repeats() -> None:
    """Proofs are bounded by nodes then, not by time."""

    def game() -> list[int]:
        agent = Agent(AgentSettings(seed=3, solver=True))
        position, moves = Linage.configure("6").start(), []
        while not position.over:
            moves.append(choose(agent, position).move)
            position = position.play(moves[-1])
        return moves

    assert game() == game()
