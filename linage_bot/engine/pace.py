"""How long a game will still last."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.rules.game import Position

if TYPE_CHECKING:
    from linage_bot.engine.kernels.contract import Kernel

_GAMES = 24  # the mean is good to a few percent; 5 ms at most in the slowest game
_GUESS = 0.6  # moves per empty point


def moves_to_come(position: Position) -> float:
    """How many moves, of both players together, are likely to come; does not wait for anything.

    The mean of games played at random, or a guess as long as there is no compiled code for them.
    """
    kernel = wait_for_kernel(position.game, threading.Event(), 0.0)
    if kernel is None:
        return _GUESS * position.empty.bit_count()
    return random_moves(kernel, position)


def random_moves(kernel: Kernel, position: Position) -> float:
    """The mean number of moves in games played at random from here."""
    import numpy as np

    from linage_bot.engine.kernels.contract import new_trail
    from linage_bot.engine.kernels.words import generator

    root, scratch = kernel.encode(position), np.zeros(1, kernel.dtype)
    random, trail = generator(1), new_trail()
    moves = 0
    for _ in range(_GAMES):
        kernel.copy(scratch[0], root[0])
        kernel.playout(scratch[0], random, trail)
        moves += int(trail[0])
    return moves / _GAMES
