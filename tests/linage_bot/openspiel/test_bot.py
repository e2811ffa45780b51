"""Our engine as a bot of OpenSpiel's."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import evaluate_bots, mcts
from open_spiel.python.bots.uniform_random import UniformRandomBot

from linage_bot import Limits
from linage_bot.openspiel import EngineBot
from tests.linage_bot.openspiel.loading import after


@pytest.mark.parametrize(
    "text",
    [
        "python_linage(size=4,pie=true)",
        "python_linage_two_color(size=4)",
        "python_linage_parity(size=4,passing=false)",
        "python_leblin(size=4,pie=true)",
        "python_gardar(size=2,pie=true)",
    ],
)
def test_it_plays_every_game_against_itself(text: str) -> None:
    """A pie and the end of a game included; with a seed it plays the same again."""
    game, histories = pyspiel.load_game(text), []
    for _ in range(2):
        with EngineBot(visits=30, seed=1, solver=False) as bot:
            state = game.new_initial_state()
            evaluate_bots.evaluate_bots(state, [bot, bot], np.random)
            histories.append(state.history())
            assert state.is_terminal()
    assert histories[0] == histories[1]


def test_it_beats_chance() -> None:
    """The bot beats random play from both sides with OpenSpiel's C++ and Python referees."""
    game = pyspiel.load_game("python_leblin(size=4)")
    chance = np.random.RandomState(1)
    with EngineBot(visits=300, seed=1) as bot:
        for player in range(2):
            bots = [UniformRandomBot(each, chance) for each in range(2)]
            bots[player] = bot
            state = game.new_initial_state()
            assert evaluate_bots.evaluate_bots(state, bots, chance)[player] == 1
        theirs = pyspiel.make_uniform_random_bot(1, 1)
        assert pyspiel.evaluate_bots(game.new_initial_state(), [bot, theirs], 1) == [1, -1]


def test_it_plays_against_openspiels_search() -> None:
    """MCTS in Python clones and plays out our states as any others."""
    game, chance = pyspiel.load_game("python_linage(size=4)"), np.random.RandomState(1)
    theirs = mcts.MCTSBot(
        game, 1.4, 20, mcts.RandomRolloutEvaluator(1, chance), random_state=chance
    )
    with EngineBot(visits=200, seed=1) as ours:
        state = game.new_initial_state()
        result = evaluate_bots.evaluate_bots(state, [ours, theirs], chance)
    assert sorted(result) == [-1, 1]


def test_its_policy_is_what_it_does() -> None:
    """Every legal action is named, one with certainty."""
    state = pyspiel.load_game("python_linage(size=5)").new_initial_state()
    with EngineBot(visits=50, seed=1) as bot:
        assert bot.provides_policy()
        policy, action = bot.step_with_policy(state)
    assert [each for each, _ in policy] == state.legal_actions()
    assert [each for each, probability in policy if probability] == [action]
    assert sum(probability for _, probability in policy) == 1


def test_it_goes_on_thinking_from_its_own_tree() -> None:
    """The bot keeps its search tree after its move."""
    state = pyspiel.load_game("python_linage(size=7)").new_initial_state()
    with EngineBot(visits=400, solver=False) as bot:
        state.apply_action(bot.step(state))
        assert bot.engine.analyse(state.so_far, Limits(visits=1)).visits > 10


def test_it_offers_what_is_even_and_takes_what_is_better() -> None:
    """The bot offers the fair komi, 7 on 5x5, and takes the better side."""
    game = pyspiel.load_game("python_linage(size=5,pie=true)")
    with EngineBot(visits=200, seed=1) as bot:
        state = game.new_initial_state()
        assert state.action_to_string(bot.step(state)) == "komi 7"
        for offer, side in (("komi 9", "take Horizontal"), ("komi 3", "take Vertical")):
            offered = after(state.clone(), offer)
            assert offered.action_to_string(bot.step(offered)) == side


def test_it_offers_a_stone_where_there_is_no_komi() -> None:
    """In Leblin's pie the bot offers a first stone."""
    state = pyspiel.load_game("python_leblin(size=5,pie=true)").new_initial_state()
    with EngineBot(visits=200, seed=1) as bot:
        assert bot.step(state) in range(25)


def test_settings_are_checked() -> None:
    """A setting that the engine has not, or a value out of bounds, is refused."""
    with pytest.raises(TypeError, match="visit"):
        EngineBot(visit=3)
    with pytest.raises(ValueError, match="99 is not a number from 0 to 27"):
        EngineBot(level=99)
