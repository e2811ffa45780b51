"""Playouts from one position, without a tree: in bulk, or one by one with access to each end."""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import attrs
import numpy as np
from numba import types

from linage_bot.engine.jit.pointers import compiled_with
from linage_bot.engine.kernels.contract import Kernel, Moves, Random, State, new_trail
from linage_bot.engine.kernels.words import generator
from linage_bot.rules.boards import Points, bits
from linage_bot.rules.game import Move, Player, Position

_GAMES = 24  # the mean has an error of a few percent; at most 5 ms in the slowest game


def playouts(
    kernel: Kernel, position: Position, line: Sequence[Move], count: int, seed: int
) -> Iterator[tuple[int, State, Any]]:
    """Yield random games after a line of legal moves; the same seed gives the same games.

    Each has its score lead, its last state and its trail; the next game overwrites the state and
    the trail.
    """
    root, scratch = kernel.encode(position), np.zeros(1, kernel.dtype)
    for move in line:
        kernel.play(root[0], move)
    random, trail = generator(seed), new_trail()
    for _ in range(count):
        kernel.copy(scratch[0], root[0])
        yield kernel.playout(scratch[0], random, trail), scratch[0], trail


def random_moves(kernel: Kernel, position: Position) -> float:
    """Return the mean number of moves in games played at random from this position."""
    return sum(int(each[0]) for _, _, each in playouts(kernel, position, (), _GAMES, 1)) / _GAMES


def ownership(
    kernel: Kernel, position: Position, line: Sequence[Move], count: int, seed: int
) -> tuple[float, ...]:
    """Return First's share of each point, +1 to -1, after a line of legal moves and random play.

    Indexed by point, with zeros where the board has none: the mean over `count` playouts, whose
    ends are judged by the Python rules (`Position.owned`).
    """
    board = position.game.board
    on, sums = np.zeros((2, board.columns * board.rows), np.int64)
    for _, state, _ in playouts(kernel, position, line, count, seed):
        kernel.hash_data(state, on)
        first, second = _points_where(on == 1), _points_where(on == 2)
        end = attrs.evolve(position, first=first, second=second)
        owned = end.owned
        sums[list(bits(owned[Player.FIRST]))] += 1
        sums[list(bits(owned[Player.SECOND]))] -= 1
    return tuple((sums / count).tolist())


def _points_where(grid: Any) -> Points:
    """Return the points at which an array of the board's points is true."""
    return int.from_bytes(np.packbits(grid, bitorder="little").tobytes(), "little")


def _repeat(
    root: Any, scratch: Any, random: Any, trail: Any, count: int, copy: Any, playout: Any
) -> int:
    moves = 0
    for _ in range(count):
        copy(scratch[0], root[0])
        playout(scratch[0], random, trail)
        moves += trail[0]
    return moves


@functools.cache
def _compiled(kernel: Kernel) -> Callable[..., int]:
    states = types.Array(kernel.signatures.state, 1, "C")
    own = (states, states, Random, Moves, types.int64)
    return compiled_with((kernel.copy, kernel.playout), _repeat, types.int64, own)


def run_playouts(kernel: Kernel, position: Position, seed: int, count: int) -> int:
    """Play random games from a position at full speed; return their total number of moves."""
    root, scratch = kernel.encode(position), np.zeros(1, kernel.dtype)
    return _compiled(kernel)(root, scratch, generator(seed), new_trail(), count)
