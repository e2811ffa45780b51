"""The points that are found to be legal for a whole board at once."""

import random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from linage_bot.engine.kernels import linage as kernel
from linage_bot.engine.kernels import two_color_linage
from linage_bot.engine.kernels.square.safe_points import (
    add_to_layer,
    find_legal,
    find_safe,
    in_layer,
)
from linage_bot.engine.kernels.square.windows import padded_cell
from linage_bot.rules.boards import bits
from linage_bot.rules.game import Game
from linage_bot.rules.linage import Linage
from linage_bot.rules.two_color_linage import TwoColorLinage


@pytest.mark.parametrize("line", ["2", "3", "4", "5"])
@pytest.mark.parametrize(
    ("rules", "kernel", "find"),
    [(Linage, kernel, find_legal), (TwoColorLinage, two_color_linage, find_safe)],
)
def test_safe_points_are_legal_and_most_legal_points_are_safe(
    rules: type[Game], kernel: ModuleType, find: Any, line: str
) -> None:
    """In random games no illegal point is safe, and few legal points have to be examined."""
    chance = random.Random(int(line))
    safe = legal = 0
    for size in ("9x7", "5x11", "25x6"):
        position = rules.configure(size, None, {"line": line}).start()
        columns = position.game.board.columns
        while placements := list(bits(position.placements())):
            state = kernel.encode(position)[0]
            board, safe_points = state["board"], state["safe"]
            find(board["open"], board["flood"]["rows"], board["flood"]["line"], safe_points)
            found = [
                point
                for point in range(columns * position.game.board.rows)
                if in_layer(safe_points["legal"], padded_cell(point % columns, point // columns))
            ]
            assert set(found) <= set(placements), position
            safe, legal = safe + len(found), legal + len(placements)
            position = position.after(chance.choice(placements))
    assert safe > 0.7 * legal


def test_a_layer_holds_the_cells_that_were_added() -> None:
    """Only an added cell is in a layer."""
    layer = np.zeros(1, kernel.STATE)[0]["safe"]["legal"]
    add_to_layer(layer, padded_cell(4, 2))
    held = [(x, y) for x in range(9) for y in range(9) if in_layer(layer, padded_cell(x, y))]
    assert held == [(4, 2)]
