"""Hashes of Parity Linage's positions by the shapes of their regions."""

import random

import attrs
import numpy as np
import pytest

from linage_bot.engine import kernels
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS
from linage_bot.rules.parity_linage import ParityLinagePosition

GAME = GAMES["linage-parity"].configure("5")
KERNEL = kernels.load(GAME)


def look(position: ParityLinagePosition) -> int:
    points = np.zeros(GAME.board.count, np.int64)
    return int(KERNEL.hash_data(KERNEL.encode(position)[0], points))


def position_of(*rows: str) -> ParityLinagePosition:
    """Return the position with these rows from the top; `x` is a stone."""
    stones = sum(
        1 << 5 * y + x
        for y, row in enumerate(reversed(rows))
        for x, content in enumerate(row)
        if content == "x"
    )
    return attrs.evolve(GAME.start(), first=stones)


def test_every_image_of_the_board_looks_the_same() -> None:
    """Turned and mirrored positions have the same hash."""
    chance = random.Random(1)
    for _ in range(30):
        position = GAME.start()
        for _ in range(chance.randrange(20)):
            stones = [move for move in position.moves() if move != PASS]
            if stones:
                position = position.play(chance.choice(stones))
        seen = set()
        for symmetry in GAME.board.symmetries():
            image = 0
            for point in range(25):
                image |= (position.stones >> point & 1) << symmetry.image[point]
            seen.add(look(attrs.evolve(position, first=image, second=0)))
        assert len(seen) == 1


@pytest.mark.parametrize(
    ("one", "alike", "other"),
    [
        pytest.param(
            ("...xx", "xxxxx", "..xxx", ".xxxx", "xxxxx"),
            ("xxxxx", "x..xx", "xx.xx", "xxxxx", "xx..."),
            ("...xx", "xxxxx", "...xx", "xxxxx", "xxxxx"),
            id="shapes matter, wherever they lie",
        ),
        pytest.param(
            ("...xx", "xxxxx", "xxxxx", "xxxxx", "xxxxx"),
            ("...xx", "xxxxx", "x.xxx", "xxxxx", "xxxx."),
            ("...xx", "xxxxx", "xxxxx", "xxxxx", "xxxx."),
            id="two points by themselves are as good as none, one is not",
        ),
    ],
)
def test_what_looks_the_same(
    one: tuple[str, ...], alike: tuple[str, ...], other: tuple[str, ...]
) -> None:
    """Positions have the same hash if the same regions remain, and another one otherwise."""
    assert look(position_of(*one)) == look(position_of(*alike))
    assert look(position_of(*one)) != look(position_of(*other))
