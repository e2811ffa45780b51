"""Exact values of positions, each asked for as a whole: `PositionArena` and `PositionSolving`.

What answers is a `PositionArena`: alpha-beta in `alphabeta`, the nimbers of regions in `nimbers`.
Margins are in half points and without komi; in games that count no points the winner's is 1 and the
loser's -1. What is not proven when time or memory runs out is told as bounds.
"""

import abc
import contextlib
from collections.abc import Callable

import attrs
import numpy as np

from linage_bot.engine.solver.effort import (
    FEWEST_PLACES,
    Array,
    Effort,
    SearchArena,
    hash_table,
)
from linage_bot.engine.solver.errors import Endless, OutOfTime
from linage_bot.engine.solver.solving import Solving, ValueBounds
from linage_bot.rules.game import Game, Move, Position


class PositionArena(SearchArena):
    """What is known about positions of one game, which is without komi, in a table that grows."""

    def __init__(
        self,
        game: Game,
        name: str,
        head: Array,
        most_bytes: int,
        move_entries: Callable[[Array, Array], None],
    ) -> None:
        """The head also counts the `entries` in use, of the type `kept`; these have a `used`."""
        super().__init__(name, head, most_bytes)
        self.game = game
        (entry,) = self.kept
        self._entries: Array = np.zeros(FEWEST_PLACES, entry)
        self._move_entries = move_entries

    def known(self) -> list[Array]:
        """All entries, in no order."""
        return [self._entries[self._entries["used"] != 0]]

    def resume(self, *known: Array) -> None:
        """Take over, in place of what is known here, all that another arena of this name knew."""
        (entries,) = known
        self._entries = hash_table(entries.copy(), self._move_entries)
        self._head["entries"] = len(entries)

    def _make_room_for(self, more: int) -> None:
        """Double the table if so many more entries would fill it too far; may raise `OutOfTime`."""
        if 4 * (int(self._head[0]["entries"]) + more) > 3 * len(self._entries):
            self._afford(2 * self._entries.nbytes)
            self._entries = hash_table(self._entries, self._move_entries)

    @abc.abstractmethod
    def at_least(self, position: Position, target: int, effort: Effort) -> tuple[bool, int]:
        """Whether First's margin is at least the target under best play, and a bound on it.

        The bound is at least the target if it is, less if not. Raises `OutOfTime`, and `Endless`
        where no time would do.
        """


class PositionSolving(Solving):
    """One position being solved; values are in half points in games that count."""

    arena: PositionArena

    def __init__(self, arena: PositionArena, position: Position) -> None:
        """The position's game is the arena's, with its komi."""
        super().__init__(arena, position)
        self._sign = position.to_move.sign
        self.per_point = 2 if position.game.counts_points else 1
        most = 1
        if position.game.counts_points:
            most += round(2 * (position.game.board.count + abs(position.game.komi)))
        self.value = ValueBounds(-most, most)
        self.moves = {move: ValueBounds(-most, most) for move in position.moves()}
        if position.over:
            margin = self._sign * margin_of(position)
            self.value = ValueBounds(margin, margin)

    def find_all_best(self, effort: Effort) -> bool:
        """The score first, then of each move whether it gets as much."""
        if not self.find_score(effort):
            return False
        score = self.value.low
        try:
            for move, bounds in self.moves.items():
                bounds.high = min(bounds.high, score)
                if bounds.low < score <= bounds.high:
                    with contextlib.suppress(Endless):
                        self._reaches(effort, move, score)
        except OutOfTime:
            return False
        return True

    def _reaches(self, effort: Effort, move: Move | None, target: int) -> bool:
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
    """Begin to solve a position of the arena's game, which is without komi."""
    assert isinstance(arena, PositionArena)
    whole: Position = attrs.evolve(position, game=arena.game)
    return PositionSolving(arena, whole)


def margin_of(position: Position) -> int:
    """First's margin as it stands, as kernels tell it."""
    scores = position.scores()
    if scores is not None:
        return round(2 * (scores[0] - scores[1]))
    winner = position.result().winner
    return 0 if winner is None else winner.sign
