import math

import numpy as np
import pytest
from agreement import agree, agree_on, check_playouts, check_uniform, replay_published

from linage_bot.engine.kernels import load
from linage_bot.engine.kernels.contract import new_trail
from linage_bot.engine.kernels.words import generator
from linage_bot.rules.linage import Linage
from tests.examples import some_quick


def test_plays_by_the_rules() -> None:
    """The compiled form has the readable form's moves and scores in random games."""
    agree(Linage, seed=1, games=60)


@pytest.mark.slow
def test_plays_by_the_rules_in_many_games() -> None:
    """The compiled form has the readable form's moves and scores in very many random games."""
    agree(Linage, seed=2, games=2000)


def test_published_positions() -> None:
    """The recorded games lead to the recorded positions."""
    replay_published(Linage)


@pytest.mark.parametrize("edition", ["current", "2016"])
def test_playouts_repeat(edition: str) -> None:
    """Playouts with one seed are the same, and a playout on a copy keeps the original unchanged."""
    check_playouts(Linage.configure("9", options={"edition": edition}))


@pytest.mark.parametrize(
    ("size", "line"), some_quick([("3x4", "2"), ("3x4", "3"), ("4", "4")], "3x4")
)
def test_playouts_are_uniform(size: str, line: str) -> None:
    """Each score lead has its exact probability under uniform placements."""
    check_uniform(Linage.configure(size, options={"line": line}), seed=5, playouts=20_000)


@pytest.mark.parametrize("line", ["4", "5"])
@pytest.mark.parametrize("size", ["13", "25x5", "5x25", "13x7"])
def test_plays_by_the_rules_with_long_lines(size: str, line: str) -> None:
    """Lines longer than the window around a point are found too."""
    game = Linage.configure(size, options={"line": line})
    agree_on(game, seed=3, games=2)


def test_playouts_are_uniform_on_4x4() -> None:
    """Stones, Vertical's points and Vertical's wins have the exact means known for 4x4."""
    game, playouts = Linage.configure("4", 0), 20_000
    kernel, word = load(game), generator(3)
    root, scratch = kernel.encode(game.start()), np.zeros(1, kernel.dtype)
    counts = np.empty((playouts, 3))  # stones, points for Vertical, whether Vertical is ahead
    for i in range(playouts):
        kernel.copy(scratch[0], root[0])
        ahead = kernel.playout(scratch[0], word, new_trail()) > 0
        vertical, horizontal = scratch[0]["points"]
        counts[i] = 16 - vertical - horizontal, vertical, ahead
    for column, exact in zip(counts.T, (8.62479, 3.6876, 0.49480), strict=True):
        assert abs(column.mean() - exact) < 5 * column.std() / math.sqrt(playouts)
