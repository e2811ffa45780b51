"""Winning by proof in games that are no sums: `Wins` is to them what `Endgame` is to Linage.

It asks `alphabeta` only who wins, which takes far less than a score. Whether to try is learnt from
the tries before, as the time a proof takes grows with the number of placements: after a success
well within the time more of them are tried, after a failure only fewer.
"""

import threading
import time

from linage_bot.engine.kernels.contract import Kernel
from linage_bot.engine.solver.alphabeta.plain import PlainArena, margin_of
from linage_bot.engine.solver.effort import Effort
from linage_bot.engine.solver.errors import OutOfTime
from linage_bot.engine.solver.sums.endgame import Exact
from linage_bot.engine.solver.sums.sums import sign_of
from linage_bot.rules.game import Move, Player, Position

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
    ) -> Exact | None:
        """A move that wins, or draws if none does; None without a proof, or in a lost game.

        With nodes alone the answer is the same on every machine.
        """
        placements = position.placements().bit_count()
        if placements > self._reach or position.over:
            return None
        arena = self._fresh(position)
        before, started = arena.nodes, time.monotonic()
        effort = Effort.from_now(stopped, seconds, nodes, before)
        try:
            exact = self._prove(position, effort)
        except OutOfTime:
            self._reach = min(self._reach, placements - 1)
            return None
        if nodes is not None:
            share = (arena.nodes - before) / nodes
        else:
            share = (time.monotonic() - started) / seconds if seconds else 1.0
        if share < 1 / _EASY:
            self._reach = max(self._reach, placements + 1)
        return exact

    def _prove(self, position: Position, effort: Effort) -> Exact | None:
        """A move that wins, or else one that draws; raises `OutOfTime`."""
        for least in (1, 0):
            bound = self._bound(position, position.to_move, least, effort)
            if bound >= least:
                move = self._reaching(position, least)
                return None if move is None else Exact((move,), bound / 2, best=False)
            if bound < 0:
                return None
        return None

    def _bound(self, position: Position, player: Player, least: int, effort: Effort) -> int:
        """A margin in half points that a player gets at least, or else does not exceed.

        It is the former if it is `least` or more. Raises `OutOfTime`.
        """
        if position.over:
            return sign_of(player) * margin_of(position)
        assert self._arena is not None
        if player is Player.FIRST:
            return self._arena.at_least(position, least, effort)[1]
        return -self._arena.at_least(position, 1 - least, effort)[1]

    def _reaching(self, position: Position, least: int) -> Move | None:
        """The move that the proof of so large a margin found; it stands in the arena's table."""
        assert self._arena is not None
        for move in position.moves():
            hardly_any = Effort(last_node=self._arena.nodes + 1)
            try:
                after = position.after(move)
                if self._bound(after, position.to_move, least, hardly_any) >= least:
                    return move
            except OutOfTime:
                continue
        return None

    def _fresh(self, position: Position) -> PlainArena:
        """The arena, a new one for another game or when the old one is full."""
        arena = self._arena
        if arena is None or arena.game != position.game or 2 * arena.bytes > _MOST_BYTES:
            self._arena = arena = PlainArena(position.game, self.kernel, _MOST_BYTES)
        return arena
