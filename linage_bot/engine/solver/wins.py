"""Winning by proof in games other than Linage: `Wins` is to them what `Endgame` is to it.

It asks only who wins, which takes far less than a score. Whether to try is learnt from the tries
before, as the time a proof takes grows with the size of a position: after a success well within the
time larger ones are tried, after a failure only smaller ones.
"""

import threading
import time

from linage_bot.engine.kernels.contract import Kernel
from linage_bot.engine.solver.effort import Effort
from linage_bot.engine.solver.errors import OutOfTime
from linage_bot.engine.solver.known import Proven, Span
from linage_bot.engine.solver.methods import position_arena
from linage_bot.engine.solver.nimbers.nimbers import WITHIN_REACH, makes_nimbers
from linage_bot.engine.solver.positions import PositionArena, PositionSolving
from linage_bot.engine.solver.size import size_of
from linage_bot.rules.game import Game, Position

_EASY = 8  # a proof in this fraction of the time promises a longer one
_MOST_BYTES = 256 << 20


class Wins:
    """Proves moves in one game after another, all with the same settings."""

    def __init__(self, game: Game, kernel: Kernel) -> None:
        """The kernel is the game's."""
        self.game = game
        self._arena: PositionArena | None = None
        self._reach = WITHIN_REACH if makes_nimbers(game) else kernel.provable

    def best(
        self,
        position: Position,
        stopped: threading.Event,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> Proven | None:
        """A move that wins, or draws if none does; None without a proof, or in a lost game.

        With nodes alone the answer is the same on every machine.
        """
        size = size_of(position)
        if size > self._reach or position.over:
            return None
        arena = self._fresh()
        before, started = arena.nodes, time.monotonic()
        solving = PositionSolving(arena, position)
        try:
            move = solving.find_win(Effort.from_now(stopped, seconds, nodes, before))
        except OutOfTime:
            if not stopped.is_set():
                self._reach = min(self._reach, size - 1)
            return None
        if nodes is not None:
            share = (arena.nodes - before) / nodes
        else:
            share = (time.monotonic() - started) / seconds if seconds else 1.0
        if share < 1 / _EASY:
            self._reach = max(self._reach, size + 1)
        if move is None:
            return None
        low, high = solving.value.low, solving.value.high
        value = Span(low / solving.per_point, high / solving.per_point)
        return Proven(value, {move: value}, position.game.counts_points)

    def _fresh(self) -> PositionArena:
        """The arena, a new one when the old one is full."""
        if self._arena is None or 2 * self._arena.bytes > _MOST_BYTES:
            self._arena = position_arena(self.game, _MOST_BYTES)
        return self._arena
