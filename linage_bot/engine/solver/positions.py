"""Exact values of positions that are solved as a whole: `PositionArena`, `PositionSolving`.

A `PositionArena` answers the questions: by alpha-beta search in `alphabeta`, by the nimbers of
regions in `nimbers`. A score lead is First's points minus Second's in half points, without komi; in
games that count no points it is 1 if First wins and -1 if Second wins. If time or memory runs out
before a value is proven, its bounds are reported.
"""

import abc
import contextlib
from collections.abc import Callable, Iterable, Iterator

import attrs
import numpy as np

from linage_bot.engine.solver.budgets import (
    FEWEST_PLACES,
    Array,
    SearchArena,
    SearchBudget,
    hash_table,
    parts,
)
from linage_bot.engine.solver.errors import OutOfTime, UnboundedPlay
from linage_bot.engine.solver.solving import Solving, ValueBounds
from linage_bot.rules.game import Game, Move, Position


class PositionArena(SearchArena):
    """The results for positions of one game without komi, in a table that grows."""

    def __init__(
        self,
        game: Game,
        name: str,
        head: Array,
        most_bytes: int,
        move_entries: Callable[[Array, Array], None],
    ) -> None:
        """Create an empty table. Its entries have the type in `kept` and a field `used`.

        The head also counts the `entries` in use.
        """
        super().__init__(name, head, most_bytes)
        self.game = game
        self._entries: Array = np.zeros(FEWEST_PLACES, self.kept)
        self._move_entries = move_entries

    def known(self) -> Iterator[Array]:
        """Return all entries in use, in no particular order."""
        for entries in parts(self._entries):
            yield entries[entries["used"] != 0]

    def resume(self, known: Iterable[Array]) -> None:
        """Replace the results here by all results of another arena of this name."""
        entries = np.concatenate([np.zeros(0, self.kept), *known])
        self._entries = hash_table(entries, self._move_entries)
        self._head["entries"] = len(entries)

    def _make_room_for(self, more: int) -> None:
        """Double the table if this many more entries would overfill it; may raise `OutOfTime`."""
        if 4 * (int(self._head[0]["entries"]) + more) > 3 * len(self._entries):
            self._check_memory(2 * self._entries.nbytes)
            self._entries = hash_table(self._entries, self._move_entries)

    @abc.abstractmethod
    def at_least(self, position: Position, target: int, effort: SearchBudget) -> tuple[bool, int]:
        """Return whether First's score lead is at least the target under best play, and a bound.

        If it is, the bound is a lower bound of at least the target, else an upper bound below the
        target. Raises `OutOfTime`, and `UnboundedPlay` if no amount of time is enough.
        """


class PositionSolving(Solving):
    """A position that is being solved; values are in half points in games that count."""

    arena: PositionArena

    def __init__(self, arena: PositionArena, position: Position) -> None:
        """Begin to solve a position; its game must be the arena's, with the same komi."""
        super().__init__(arena, position)
        self._sign = position.to_move.sign
        self.per_point = 2 if position.game.counts_points else 1
        most = 1
        if position.game.counts_points:
            most += round(2 * (position.game.board.count + abs(position.game.komi)))
        self.value = ValueBounds(-most, most)
        self.moves = {move: ValueBounds(-most, most) for move in position.moves()}
        if position.over:
            score_lead = self._sign * score_lead_of(position)
            self.value = ValueBounds(score_lead, score_lead)

    def find_all_best(self, effort: SearchBudget) -> bool:
        """Prove the score, then for each move whether it gets as much; False if time ran out."""
        if not self.find_score(effort):
            return False
        score = self.value.low
        try:
            for move, bounds in self.moves.items():
                bounds.high = min(bounds.high, score)
                if bounds.low < score <= bounds.high:
                    with contextlib.suppress(UnboundedPlay):
                        self._reaches(effort, move, score)
        except OutOfTime:
            return False
        return True

    def _reaches(self, effort: SearchBudget, move: Move | None, target: int) -> bool:
        position = self.position if move is None else self.position.after(move)
        if self._sign > 0:
            reached, bound = self.arena.at_least(position, target, effort)
        else:  # Second gets at least the target if First does not get more than its negative
            more, bound = self.arena.at_least(position, 1 - target, effort)
            reached, bound = not more, -bound
        bounds = self.value if move is None else self.moves[move]
        bounds.narrow(bound if reached else bound + 1, reached)
        return reached


def solve_in(arena: SearchArena, position: Position) -> PositionSolving:
    """Begin to solve a position, with its game replaced by the arena's, which is without komi."""
    assert isinstance(arena, PositionArena)
    whole: Position = attrs.evolve(position, game=arena.game)
    return PositionSolving(arena, whole)


def score_lead_of(position: Position) -> int:
    """Return First's score lead if the game ended now, as kernels compute it."""
    scores = position.scores()
    if scores is not None:
        return round(2 * (scores[0] - scores[1]))
    winner = position.result().winner
    return 0 if winner is None else winner.sign
