import attrs
import numpy as np
import pytest
from agreement import agree, check_playouts, compare, moves_of, replay_published, score_leads

from linage_bot.engine.kernels import load
from linage_bot.engine.kernels.contract import new_trail
from linage_bot.engine.kernels.words import generator
from linage_bot.rules.leblin import Leblin

SMALL = ("3", "3x4", "5x3", "4", "4x5", "5", "6x4")


def test_plays_by_the_rules() -> None:
    """The compiled form has the readable form's moves and winners in random games."""
    agree(Leblin, seed=1, games=40, sizes=SMALL)
    agree(Leblin, seed=2, games=1, sizes=("9x7",))


def test_largest_boards() -> None:
    """The compiled form has the readable form's moves on boards that fill its arrays."""
    agree(Leblin, seed=3, games=3, sizes=("25x3", "3x25", "25"), longest=6)


@pytest.mark.slow
def test_plays_by_the_rules_in_many_games() -> None:
    """The compiled form has the readable form's moves and winners in very many random games."""
    agree(Leblin, seed=4, games=1900, sizes=SMALL)
    agree(Leblin, seed=5, games=100)


def test_published_positions() -> None:
    """The recorded games lead to the recorded positions."""
    replay_published(Leblin)


def test_draws_by_length() -> None:
    """A state made late in a game is drawn when the game grows too long, and no turn earlier."""
    game = Leblin.configure("3")
    kernel = load(game)
    position = game.start().play(0).play(8)
    position = attrs.evolve(position, turns=game.longest)
    states = kernel.encode(position)
    compare(kernel, states, position)
    kernel.play(states[0], 4)
    compare(kernel, states, position.play(4))
    assert moves_of(kernel, states) == ()
    assert score_leads(kernel, states, 1, 5) == [0] * 5


def test_playouts_repeat() -> None:
    """Playouts with one seed are the same, and a playout on a copy keeps the original unchanged."""
    check_playouts(Leblin.configure("9"))


def test_playouts_have_winners() -> None:
    """A playout ends with a winner who is alone, or whose opponent has no placement."""
    game = Leblin.configure("6")
    kernel = load(game)
    root, scratch = kernel.encode(game.start()), np.zeros(1, kernel.dtype)
    word, decided = generator(1), 0
    for _ in range(200):
        kernel.copy(scratch[0], root[0])
        score_lead = kernel.playout(scratch[0], word, new_trail())
        if score_lead:
            decided += 1
            assert kernel.score_lead(scratch[0]) == score_lead
            winners = scratch[0]["stones"]["count"][0 if score_lead > 0 else 1]
            assert winners > 0
    assert decided > 190
