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
from linage_bot.engine.solver.methods import method_of
from linage_bot.engine.solver.positions import PositionArena, PositionSolving
from linage_bot.rules.game import Game, Position

_EASY = 8  # a proof in this fraction of the time promises a longer one
_PART = 0.25  # of the time that is left, for each move that is looked at ahead
_MOST_BYTES = 256 << 20


class Wins:
    """Proves moves in one game after another, all with the same settings."""

    def __init__(self, game: Game, kernel: Kernel) -> None:
        """The kernel is the game's."""
        self.game = game
        self._method = method_of(game)
        self._arena: PositionArena | None = None
        self._reach = self._method.most if self._method.one_for_all else kernel.provable

    def best(
        self,
        position: Position,
        stopped: threading.Event,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> Proven | None:
        """A move that wins, or draws if none does; None without a proof, or in a lost game.

        In games of nimbers without a proof: what is proven `ahead`. With nodes alone the answer is
        the same on every machine.
        """
        if position.over:
            return None
        size = self._method.size(position)
        solving = PositionSolving(self._fresh(), position)
        effort = Effort.from_now(stopped, seconds, nodes, solving.arena.nodes)
        if size > self._reach:
            return self._look_ahead(solving, effort)
        started = time.monotonic()
        try:
            move = solving.find_win(effort)
        except OutOfTime:
            if not stopped.is_set():
                self._reach = min(self._reach, size - 1)
            return self._look_ahead(solving, effort)
        shares = [solving.nodes / nodes] if nodes else []
        if seconds:
            shares.append((time.monotonic() - started) / seconds)
        if max(shares, default=1.0) < 1 / _EASY:
            self._reach = max(self._reach, size + 1)
        if move is None:
            return None
        low, high = solving.value.low, solving.value.high
        value = Span(low / solving.per_point, high / solving.per_point)
        return Proven(value, {move: value}, position.game.counts_points)

    def ahead(
        self,
        position: Position,
        stopped: threading.Event,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> Proven | None:
        """A move that wins, or what is known of some that lose, one ply ahead in games of nimbers.

        These moves split the largest region and leave what is perhaps within reach, where the
        position itself is not; None if there are none.
        """
        arena = self._fresh()
        effort = Effort.from_now(stopped, seconds, nodes, arena.nodes)
        return self._look_ahead(PositionSolving(arena, position), effort)

    def _fresh(self) -> PositionArena:
        """The arena, a new one when the old one is full."""
        if self._arena is None or 2 * self._arena.bytes > _MOST_BYTES:
            arena = self._method.new_arena(self.game, _MOST_BYTES, 1)
            assert isinstance(arena, PositionArena)
            self._arena = arena
        return self._arena

    def _look_ahead(self, solving: PositionSolving, effort: Effort) -> Proven | None:
        position = solving.position
        moves = self._method.key_moves(position)
        if not moves:
            return None
        solving.find_win_among(moves, effort, _PART)
        return solving.proven(position)
