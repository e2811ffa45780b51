"""Who will own each point: the mean over random ends of the game, judged by the readable rules."""

from collections.abc import Sequence

import attrs
import numpy as np

from linage_bot.engine.kernels.contract import Kernel, new_trail
from linage_bot.engine.kernels.words import generator
from linage_bot.rules.boards import Points, bits
from linage_bot.rules.game import Move, Player, Position


def ownership(
    kernel: Kernel, position: Position, line: Sequence[Move], count: int, seed: int
) -> tuple[float, ...]:
    """How much First owns each point, +1 to -1, after a line of legal moves and random play.

    By point, with zeros where the board has none; the mean over `count` playouts. The same seed
    gives the same numbers.
    """
    board = position.game.board
    sums = np.zeros(board.columns * board.rows, np.int64)
    root, scratch = kernel.encode(position), np.zeros(1, kernel.dtype)
    for move in line:
        kernel.play(root[0], move)
    random, trail = generator(seed), new_trail()
    for _ in range(count):
        kernel.copy(scratch[0], root[0])
        kernel.playout(scratch[0], random, trail)
        first, second = kernel.decode(scratch[0])
        for sign, points in zip((1, -1), _owned(position, first, second), strict=True):
            sums[list(bits(points))] += sign
    return tuple((sums / count).tolist())


def _owned(position: Position, first: Points, second: Points) -> tuple[Points, Points]:
    """What the players own where these are the stones: their areas, and stones of their colour."""
    end = attrs.evolve(position, first=first, second=second)  # type: ignore[misc]  # all are attrs
    owned = [0, 0] if position.game.one_colour else [first, second]
    for area in end.areas():
        if area.owner is not None:
            owned[area.owner] |= area.points
    return owned[Player.FIRST], owned[Player.SECOND]
