"""`linage-bot solve`: from a position to text on stdout, with a line of progress on stderr."""

import contextlib
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from linage_bot.engine.solver.effort import Effort
from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.keeping import regions_kept, resume, save
from linage_bot.engine.solver.known import with_mover
from linage_bot.engine.solver.methods import new_arena, solving_in
from linage_bot.engine.solver.report import (
    SolverReport,
    report_from_table,
    report_on,
    score_words,
    to_json,
    to_text,
)
from linage_bot.engine.solver.solving import Solving
from linage_bot.rules.game import Position

_CHECKPOINT_SECONDS = 60.0
_PROGRESS_SECONDS = {True: 0.2, False: 2.0}  # on a terminal, elsewhere


def solve(
    position: Position,
    seconds: float | None,
    checkpoint: Path | None,
    *,
    as_json: bool,
    recompute: bool = False,
) -> str:
    """What is proven of a position within the time, as JSON or as text.

    At an interrupt from the keyboard it says what is proven so far. With a folder for checkpoints
    it goes on where an earlier run was broken off. An empty board that takes long is looked up in
    the table of solved boards, unless it is to be solved again.
    """
    report = None if recompute else report_from_table(position)
    if report is not None:
        return to_json(report) if as_json else _told(report, report_from_table)
    deadline = None if seconds is None else time.monotonic() + seconds
    stopped = threading.Event()
    arena = new_arena(position)
    with regions_kept(arena):
        if checkpoint is not None:
            resume(checkpoint, arena)
        solving = solving_in(arena, position)
        progress = _Progress(solving)
        saved = time.monotonic()

        def between() -> None:
            nonlocal saved
            progress.show()
            if checkpoint is not None and time.monotonic() - saved >= _CHECKPOINT_SECONDS:
                save(checkpoint, arena)
                saved = time.monotonic()

        effort = Effort(stopped, deadline, between)
        try:
            report = report_on(solving, position, effort)
        except KeyboardInterrupt:
            stopped.set()
            report = report_on(solving, position, effort)
        finally:
            progress.clear()
            if checkpoint is not None:
                save(checkpoint, arena)

        def look_at(other: Position) -> SolverReport | None:
            solving = solving_in(arena, other)
            if not solving.find_score(effort):
                return None
            return SolverReport(position=other, proven=solving.proven(other), nodes=solving.nodes)

        return to_json(report) if as_json else _told(report, look_at)


def _told(report: SolverReport, look_at: Callable[[Position], SolverReport | None]) -> str:
    """The report as text, with the score if the other player were to move, where that is known."""
    position, text = report.position, to_text(report)
    if position.over:
        return text
    with contextlib.suppress(NotSolvable):
        player = position.to_move.other
        other = look_at(with_mover(position, player))
        if other is not None:
            text += f"\nwith {position.game.players[player]} to move: {score_words(other)}"
    return text


class _Progress:
    """One line on a terminal, written over until all is done; elsewhere a line now and then."""

    def __init__(self, solving: Solving) -> None:
        self._solving = solving
        self._started = self._shown = time.monotonic()
        self._width = 0

    def show(self) -> None:
        """Say how far the search is, now and then."""
        now = time.monotonic()
        if now - self._shown < _PROGRESS_SECONDS[sys.stderr.isatty()]:
            return
        self._shown = now
        seconds = now - self._started
        value, nodes = self._solving.value, self._solving.nodes
        per_point = self._solving.per_point
        text = (
            f"{seconds:.0f} s, {nodes / 1e6:.1f} million nodes ({nodes / seconds:.0f}/s), "
            f"the player to move gets {value.low / per_point:+g} to {value.high / per_point:+g}"
        )
        if sys.stderr.isatty():
            sys.stderr.write("\r" + text.ljust(self._width))
            self._width = len(text)
            sys.stderr.flush()
        else:
            sys.stderr.write(text + "\n")

    def clear(self) -> None:
        """End the line."""
        if self._width:
            sys.stderr.write("\n")
