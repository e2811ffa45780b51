"""Forecasts of the duration of proofs, and proofs within reach."""

import math

import pytest

from linage_bot.engine.solver.forecast import Forecast
from linage_bot.engine.solver.methods import method_of
from linage_bot.engine.solver.solved_boards import solved_board
from linage_bot.engine.solver.sums.method import expected_nodes
from linage_bot.rules import GAMES
from linage_bot.rules.game import Position

ERROR = 0.55  # at least the standard deviation of the logarithm of the nodes of sums


def start(name: str, size: str) -> Position:
    found: Position = GAMES[name].configure(size).start()
    return found


def test_more_points_take_more_nodes_and_most_of_all_in_the_largest_region() -> None:
    """More points mean more nodes, most of all in the largest region and in any order."""
    assert expected_nodes([12, 20]) == expected_nodes([20, 12])
    assert expected_nodes([20, 12]) < expected_nodes([20, 13]) < expected_nodes([21, 12])
    assert expected_nodes([20]) < expected_nodes([20, 9, 3])


@pytest.mark.parametrize("size", ["4x5", "5", "5x6", "6", "5x8", "6x7"])
def test_it_is_right_about_solved_boards_within_its_error(size: str) -> None:
    """Forecasts for solved boards are right within two standard deviations."""
    position = start("linage", size)
    row, found = solved_board(position.game), method_of(position.game).forecast(position)
    assert row is not None
    assert found is not None
    assert abs(math.log10(row.nodes / 2 / found)) < 2 * ERROR


@pytest.mark.parametrize("name", GAMES)
def test_more_time_brings_more_within_reach(name: str) -> None:
    """In each game more time brings more boards within reach."""
    forecast = Forecast(method_of(GAMES[name].configure()))
    large, sizes = start(name, "13"), range(2 if name == "gardar" else 3, 14)
    assert forecast.within_reach(large, None, None)
    reached = [
        sum(forecast.within_reach(start(name, str(size)), seconds, None) for size in sizes)
        for seconds in (0.0, 1.0, 60.0, 86_400.0)
    ]
    assert reached[0] == 0 < reached[1] < reached[-1]
    assert reached == sorted(reached)


def test_what_proofs_took_corrects_the_forecast() -> None:
    """Measured proofs, failed ones above all, correct the forecast."""
    position = start("linage", "5")
    method = method_of(position.game)
    nodes = int(method.forecast(position)) + 1
    forecast = Forecast(method)
    assert forecast.within_reach(position, None, nodes)
    forecast.learn(position, nodes, 1e9, proven=True)
    assert forecast.within_reach(position, None, nodes)
    assert not forecast.within_reach(position, 1.0, None)
    forecast.learn(position, nodes, 1.0, proven=False)
    assert not forecast.within_reach(position, None, nodes)
    assert forecast.within_reach(position, None, 2 * nodes)


def test_a_proof_comes_near_before_it_is_within_reach() -> None:
    """A proof is near before it is within reach, so that its code can be loaded in time."""
    position = start("linage", "6")
    forecast = Forecast(method_of(position.game))
    assert not forecast.within_reach(position, 0.1, None)
    assert forecast.near(position, 0.1, None)
    assert not forecast.near(start("linage", "9"), 0.1, None)
