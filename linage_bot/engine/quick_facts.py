"""Facts about a position from the compiled game, without a search: move priors, fingerprints."""

from __future__ import annotations

import hashlib
import math
import threading
from typing import TYPE_CHECKING

import attrs

from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.rules.boards import Board, HexBoard, Symmetry
from linage_bot.rules.game import Move, Position

if TYPE_CHECKING:
    from linage_bot.engine.kernels.contract import Kernel

_DIGITS = 32  # of a fingerprint


def policy(position: Position, stopped: threading.Event | None = None) -> dict[Move, float] | None:
    """Return each legal move's prior probability of being the best; they add up to 1.

    A move is e times as likely as one whose prior is a point less, if the game's kernel has
    priors; otherwise all are equally likely. None if `stopped` is set before the compiled code is
    ready.
    """
    kernel = wait_for_kernel(position.game, stopped or threading.Event())
    moves = position.moves()
    if kernel is None:
        return None
    gains = _gains(kernel, position, moves) if moves and kernel.priors else [0.0] * len(moves)
    best = max(gains, default=0.0)
    weights = [math.exp(gain - best) for gain in gains]
    total = sum(weights)
    return {move: weight / total for move, weight in zip(moves, weights, strict=True)}


def _gains(kernel: Kernel, position: Position, moves: tuple[Move, ...]) -> list[float]:
    """Return each move's prior for the player to move, in points."""
    import numpy as np

    from linage_bot.engine.kernels.contract import MOST_MOVES

    assert kernel.priors is not None
    state = kernel.encode(position)
    listed, gains = np.empty(MOST_MOVES, np.int64), np.zeros(MOST_MOVES)
    kernel.legal(state[0], listed)
    listed[: len(moves)] = moves
    kernel.priors(state[0], listed, len(moves), gains)
    sign = position.to_move.sign
    return [sign * gain for gain in gains[: len(moves)].tolist()]


def fingerprints(
    position: Position, stopped: threading.Event | None = None
) -> tuple[str, str] | None:
    """Return two hexadecimal hashes of a position: its own, and one shared by symmetric positions.

    The first depends on the stones, the player to move, and the parts of the past that are single
    numbers, such as the passes in succession, but not on the boards that must not recur. The second
    is the same for positions that are images of each other under the game's symmetries. None if
    `stopped` is set before the compiled code is ready.
    """
    kernel = wait_for_kernel(position.game, stopped or threading.Event())
    if kernel is None:
        return None
    words = [_digest(position, symmetry) for symmetry in _symmetries(kernel, position.game.board)]
    return words[0], min(words)


def _symmetries(kernel: Kernel, board: Board) -> tuple[Symmetry, ...]:
    """Return the game's symmetries, the identity first."""
    if isinstance(board, HexBoard):  # the kernel claims none, because of the boards it remembers
        return board.symmetries()
    return kernel.symmetries(board)


def _digest(position: Position, symmetry: Symmetry) -> str:
    game, stones = position.game, (position.first, position.second)
    if game.one_colour:
        stones = (position.stones, 0)
    past = [
        (field.name, value)
        for field in attrs.fields(type(position))
        if field.eq and field.name not in ("game", "first", "second")
        for value in [getattr(position, field.name)]
        if value is None or isinstance(value, int)
    ]
    facts = (game.id, game.board.size, game.settings(), past, [symmetry(each) for each in stones])
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:_DIGITS].upper()
