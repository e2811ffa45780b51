"""Playouts in bulk from one position, without a tree: for measuring speed and distributions."""

import functools
from collections.abc import Callable
from typing import Any

import attrs
import numpy as np
from numba import types

from linage_bot.engine.jit.pointers import compiled_with
from linage_bot.engine.kernels.contract import Kernel, Moves, Random, new_trail
from linage_bot.engine.kernels.words import generator
from linage_bot.rules.game import Position


@attrs.frozen
class Outcomes:
    """What so many playouts came to."""

    count: int
    first_wins: int
    draws: int
    mean_margin: float  # First's points minus Second's
    mean_moves: float


def _repeat(
    root: Any, scratch: Any, random: Any, trail: Any, count: int, sums: Any, copy: Any, playout: Any
) -> None:
    for _ in range(count):
        copy(scratch[0], root[0])
        margin = playout(scratch[0], random, trail)
        sums[0] += margin > 0
        sums[1] += margin == 0
        sums[2] += margin
        sums[3] += trail[0]


@functools.cache
def _compiled(kernel: Kernel) -> Callable[..., None]:
    of = kernel.signatures
    states = types.Array(of.state, 1, "C")
    sums = types.Array(types.int64, 1, "C")
    given = [(kernel.copy, of.copy), (kernel.playout, of.playout)]
    own = (states, states, Random, Moves, types.int64, sums)
    return compiled_with(given, _repeat, types.void, own)


def run_playouts(kernel: Kernel, position: Position, seed: int, count: int) -> Outcomes:
    """Play `count` random games from a position; the same seed gives the same games."""
    sums = np.zeros(4, np.int64)
    scratch = np.zeros(1, kernel.dtype)
    root, random = kernel.encode(position), generator(seed)
    trail = new_trail()
    _compiled(kernel)(root, scratch, random, trail, count, sums)
    wins, draws, margin, moves = map(int, sums)
    return Outcomes(count, wins, draws, margin / 2 / count, moves / count)
