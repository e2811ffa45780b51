"""Winning by proof in games that are no sums: `Wins` is to them what `Endgame` is to Linage.

It asks `alphabeta` only who wins, which takes far less than a score. Whether to try is learnt from
the tries before, as the time a proof takes grows with the number of placements: after a success
well within the time more of them are tried, after a failure only fewer.
"""

import threading
import time

from linage_bot.engine.kernels.contract import Kernel
from linage_bot.engine.solver.alphabeta.plain import PlainArena, PlainSolving
from linage_bot.engine.solver.effort import Effort
from linage_bot.engine.solver.errors import OutOfTime
from linage_bot.engine.solver.known import Proven, Span
from linage_bot.rules.game import Position

_EASY = 8  # a proof in this fraction of the time promises a longer one
_MOST_BYTES = 256 << 20


class Wins:
    """Proves moves in one game after another of the kind that the kernel is for."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self._arena: PlainArena | None = None
        self._reach = kernel.provable

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
        placements = position.placements().bit_count()
        if placements > self._reach or position.over:
            return None
        arena = self._fresh(position)
        before, started = arena.nodes, time.monotonic()
        solving = PlainSolving(arena, position)
        try:
            move = solving.find_win(Effort.from_now(stopped, seconds, nodes, before))
        except OutOfTime:
            if not stopped.is_set():
                self._reach = min(self._reach, placements - 1)
            return None
        if nodes is not None:
            share = (arena.nodes - before) / nodes
        else:
            share = (time.monotonic() - started) / seconds if seconds else 1.0
        if share < 1 / _EASY:
            self._reach = max(self._reach, placements + 1)
        if move is None:
            return None
        low, high = solving.value.low, solving.value.high
        value = Span(low / solving.per_point, high / solving.per_point)
        return Proven(value, {move: value}, position.game.counts_points)

    def _fresh(self, position: Position) -> PlainArena:
        """The arena, a new one for another game or when the old one is full."""
        arena = self._arena
        if arena is None or arena.game != position.game or 2 * arena.bytes > _MOST_BYTES:
            self._arena = arena = PlainArena(position.game, self.kernel, _MOST_BYTES)
        return arena
