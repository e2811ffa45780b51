"""The viewer script's data show the board as a picture does."""

import random

import pytest

from linage_bot.drawing.steps import OWNED, changes, steps
from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS

SIZES = {"gardar": "3"}


def played(game, seed):
    """The positions of a game of random moves, stones taken among them where that happens."""
    chance, positions = random.Random(seed), [game.start()]
    while not positions[-1].over and len(positions) < 60:
        moves = positions[-1].moves()
        positions.append(positions[-1].after(chance.choice(moves)))
    return positions


@pytest.mark.parametrize("id_", sorted(GAMES))
def test_the_changes_lead_from_each_position_to_the_next(id_):
    """Stones that come and go, and who owns what, point by point."""
    positions = played(GAMES[id_].configure(SIZES.get(id_, "5")), seed=1)
    looks = {}
    for position, changed in zip(positions, changes(positions), strict=True):
        looks |= dict(zip(changed[::2], changed[1::2], strict=True))
        for point in bits(position.game.board.points):
            stone = (position.first >> point & 1) + 2 * (position.second >> point & 1)
            coloured = [area for area in position.areas() if area.shown != "dots"]
            owners = [area.owner for area in coloured if area.points >> point & 1]
            owned = [owner + 1 for owner in owners if owner is not None]
            assert looks.get(point, 0) % OWNED == stone
            assert looks.get(point, 0) // OWNED == (owned[-1] if owned else 0)


def test_stones_that_were_set_up_are_there_from_the_start():
    """The first position is complete, with all its stones."""
    game = GAMES["linage"].configure("5")
    later = game.start().after(3).after(7)
    assert changes([later])[0][:4] == [3, 1, 7, 2]


def test_a_pass_has_no_place():
    """A pass has no point in the viewer's data."""
    game = GAMES["linage"].configure("5")
    assert steps(game, [[], []], [PASS], ["a", "b"], {})["moves"] == [None]


@pytest.mark.parametrize("id_", sorted(GAMES))
def test_a_game_has_the_shape_of_its_board(id_):
    """The viewer's script knows from the game which board to draw."""
    game = GAMES[id_].configure(SIZES.get(id_, "5"))
    assert steps(game, [[]], [], ["a"], {})["board"] == {
        "columns": 5,
        "rows": 5,
        "hex": id_ == "gardar",
        "oneColour": game.one_colour,
    }
