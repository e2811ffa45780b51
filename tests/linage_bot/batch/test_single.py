"""Single games against the readable rules."""

import random

import numpy as np
import pytest

from linage_bot import GAMES, PASS
from linage_bot.batch import PLANES
from linage_bot.batch.single import SingleGame
from tests.linage_bot.batch.test_batch import mask_of, planes_of, return_of
from tests.linage_bot.engine.kernels.agreement import random_game


@pytest.mark.parametrize("id_", GAMES)
def test_a_random_game_agrees_with_the_readable_rules(id_: str) -> None:
    """Actions, results and planes are those of the rules, and copies keep theirs."""
    chance = random.Random(1)
    kind = random_game(GAMES[id_], chance, ("4",) if id_ != "gardar" else ("3",))
    position, single = kind.start(), SingleGame.start(kind)
    assert single is not None
    planes = np.empty((len(PLANES), kind.board.rows, kind.board.columns), np.float32)
    before, first, passing = single.copy(), single.actions(), kind.board.columns * kind.board.rows
    while not single.over:
        assert single.actions() == mask_of(position).nonzero()[0].tolist()
        assert single.first_return() == 0
        single.observe(planes)
        assert (planes == planes_of(position)).all()
        action = chance.choice(single.actions())
        single.play(action)
        position = position.after(PASS if action == passing else action)
    assert position.over
    assert single.actions() == []
    assert single.first_return() == return_of(position)
    assert before.actions() == first
    assert not before.over


def test_actions_that_do_not_exist_are_illegal() -> None:
    """Numbers beyond the pass, and negative ones, are no actions."""
    single = SingleGame.start(GAMES["linage"].configure("3"))
    assert single is not None
    assert [each for each in range(-2, 12) if single.is_legal(each)] == list(range(10))
