"""Playing exactly: the best move by proof, as soon as a proof can be had in the time of a move.

Whether to try is learnt from the tries before: the time a proof takes grows with the largest
region, so after a success well within the time a larger one is tried, after a failure only
smaller ones. A failed try costs no more than its share of the move's time.
"""

from __future__ import annotations

import math
import threading
import time

import attrs

from linage_bot.game import PASS, Move, Position
from linage_bot.games.linage import LinagePosition
from linage_bot.solver.arena import Allowance, Arena
from linage_bot.solver.errors import NotSolvable
from linage_bot.solver.solving import Solving
from linage_bot.solver.sums import check_solvable, largest_region, sign_of

_FIRST_REACH = 22  # points of the largest region, before anything is learnt
_ALWAYS = 12  # so small a region is no question of time
_EASY = 8  # a proof in this fraction of the time promises a larger one
_MOST_BYTES = 512 << 20


@attrs.frozen
class Exact:
    """Proven moves, and what the player to move gets: own points less the opponent's, with komi.

    `best`: whether no move gets more. Otherwise the one move wins, by at least the lead. In a lost
    game there may be several moves, all of them best, to choose among.
    """

    moves: tuple[Move, ...]
    lead: float
    best: bool

    @property
    def lost(self) -> bool:
        """Whether the game is lost against best play."""
        return self.lead < 0


class Endgame:
    """Proves moves for one game after another."""

    def __init__(self, reach: int = _FIRST_REACH) -> None:
        """`reach`: how many points the largest region to try at first has."""
        self._arena: Arena | None = None
        self._reach = reach

    def best(
        self,
        position: Position,
        stopped: threading.Event,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> Exact | None:
        """Best moves, or at least one that wins; None without a proof in the time and nodes.

        With nodes alone the answer is the same on every machine.
        """
        try:
            here = check_solvable(position)
        except NotSolvable:
            return None
        largest = largest_region(here)
        if largest > max(self._reach, _ALWAYS):
            return None
        arena = self._fresh(here)
        before, started = arena.nodes, time.monotonic()
        allowance = Allowance(
            stopped,
            None if seconds is None else started + seconds,
            last_node=None if nodes is None else before + nodes,
        )
        solving = Solving(arena, here)
        komi = sign_of(here.to_move) * here.game.komi
        move = solving.find_best(allowance, enough=math.floor(komi) + 1)
        if nodes is not None:
            share = (arena.nodes - before) / nodes
        else:
            share = (time.monotonic() - started) / seconds if seconds else 1.0
        self._learn(largest, share, proven=move is not None)
        if move is None:
            return None
        lead = solving.value.low - komi
        moves: tuple[Move, ...] = (move,)
        if lead < 0 and solving.tell_best(allowance):
            moves = tuple(each for each in solving.best if each != PASS) or moves
        return Exact(moves, lead, solving.value.exact)

    def _fresh(self, position: LinagePosition) -> Arena:
        """The arena, a new one for another line or when the old one is full."""
        arena = self._arena
        if arena is None or arena.line != position.game.line or 4 * arena.bytes > 3 * _MOST_BYTES:
            self._arena = arena = Arena(position.game.line, _MOST_BYTES)
        return arena

    def _learn(self, largest: int, share: float, *, proven: bool) -> None:
        """Draw the lesson from a try that took this share of what it was given."""
        if not proven:
            self._reach = min(self._reach, largest - 1)
        elif share < 1 / _EASY:
            self._reach = max(self._reach, largest + 1)
