"""The exact endgame: the positions of a game that the solver can prove, and best play from there.

Positions are tried from the last one backwards, until a proof does not come within its number of
nodes. That number alone decides: not the clock, nor the results of earlier proofs in memory or on
disk. So the same is proven every time, also where a review is interrupted and continued elsewhere.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence

import attrs

from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.engine.solver.proof import Goal, Proof, Solver
from linage_bot.engine.solver.proven_values import ProvenValues
from linage_bot.engine.worker import Worker
from linage_bot.review.facts import Value
from linage_bot.rules.game import PASS, Move, Position

_MOST_BYTES = 512 << 20
_LONGEST_LINE = 12


@attrs.frozen
class ProvenEnd:
    """A position's exact value, and a line of best play; none at the end."""

    value: Value
    line: tuple[Move, ...]


def proving(
    positions: Sequence[Position],
    nodes: int,
    tried: Callable[[int], None],
    found: dict[int, ProvenEnd],
    slice_seconds: float | None = None,
) -> Generator[None, None, None]:
    """Add the provable values of the last positions to `found`, by index; yield after each slice.

    `tried` is called with each index before it is tried; positions in `found` are not tried again.
    In slices, a proof runs on a thread of its own until it ends: interrupted, it would repeat its
    work, and prove less.
    """
    if not nodes:
        return
    never = threading.Event()

    def prove(position: Position, solver: Solver) -> Generator[None, None, ProvenValues | None]:
        """Prove the value and a best move; return None if that takes too many nodes."""
        proof = Proof(position, nodes=nodes, goal=Goal.VALUE, solver=solver)
        if not proof.finished and wait_for_solver(position.game, never):
            if slice_seconds is None:
                proof.run(never)
            else:
                yield from _in_slices(proof, slice_seconds)
        return proof.proven if proof.reached else None

    for index in reversed(range(len(positions))):
        if index in found:
            continue
        tried(index)
        yield
        solver = Solver(_MOST_BYTES)
        proven = yield from prove(positions[index], solver)
        if proven is None:
            break
        position, line = positions[index], list[Move]()
        after: ProvenValues | None = proven
        while after is not None and after.best and len(line) < _LONGEST_LINE:
            line.append(min(after.best, key=lambda move: move == PASS))  # a pass shows less
            position = position.after(line[-1])
            after = None if position.over else (yield from prove(position, solver))
        found[index] = ProvenEnd(proven_value(positions[index], proven), tuple(line))


def _in_slices(proof: Proof, seconds: float) -> Generator[None, None, None]:
    """Run a proof to its end and yield every `seconds`; closing the generator stops the proof.

    Raises the proof's exceptions.
    """
    failures: list[Exception] = []

    def note(failure: Exception | None) -> None:
        if failure is not None:
            failures.append(failure)

    prover = Worker(proof.run, note, name="proof")
    prover.begin()
    try:
        while not prover.wait(seconds):
            yield
    finally:
        prover.stop()
    if failures:
        raise failures[0]


def proven_value(position: Position, proven: ProvenValues) -> Value:
    """Return the exact value of a position, from First's side."""
    lead = position.to_move.sign * proven.value.low
    rate = 0.5 if lead == 0 else float(lead > 0)
    score = lead if position.game.counts_points else None
    return Value(rate, score, certain=True, exact=True)
