"""Exact values of a position: the score under best play, every best move, every move's score.

All values are from the view of the player to move: own points minus the opponent's. A search
answers yes-or-no questions: is the value at least a given number? When time runs out, the answers
so far give the bounds that are reported.
"""

import abc
import contextlib
import functools
from collections.abc import Callable, Iterable

import attrs

from linage_bot.engine.solver.budgets import SearchArena, SearchBudget
from linage_bot.engine.solver.errors import OutOfTime, UnboundedPlay
from linage_bot.engine.solver.proven_values import Interval, ProvenValues
from linage_bot.rules.game import Move, Position

_MOST_TOO_HARD = 2  # moves without an answer; the rest are harder and not tried then


@attrs.define
class ValueBounds:
    """The proven bounds of a value: at least `low`, at most `high`."""

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.low == self.high

    def narrow(self, target: int, reached: bool) -> None:
        """Record that the value is, or is not, at least the target."""
        if reached:
            self.low = max(self.low, target)
        else:
            self.high = min(self.high, target - 1)
        # Crossed bounds would never become equal; an error is better than an endless search.
        assert self.low <= self.high, f"bounds {self.low} to {self.high} have crossed"

    def narrow_to_value(self, at_least: Callable[[int], bool], guess: int | None = None) -> None:
        """Call `at_least` until the value is known; if it raises, proven bounds remain.

        Without a guess, each target halves the interval. With a guess, targets start there and move
        one up after a success and two down after a failure: a search quickly finds how to reach a
        target that can be reached, but takes long to refute one that cannot.
        """
        while not self.exact:
            target = (self.low + self.high + 1) // 2
            if guess is not None:
                target = min(max(guess, self.low + 1), self.high)
            reached = at_least(target)
            self.narrow(target, reached)
            if guess is not None:
                guess = target + 1 if reached else target - 2


class Solving(abc.ABC):
    """A position that is being solved; call `run`, read the results, `run` again to continue."""

    per_point = 1  # number of units of the values in a point

    def __init__(self, arena: SearchArena, position: Position) -> None:
        self.position = position
        self.arena = arena
        self.value = ValueBounds(0, 0)
        self.moves: dict[Move, ValueBounds] = {}
        self._nodes_before = arena.nodes

    @abc.abstractmethod
    def _reaches(self, effort: SearchBudget, move: Move | None, target: int) -> bool:
        """Return whether a move, or the position if None, is worth at least the target."""

    @property
    def nodes(self) -> int:
        """The number of nodes searched since this object was created."""
        return self.arena.nodes - self._nodes_before

    def draw_value(self, position: Position) -> float:
        """Return the value, without komi, at which the position is a draw once komi counts."""
        return position.to_move.sign * position.game.komi * self.per_point

    def proven(self, position: Position) -> ProvenValues:
        """Return the bounds proven so far, for the user's position with its komi."""
        komi = self.draw_value(position) / self.per_point

        def span(bounds: ValueBounds) -> Interval:
            return Interval(bounds.low / self.per_point - komi, bounds.high / self.per_point - komi)

        moves = {move: span(bounds) for move, bounds in self.moves.items()}
        return ProvenValues(span(self.value), moves, position.game.counts_points)

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves proven to be best, in the order of moves; all best moves if `exact`."""
        return self.proven(self.position).best

    @property
    def exact(self) -> bool:
        """Whether the score is proven, and for every move whether it is best."""
        return self.proven(self.position).exact

    def run(self, effort: SearchBudget) -> None:
        """Prove what time allows: the score, then the best moves, then the others' scores."""
        if not self.find_all_best(effort):
            return
        with contextlib.suppress(OutOfTime):
            for move, bounds in self.moves.items():
                with contextlib.suppress(UnboundedPlay):  # the other moves may be solvable
                    bounds.narrow_to_value(functools.partial(self._reaches, effort, move))

    def find_score(self, effort: SearchBudget) -> bool:
        """Prove the score alone. Return False if time ran out."""
        with contextlib.suppress(OutOfTime):
            self.value.narrow_to_value(
                functools.partial(self._reaches, effort, None), self._guess()
            )
        return self.value.exact

    def find_best(self, effort: SearchBudget, enough: int) -> Move | None:
        """Prove the score and return a best move, a placement if one is among the best.

        If time runs out first, return a move that is proven to be worth `enough`, or None if there
        is none.
        """
        ask = functools.partial(self._reaches, effort, None)
        try:
            if self.value.low < enough <= self.value.high:  # the most important question
                self.value.narrow(enough, ask(enough))
            self.value.narrow_to_value(ask, self._guess())
        except OutOfTime:
            if self.value.low < enough:
                return None
        for bounds in self.moves.values():
            bounds.high = min(bounds.high, self.value.high)
        # The proof of the score has found a best placement, so one node a move finds it again.
        for nodes in (1, None):
            for move, bounds in self.moves.items():
                last = effort.last_node if nodes is None else self.arena.nodes + nodes
                with contextlib.suppress(OutOfTime):
                    if self._reaches(attrs.evolve(effort, last_node=last), move, self.value.low):
                        bounds.narrow(self.value.low, reached=True)
                        return move
        return None

    def find_win_among(
        self, moves: Iterable[Move], effort: SearchBudget, part: float
    ) -> Move | None:
        """Return the first of these moves that is proven to win; each gets a part of the effort.

        The part refers to the time and nodes left. Return None if no move wins, or if two moves
        were too hard before one was found; the bounds show which moves lose. For games without
        komi, in which a win is worth 1.
        """
        too_hard = 0
        for move in moves:
            try:
                wins = self._reaches(effort.share(part, self.arena.nodes), move, 1)
            except OutOfTime:
                too_hard += 1
                if too_hard == _MOST_TOO_HARD:
                    return None
            else:
                if wins:
                    self.value.narrow(1, reached=True)
                    return move
        return None

    def _guess(self) -> int | None:
        """Return the score to test first, or None if nothing suggests one."""
        return None

    @abc.abstractmethod
    def find_all_best(self, effort: SearchBudget) -> bool:
        """Prove the score, and for every move whether it is best. Return False if time ran out.

        If no amount of time is enough for a move, its bounds remain apart.
        """
