"""Proofs of positions within limits on time and nodes."""

from __future__ import annotations

import enum
import math
import threading
import time
from typing import TYPE_CHECKING

from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.forecast import Forecast
from linage_bot.engine.solver.methods import method_of
from linage_bot.engine.solver.proven_values import ProvenValues, ended, known
from linage_bot.rules.game import Game, Move, Position

if TYPE_CHECKING:
    from linage_bot.engine.solver.budgets import SearchArena, SearchBudget
    from linage_bot.engine.solver.solving import Solving

_MOST_BYTES = 256 << 20
_KEY_MOVE_PART = 0.25  # of the time left, for each key move that is tried when a move is wanted


class Goal(enum.Enum):
    """The goal of a proof, from the least that has to be proven to the most."""

    MOVE = "one move that is best, or at least wins; in a lost game, all that lose the least"
    VALUE = "the value of the position, and one best move"
    ALL = "the value of each move"

    def reached(self, position: Position, proven: ProvenValues | None) -> bool:
        """Return whether the proven values reach the goal."""
        if proven is None:
            return False
        if self is Goal.MOVE:
            return bool(proven.best)
        if self is Goal.VALUE:
            return proven.value.exact and (position.over or bool(proven.best))
        return proven.value.exact and all(proven.of(move).exact for move in position.moves())


class Solver:
    """The results and forecasts that proofs of consecutive positions share.

    Only one proof may run at a time.
    """

    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._game: Game | None = None
        self._arena: SearchArena | None = None
        self._forecast: Forecast | None = None

    def forecast(self, game: Game) -> Forecast:
        """Return the forecast for proofs of the game."""
        if self._forecast is None or self._game != game:
            self._game, self._arena, self._forecast = game, None, Forecast(method_of(game))
        return self._forecast

    def arena(self, game: Game) -> SearchArena:
        """Return the arena that holds the results for a game.

        An arena is replaced by an empty one if the game changes, or if it takes more than half of
        the memory limit.
        """
        self.forecast(game)
        if self._arena is None or 2 * self._arena.bytes > self._most_bytes:
            self._arena = method_of(game).new_arena(game, self._most_bytes, 1)
        return self._arena


class Proof:
    """A proof of one position; `run` improves the bounds in `proven` until it is `finished`.

    The table of solved boards is read on creation. Everything else needs compiled code, which must
    be loaded before `run` (`loading.wait_for_solver`).
    """

    def __init__(
        self,
        position: Position,
        seconds: float | None = None,
        nodes: int | None = None,
        *,
        goal: Goal = Goal.ALL,
        solver: Solver | None = None,
        hope: float = 1.0,
    ) -> None:
        """Begin a proof that may take this many seconds and nodes in all; None: no such limit.

        If the proof is forecast to take more than `hope` times these limits, it is finished at
        once, unless the position has key moves: then these are tried, as they may bring it within
        reach.
        """
        self.position = position
        self.solver = solver or Solver()
        self.proven: ProvenValues | None = ended(position) if position.over else known(position)
        self._goal = goal
        self._given = _or_infinity(seconds), _or_infinity(nodes)
        self._seconds, self._nodes = seconds, nodes
        self._solving: Solving | None = None
        self._method = method_of(position.game)
        self._key_moves: list[Move] = []
        nothing = 0 in (seconds, nodes)
        self.finished = nothing or goal.reached(position, self.proven) or not self._solvable()
        if not (
            self.finished
            or self._forecast.within_reach(position, seconds, nodes, moves=self._moves, hope=hope)
        ):
            self._key_moves = self._method.key_moves(position)
            self.finished = not self._key_moves

    def _solvable(self) -> bool:
        try:
            self._method.check(self.position)
        except NotSolvable:
            return False
        return True

    @property
    def partial(self) -> bool:
        """Whether the position is out of reach, so that only its key moves are tried."""
        return bool(self._key_moves)

    @property
    def searched(self) -> bool:
        """Whether a search has begun, beyond the lookup in the table of solved boards."""
        return self._solving is not None

    def takes(self, seconds: float | None, nodes: int | None = None) -> bool:
        """Return whether the proof is likely to take at most this many seconds and nodes."""
        return self._forecast.within_reach(self.position, seconds, nodes, moves=self._moves)

    @property
    def reached(self) -> bool:
        """Whether the goal is reached."""
        return self._goal.reached(self.position, self.proven)

    def exceeded_by(self, seconds: float | None, nodes: int | None) -> bool:
        """Return whether these limits exceed the proof's own, so that they may prove more."""
        given_seconds, given_nodes = self._given
        more = _or_infinity(seconds) > given_seconds or _or_infinity(nodes) > given_nodes
        return more and not self.reached

    @property
    def near(self) -> bool:
        """Whether a proof may come within reach in a few moves, so that its code may be loaded."""
        return self._forecast.near(self.position, self._seconds, self._nodes)

    @property
    def _forecast(self) -> Forecast:
        return self.solver.forecast(self.position.game)

    @property
    def _moves(self) -> float:
        """The usual effort for the goal, in multiples of the nodes for a single move."""
        return 3.0 if self._goal is Goal.ALL else 1.0

    def run(self, stopped: threading.Event, seconds: float | None = None) -> None:
        """Continue for this many seconds, or for all the time left, until `stopped` is set."""
        from linage_bot.engine.solver.budgets import SearchBudget  # imports NumPy

        started, whole = time.monotonic(), not self.partial
        if self._solving is None:
            self._solving = self._begin()
        arena = self._solving.arena
        before = arena.nodes
        slice_ = min(_or_infinity(seconds), _or_infinity(self._seconds))
        limit = None if math.isinf(slice_) else slice_
        reached = self._advance(SearchBudget.from_now(stopped, limit, self._nodes, before))
        self.proven = self._solving.proven(self.position).together(self.proven)
        spent, nodes = time.monotonic() - started, arena.nodes - before
        if self._goal is Goal.MOVE and whole and not stopped.is_set():
            self._forecast.learn(self.position, nodes, spent, proven=reached)
        if self._seconds is not None:
            self._seconds = max(0.0, self._seconds - spent)
        if self._nodes is not None:
            self._nodes = max(0, self._nodes - nodes)
        # A run that ends early is the last one: everything is known, or memory is used up.
        ended = reached or (spent < slice_ and not stopped.is_set())
        self.finished = ended or self._seconds == 0.0 or self._nodes == 0

    def _begin(self) -> Solving:
        """Begin the search. A value that the table knows need not be searched."""
        from linage_bot.engine.solver.solving import ValueBounds  # imports NumPy

        game = self.position.game
        solving = self._method.solving(self.solver.arena(game), self.position)
        lead = None if self.proven is None else self.proven.lead
        if lead is not None:
            value = round(lead * solving.per_point + solving.draw_value(self.position))
            solving.value = ValueBounds(value, value)
        return solving

    def _advance(self, effort: SearchBudget) -> bool:
        """Prove more and return whether the goal is reached.

        The result is always False for key moves and for `Goal.ALL`.
        """
        solving = self._solving
        assert solving is not None
        if self.partial:
            part = _KEY_MOVE_PART if self._goal is Goal.MOVE else 1.0
            solving.find_win_among(self._key_moves, effort, part)
            return False
        if self._goal is Goal.MOVE:
            return self._find_move(solving, effort)
        if self._goal is Goal.VALUE:
            least_win = math.floor(solving.draw_value(self.position)) + 1
            return solving.find_best(effort, least_win) is not None
        solving.run(effort)
        return False

    def _find_move(self, solving: Solving, effort: SearchBudget) -> bool:
        """Prove a good move; in a lost game, prove all moves that lose the least.

        If there are key moves, the search gets half of the time, and if it fails, they get the
        rest.
        """
        even, key_moves = solving.draw_value(self.position), self._method.key_moves(self.position)
        first = effort.share(0.5, solving.arena.nodes) if key_moves else effort
        move = solving.find_best(first, math.floor(even) + 1)
        if move is None:
            self._key_moves = key_moves
            solving.find_win_among(key_moves, effort, _KEY_MOVE_PART)
        elif solving.value.high < even:
            solving.find_all_best(effort)
        return move is not None


def _or_infinity(bound: float | None) -> float:
    return math.inf if bound is None else bound
