"""Games of the readable rules, in place of compiled ones."""

import random

import numpy as np
import pytest

from linage_bot import GAMES
from linage_bot.batch import PLANES
from linage_bot.batch.single import SingleGame
from linage_bot.openspiel.readable import ReadableGame


@pytest.mark.parametrize("id_", GAMES)
def test_it_plays_as_a_compiled_game_does(id_: str) -> None:
    """A game without compiled rules has the same actions, results and planes as one with them."""
    kind, chance = GAMES[id_].configure("3"), random.Random(1)
    readable, compiled = ReadableGame(kind.start()), SingleGame.start(kind)
    assert compiled is not None
    shape = len(PLANES), kind.board.rows, kind.board.columns
    seen, expected = np.empty(shape, np.float32), np.empty(shape, np.float32)
    start = readable.copy()
    while True:
        assert readable.over == compiled.over
        assert readable.actions() == compiled.actions()
        assert readable.first_return() == compiled.first_return()
        readable.observe(seen)
        compiled.observe(expected)
        assert (seen == expected).all()
        if readable.over:
            break
        action = chance.choice(readable.actions())
        assert readable.is_legal(action)
        readable.play(action)
        compiled.play(action)
    assert not readable.is_legal(0)
    assert not start.over
