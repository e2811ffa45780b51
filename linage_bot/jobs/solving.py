"""Solving a position move by move, each move a job for an executor."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeAlias

import attrs

from linage_bot.engine.solver.budgets import SearchBudget
from linage_bot.engine.solver.methods import new_arena, solving_in
from linage_bot.engine.solver.proven_values import Interval, ProvenValues
from linage_bot.engine.solver.report import SolverReport
from linage_bot.engine.solver.solved_boards import alike
from linage_bot.jobs.executor import Executor
from linage_bot.jobs.queue import Job, run_all
from linage_bot.rules.game import Move, Position

Answer: TypeAlias = tuple[Interval, int]
"""The proven bounds of the lead of the player to move, and the number of nodes."""


@attrs.frozen
class SolvePosition:
    """A search for the lead under best play, with a table of `most_bytes`, on `threads` threads."""

    position: Position
    most_bytes: int
    threads: int

    def run(self, stopped: threading.Event) -> Answer:
        """Return the lead; bounds of it if `stopped` is set before it is found."""
        position = self.position
        solving = solving_in(new_arena(position, self.most_bytes, self.threads), position)
        solving.find_score(SearchBudget(stopped))
        return solving.proven(position).value, solving.nodes


def solve_moves(
    executor: Executor,
    position: Position,
    *,
    most_bytes: int,
    threads: int,
    solved: Callable[[Move, Interval], None],
) -> SolverReport:
    """Return the score of every move of a position that is not over, and so its value.

    Only one of several symmetric moves is solved; `solved` is called with each. `most_bytes` and
    `threads` are those of every job. Raises `ClusterGone`.
    """
    groups = {same[0]: same for same in alike(position, position.moves())}
    jobs = {}
    for move in groups:
        task = SolvePosition(position.after(move), most_bytes, threads)
        jobs[move] = Job(task, task.run)
    spans: dict[Move, Interval] = {}
    nodes = 0
    for move, found in run_all(executor, jobs):
        if isinstance(found, Exception):
            raise found
        span, more = found
        nodes += more
        spans |= dict.fromkeys(groups[move], Interval(-span.high, -span.low))
        solved(move, spans[move])
    value = Interval(
        max(span.low for span in spans.values()), max(span.high for span in spans.values())
    )
    moves = {move: spans[move] for move in position.moves()}
    proven = ProvenValues(value, moves, position.game.counts_points)
    return SolverReport(position=position, proven=proven, nodes=nodes)
