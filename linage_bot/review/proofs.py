"""The exact endgame: which positions of a game the solver can prove, and how play goes on there.

Positions are tried from the last one backwards, for what is proven of a position helps with the
one before it, until a proof does not come within its number of nodes. That number alone
decides, not the clock and not what earlier runs left on disk, so the same is proven every time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING

import attrs

from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.engine.solver.methods import method_of, new_arena, solving_in
from linage_bot.review.facts import Value
from linage_bot.rules.game import PASS, Move, Player, Position

if TYPE_CHECKING:
    from linage_bot.engine.solver.solving import Solving

_MOST_BYTES = 512 << 20
_LONGEST_LINE = 12


@attrs.frozen
class Proof:
    """A position's exact value, every best move, and a line of best play; none at the end."""

    value: Value
    best: tuple[Move, ...]
    line: tuple[Move, ...]


def proving(
    positions: Sequence[Position],
    nodes: int,
    tried: Callable[[int], None],
    slice_seconds: float | None = None,
) -> Generator[None, None, dict[int, Proof]]:
    """What is proven of the last positions, by index, in slices of time.

    Empty for all but Linage without the button. `tried` hears of each index before it is tried.
    A proof that is interrupted repeats a little, so slices may prove less.
    """
    game = positions[-1].game
    if not nodes or not method_of(game).values_regions:
        return {}
    if not wait_for_solver(game, threading.Event()):
        return {}
    solver = _Solver(positions[-1], nodes, slice_seconds)
    proven: dict[int, Proof] = {}
    for index in reversed(range(len(positions))):
        tried(index)
        yield
        proof = yield from solver.prove(positions[index])
        if proof is None:
            break
        proven[index] = proof
    return proven


class _Solver:
    """Proves positions, and remembers what it proved."""

    def __init__(self, position: Position, nodes: int, slice_seconds: float | None) -> None:
        self._arena = new_arena(position, _MOST_BYTES)
        self._nodes = nodes
        self._slice = slice_seconds

    def prove(self, position: Position) -> Generator[None, None, Proof | None]:
        """The score and all best moves; None if that takes too many nodes."""
        solving = yield from self._solved(position)
        if solving is None:
            return None
        lead = solving.proven(position).value.low
        score = lead if position.to_move is Player.FIRST else -lead
        rate = 0.5 if score == 0 else float(score > 0)
        best = sorted(solving.best, key=lambda move: move == PASS)  # a placement says more
        line = (yield from self._line(position, best[0])) if best else ()
        return Proof(Value(rate, score, certain=True, exact=True), tuple(best), line)

    def _solved(self, position: Position) -> Generator[None, None, Solving | None]:
        from linage_bot.engine.solver.effort import Effort  # imports NumPy

        solving, last_node = solving_in(self._arena, position), self._arena.nodes + self._nodes
        while True:
            deadline = None if self._slice is None else time.monotonic() + self._slice
            effort = Effort(deadline=deadline, last_node=last_node)
            if solving.find_all_best(effort):
                return solving
            if not effort.used_up:  # so it was nodes or memory
                return None
            yield

    def _line(self, position: Position, best: Move) -> Generator[None, None, tuple[Move, ...]]:
        """Best play from a best move on, as far as it is proven."""
        line = [best]
        while len(line) < _LONGEST_LINE:
            position = position.after(line[-1])
            solving = None if position.over else (yield from self._solved(position))
            if solving is None:
                break
            line.append(min(solving.best, key=lambda move: move == PASS))
        return tuple(line)
