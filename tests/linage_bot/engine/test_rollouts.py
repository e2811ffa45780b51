"""The expected length of a game."""

import random

import pytest

from linage_bot.engine.search.playouts import random_moves
from linage_bot.rules import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_fewer_moves_are_to_come_as_the_game_goes_on_and_none_at_its_end(game, kernel_of):
    """The expected number of remaining moves falls during a game, to 0 at its end."""
    position = GAMES[game].configure("4").start()
    kernel, found = kernel_of(game), []
    chooser = random.Random(1)
    while not position.over:
        found.append(random_moves(kernel, position))
        position = position.after(chooser.choice(position.moves()))
    assert found[0] > 5
    assert found[-1] < found[0]
    assert random_moves(kernel, position) == 0


def test_the_same_position_is_judged_alike_every_time(kernel_of):
    """The expected number of moves is the same for each call, and on 9x9 is from 30 to 81."""
    position = GAMES["linage"].configure("9").start()
    kernel = kernel_of("linage")
    assert random_moves(kernel, position) == random_moves(kernel, position)
    assert 30 < random_moves(kernel, position) < 81
