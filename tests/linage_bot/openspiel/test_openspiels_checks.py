"""OpenSpiel's own checks of games, from the released package.

Their modules import SciPy for seconds, so the tests import them: the other processes that `pytest`
runs need not wait for them.
"""

import unittest
from pathlib import Path

import numpy as np
import pyspiel
import pytest

from tests.examples import some_quick
from tests.linage_bot.openspiel.loading import EACH, LOADED

MOSTLY = some_quick(EACH, *(texts[0] for texts in LOADED.values()))
"""The checks that play much are made of each game's first form, and of all thoroughly."""


@pytest.mark.parametrize("text", MOSTLY)
def test_its_simulations_find_nothing(text: str) -> None:
    """Random games have consistent actions, masks, tensors, returns and serialisations."""
    game = pyspiel.load_game(text)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("text", MOSTLY)
def test_its_simulations_in_python_find_nothing(text: str, capsys) -> None:
    """Copies, pickled games and states, and utilities are correct."""
    from open_spiel.python.tests import games_sim_test

    np.random.seed(1)
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(text))
    assert "terminated with" in capsys.readouterr().out


@pytest.mark.parametrize("text", MOSTLY)
def test_its_api_test_finds_nothing(text: str) -> None:
    """Lengths, observations and legal actions keep to the API in some hundred states."""
    from open_spiel.integration_tests import api_test

    attributes = {"game": pyspiel.load_game(text), "game_name": text}
    case = type("Case", (api_test.EnforceAPIOnPartialTreeBase,), attributes)
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert [text for _, text in result.failures + result.errors] == []
    assert result.testsRun >= 5


@pytest.mark.filterwarnings("ignore:The chararray class:DeprecationWarning")  # NumPy 2.5
@pytest.mark.parametrize("text", MOSTLY)
def test_a_playthrough_replays(text: str, tmp_path: Path) -> None:
    """A playthrough of a game is reproduced when the game is replayed."""
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    flags.FLAGS.mark_as_parsed()  # it is a program, which reads them from its command line
    file = tmp_path / "playthrough.txt"
    file.write_text(generate_playthrough.playthrough(text, action_sequence=None, seed=1))
    expected, actual = generate_playthrough.replay(str(file))
    assert expected == actual
    assert "IsTerminal() = True" in actual
