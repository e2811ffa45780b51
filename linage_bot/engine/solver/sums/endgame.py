"""Playing exactly: the best move by proof, as soon as a proof can be had in the time of a move.

Whether to try is a forecast, corrected by the tries before: a position is tried where a proof
within the bounds is more likely than not. So a failed try, which costs its share of the move's
time and no more, is rare.
"""

import math
import threading
import time

from linage_bot.engine.solver.effort import Effort
from linage_bot.engine.solver.known import Proven, Span
from linage_bot.engine.solver.methods import method_of
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.method import expected_nodes
from linage_bot.engine.solver.sums.solving import SumSolving
from linage_bot.engine.solver.sums.sums import as_sum, free_sizes, sign_of
from linage_bot.rules.game import PASS, Move, Position
from linage_bot.rules.linage import LinagePosition

_WORTH_A_TRY = 0.5  # so likely must a proof be
_FIRST_RATE = 200_000.0  # nodes a second, before any is measured
_ENOUGH_NODES = 2_000  # of a try that says something about the rate and the forecast
_LESSON = 0.3  # how much of a forecast's error is corrected after a try
_MOST_BYTES = 512 << 20
_ERROR = 0.55  # standard deviation of the logarithm of the nodes, less the forecast


class Endgame:
    """Proves moves for one game after another."""

    def __init__(self) -> None:
        self._arena: Arena | None = None
        self._rate = _FIRST_RATE
        self._correction = 0.0  # of the logarithm of forecasts

    @property
    def nodes(self) -> int:
        """Nodes searched so far."""
        return 0 if self._arena is None else self._arena.nodes

    def best(
        self,
        position: Position,
        stopped: threading.Event,
        seconds: float | None = None,
        nodes: int | None = None,
    ) -> Proven | None:
        """One best move, or at least one that wins; None without a proof in the time and nodes.

        In a lost game perhaps all that are best. With nodes alone the answer is the same on every
        machine.
        """
        here = self._promising(position, seconds, nodes)
        if here is None:
            return None
        arena = self._fresh(here)
        before, started = arena.nodes, time.monotonic()
        solving = SumSolving(arena, here)
        effort = Effort.from_now(stopped, seconds, nodes, before)
        komi = sign_of(here.to_move) * here.game.komi
        move = solving.find_best(effort, enough=math.floor(komi) + 1)
        if not stopped.is_set():
            spent = time.monotonic() - started
            self._learn(here, arena.nodes - before, spent, proven=move is not None)
        if move is None:
            return None
        lead = solving.value.low - komi
        moves: tuple[Move, ...] = (move,)
        if lead < 0 and solving.find_all_best(effort):
            moves = tuple(each for each in solving.best if each != PASS) or moves
        value = Span(lead, lead if solving.value.exact else math.inf)
        return Proven(value, dict.fromkeys(moves, value), points=True)

    def _promising(
        self, position: Position, seconds: float | None, nodes: int | None
    ) -> LinagePosition | None:
        """The position, if a proof is to be expected in the time and nodes."""
        if not method_of(position.game).values_regions:
            return None
        here = as_sum(position)
        most: float = math.inf if nodes is None else nodes
        if seconds is not None:
            most = min(most, self._rate * seconds)
        expected = expected_nodes(free_sizes(here)) * 10**self._correction
        return here if chance(expected, most) >= _WORTH_A_TRY else None

    def _fresh(self, position: LinagePosition) -> Arena:
        """The arena, a new one for another line or when the old one is full."""
        arena = self._arena
        if arena is None or arena.line != position.game.line or 4 * arena.bytes > 3 * _MOST_BYTES:
            self._arena = arena = Arena(position.game.line, _MOST_BYTES)
        return arena

    def _learn(self, position: LinagePosition, nodes: int, seconds: float, *, proven: bool) -> None:
        """Draw the lesson from a try: how fast the search is, and how far off the forecast."""
        if nodes < _ENOUGH_NODES:
            return
        self._rate = nodes / max(seconds, 1e-3)
        error = math.log10(nodes / expected_nodes(free_sizes(position))) - self._correction
        if not proven:
            error = max(error, 0.0) + 1 / 3  # it would have taken more, who knows how much
        self._correction += _LESSON * error


def chance(expected: float, nodes: float) -> float:
    """How likely a proof with this median takes at most so many nodes."""
    if nodes < 1:
        return 0.0
    return 0.5 * (1 + math.erf(math.log10(nodes / expected) / _ERROR / math.sqrt(2)))
