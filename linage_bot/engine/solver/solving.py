"""Exact values of a position: the score under best play, every best move, every move's score.

Everything here is seen by the player to move: their points less the opponent's. A search answers
yes or no to "at least so much?"; what it said so far are the bounds that are told when time runs
out.
"""

import abc
import contextlib
import functools
from collections.abc import Callable, Iterable

import attrs

from linage_bot.engine.solver.effort import Effort, SearchArena
from linage_bot.engine.solver.errors import Endless, OutOfTime
from linage_bot.engine.solver.known import Proven, Span
from linage_bot.rules.game import Move, Position

_MOST_TOO_HARD = 2  # of several moves, the easiest first


@attrs.define
class ValueBounds:
    """What is proven of a value: at least `low`, at most `high`."""

    low: int
    high: int

    @property
    def exact(self) -> bool:
        """Whether the value is known."""
        return self.low == self.high

    def narrow(self, target: int, reached: bool) -> None:
        """Note that the value is, or is not, at least the target."""
        if reached:
            self.low = max(self.low, target)
        else:
            self.high = min(self.high, target - 1)
        # Bounds that crossed would never meet: better an error than a search without end.
        assert self.low <= self.high, f"bounds {self.low} to {self.high} have crossed"

    def close_in(self, at_least: Callable[[int], bool], guess: int | None = None) -> None:
        """Ask until the value is known; what was proven stays when `at_least` raises.

        From a guess on, if there is one, by steps of one up and two down: a search soon finds how
        to reach a target that can be reached, and long refutes one that cannot. Else by halving.
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
    """One position being solved: `run`, then read what is proven; `run` again to go on."""

    per_point = 1  # in what parts of a point values are

    def __init__(self, arena: SearchArena, position: Position) -> None:
        self.position = position
        self.arena = arena
        self.value = ValueBounds(0, 0)
        self.moves: dict[Move, ValueBounds] = {}
        self._nodes_before = arena.nodes

    @abc.abstractmethod
    def _reaches(self, effort: Effort, move: Move | None, target: int) -> bool:
        """Whether a move, or None for the position, is worth at least the target."""

    @property
    def nodes(self) -> int:
        """Nodes searched since this began."""
        return self.arena.nodes - self._nodes_before

    def even(self, position: Position) -> float:
        """Return the value of a draw where the position has komi, which values leave out."""
        return position.to_move.sign * position.game.komi * self.per_point

    def proven(self, position: Position) -> Proven:
        """What is proven by now, told of the position as the user has it, komi and all."""
        komi = self.even(position) / self.per_point

        def span(bounds: ValueBounds) -> Span:
            return Span(bounds.low / self.per_point - komi, bounds.high / self.per_point - komi)

        moves = {move: span(bounds) for move, bounds in self.moves.items()}
        return Proven(span(self.value), moves, position.game.counts_points)

    @property
    def best(self) -> tuple[Move, ...]:
        """The moves proven to be best, in the order of moves; all of them once `exact`."""
        return self.proven(self.position).best

    @property
    def exact(self) -> bool:
        """Whether the score is proven, and of every move whether it is best."""
        return self.proven(self.position).exact

    def run(self, effort: Effort) -> None:
        """Prove what can be proven in the time: the score, the best moves, the others' scores."""
        if not self.find_all_best(effort):
            return
        with contextlib.suppress(OutOfTime):
            for move, bounds in self.moves.items():
                with contextlib.suppress(Endless):  # of the other moves there may be more to say
                    bounds.close_in(functools.partial(self._reaches, effort, move))

    def find_score(self, effort: Effort) -> bool:
        """Prove the score alone; False if time ran out."""
        with contextlib.suppress(OutOfTime):
            self.value.close_in(functools.partial(self._reaches, effort, None), self._guess())
        return self.value.exact

    def find_best(self, effort: Effort, enough: int) -> Move | None:
        """Prove the score and one best move, a placement if one is among the best.

        If there is no time for that, a move proven to get `enough`; None without such a proof.
        """
        ask = functools.partial(self._reaches, effort, None)
        try:
            if self.value.low < enough <= self.value.high:  # one question, and the one that matters
                self.value.narrow(enough, ask(enough))
            self.value.close_in(ask, self._guess())
        except OutOfTime:
            if self.value.low < enough:
                return None
        for bounds in self.moves.values():
            bounds.high = min(bounds.high, self.value.high)
        # The proof of the score has seen a best placement, so a look without search finds one.
        for nodes in (1, None):
            for move, bounds in self.moves.items():
                last = effort.last_node if nodes is None else self.arena.nodes + nodes
                with contextlib.suppress(OutOfTime):
                    if self._reaches(attrs.evolve(effort, last_node=last), move, self.value.low):
                        bounds.narrow(self.value.low, reached=True)
                        return move
        return None

    def find_win_among(self, moves: Iterable[Move], effort: Effort, part: float) -> Move | None:
        """Return the first of these moves that is proven to win; each gets a part of what is left.

        None if there is none, or not before two moves were too hard; the bounds tell which lose.
        For games without komi, in which a win is worth 1.
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
        """Return the score to ask for first, or None if nothing suggests one."""
        return None

    @abc.abstractmethod
    def find_all_best(self, effort: Effort) -> bool:
        """Prove the score, and of every move whether it is best; False if time ran out.

        Where no time would be enough for a move, its bounds stay apart.
        """
