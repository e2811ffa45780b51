"""The games as PettingZoo environments, by Shimmy."""

import warnings

import pytest
from pettingzoo.test import api_test
from shimmy import OpenSpielCompatibilityV0

from tests.linage_bot.openspiel.loading import LOADED


@pytest.mark.parametrize("texts", LOADED.values(), ids=LOADED)
def test_its_own_check_finds_nothing(texts: tuple[str, str], capsys) -> None:
    """Spaces, masks, rewards and ends are what PettingZoo wants of any environment."""
    name, _, size = texts[0].rstrip(")").partition("(size=")
    environment = OpenSpielCompatibilityV0(game_name=name, config={"size": int(size[0])})
    with warnings.catch_warnings():  # of observations that are not bounded, which Shimmy says
        warnings.simplefilter("ignore", UserWarning)
        api_test(environment, num_cycles=100)
    assert "Passed" in capsys.readouterr().out
