"""A run that solves one position; it can be watched, interrupted and continued later."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import attrs

from linage_bot.engine.solver.budgets import SearchArena, SearchBudget
from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.engine.solver.method import DEFAULT_BYTES
from linage_bot.engine.solver.methods import method_of, new_arena, solving_in
from linage_bot.engine.solver.persistence import regions_kept, resume, save
from linage_bot.engine.solver.proven_values import listed
from linage_bot.engine.solver.report import (
    SolverReport,
    other_to_move,
    report_on,
    report_score,
)
from linage_bot.engine.solver.solving import Solving
from linage_bot.rules.arguments import check_given
from linage_bot.rules.game import Position
from linage_bot.rules.history import History, position_of

_CHECKPOINT_SECONDS = 60.0
_SCORE_SHARE = 0.5  # of the nodes for both players' scores and best moves: one player's score
_CHECKPOINT_REST = 20  # least ratio of searching time to the time that writing a checkpoint takes


def solve(
    position: Position | History,
    *,
    seconds: float | None = None,
    checkpoint: Path | None = None,
    most_bytes: int = DEFAULT_BYTES,
    threads: int = 1,
    both: bool = False,
    score_only: bool = False,
    watch: Callable[[Solving], None] = lambda _solving: None,
    stopped: threading.Event | None = None,
) -> SolverReport:
    """Solve a position within the time, or until `stopped` is set or Ctrl-C, and return a report.

    The time begins when the compiled code and the checkpoint are loaded. `checkpoint` is a folder:
    the run continues from the results that an earlier one saved there, and saves its own about
    every minute and at the end. With `both` the report also has the score with the other player to
    move, if it is found in time. With `score_only` no move is proven, which takes about half of the
    nodes. `watch` is called about every ten milliseconds. Raises `NotSolvable`.
    """
    check_given(threading.Event, stopped=stopped)
    stopped, position = stopped or threading.Event(), position_of(position)
    method_of(position.game).check(position)  # before the wait for a compiler
    wait_for_solver(position.game, stopped)
    arena = new_arena(position, most_bytes, threads)
    with regions_kept(arena):
        checkpoints = _Checkpoints(checkpoint, arena)
        solving = solving_in(arena, position)

        def between() -> None:
            watch(solving)
            checkpoints.save_when_due()

        deadline = None if seconds is None else time.monotonic() + seconds
        effort = SearchBudget(stopped, deadline, between)
        prove = report_score if score_only else report_on
        try:
            report = prove(solving, position, effort)
        except KeyboardInterrupt:
            stopped.set()
            report = prove(solving, position, effort)
        finally:
            checkpoints.save()
        other = other_to_move(position) if both else None
        if other is None:
            return report
        second = report_score(solving_in(arena, other), other, effort)
        return attrs.evolve(report, other=second if second.score.exact else None)


def expected_nodes(position: Position, *, score_only: bool = False) -> float | None:
    """Return roughly how many nodes a proof takes, or None if that is not known."""
    row = listed(position)
    if row is None:
        return method_of(position.game).forecast(position)
    return _SCORE_SHARE * row.nodes if score_only else row.nodes


class _Checkpoints:
    """The checkpoint of a run, read at the start and saved regularly, if a folder is given."""

    def __init__(self, folder: Path | None, arena: SearchArena) -> None:
        self._folder = folder
        self._arena = arena
        self._due = time.monotonic() + _CHECKPOINT_SECONDS
        if folder is not None:
            resume(folder, arena)

    def save_when_due(self) -> None:
        """Save if a minute has passed since the last time, or longer if saving takes long."""
        began = time.monotonic()
        if began >= self._due:
            self.save()
            saved = time.monotonic()
            self._due = saved + max(_CHECKPOINT_SECONDS, _CHECKPOINT_REST * (saved - began))

    def save(self) -> None:
        """Save all results, if there is a folder."""
        if self._folder is not None:
            save(self._folder, self._arena)
