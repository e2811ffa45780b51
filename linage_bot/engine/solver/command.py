"""`linage-bot solve`: from a position to text on stdout, with a line of progress on stderr."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from linage_bot.engine.solver.effort import Effort
from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.keeping import regions_kept, resume, save
from linage_bot.engine.solver.known import Span, listed, with_mover
from linage_bot.engine.solver.method import DEFAULT_BYTES
from linage_bot.engine.solver.methods import method_of, new_arena, solving_in
from linage_bot.engine.solver.report import (
    SolverReport,
    report_from_table,
    report_on,
    score_words,
    to_json,
    to_text,
)
from linage_bot.engine.solver.shown import picture, shown
from linage_bot.engine.solver.solving import Solving
from linage_bot.engine.solver.spread import solve_with
from linage_bot.rules.game import Move, Position

if TYPE_CHECKING:
    from linage_bot.engine.cluster import Crew

_CHECKPOINT_SECONDS = 60.0
_CHECKPOINT_REST = 20  # times as long is searched as a checkpoint takes to write
_PROGRESS_SECONDS = {True: 0.2, False: 2.0}  # on a terminal, elsewhere
_BAR = 20  # letters


def solve(
    position: Position,
    seconds: float | None,
    checkpoint: Path | None,
    *,
    most_bytes: int = DEFAULT_BYTES,
    threads: int = 1,
    as_json: bool,
    recompute: bool = False,
    draw: Callable[[str], None] | None = None,
    crew: Crew | None = None,
) -> str:
    """What is proven of a position within the time, as JSON or as text.

    At an interrupt from the keyboard it says what is proven so far. With a folder for checkpoints
    it goes on where an earlier run was broken off. An empty board that takes long is looked up in
    the table of solved boards, unless it is to be solved again. `draw` is given
    a picture of what is proven, as SVG. With a crew its workers have the score of every move found,
    of a position that is not over, however long it takes; that may raise `ClusterGone`.
    """
    report = None if recompute else report_from_table(position)
    if report is not None:
        if draw is not None:
            draw(picture(report).svg())
        return to_json(report) if as_json else _told(report, report_from_table)
    if crew is not None:
        report = solve_with(
            crew, position, most_bytes=most_bytes, threads=threads, told=_tell_of(position)
        )
        if draw is not None:
            draw(picture(report).svg())
        return to_json(report) if as_json else f"{shown(report)}\n\n{to_text(report)}"
    deadline = None if seconds is None else time.monotonic() + seconds
    stopped = threading.Event()
    arena = new_arena(position, most_bytes, threads)
    with regions_kept(arena):
        if checkpoint is not None:
            resume(checkpoint, arena)
        solving = solving_in(arena, position)
        progress = _Progress(solving, expected(position))
        due = time.monotonic() + _CHECKPOINT_SECONDS

        def between() -> None:
            nonlocal due
            progress.show()
            began = time.monotonic()
            if checkpoint is not None and began >= due:
                save(checkpoint, arena)
                saved = time.monotonic()
                due = saved + max(_CHECKPOINT_SECONDS, _CHECKPOINT_REST * (saved - began))

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

        if draw is not None:
            draw(picture(report).svg())
        return to_json(report) if as_json else _told(report, look_at)


def _tell_of(position: Position) -> Callable[[Move, Span], None]:
    """What says on stderr what a move gets."""

    def tell(move: Move, span: Span) -> None:
        print(f"{position.name_of(move)} gets {span.low:+g}", file=sys.stderr, flush=True)

    return tell


def _told(report: SolverReport, look_at: Callable[[Position], SolverReport | None]) -> str:
    """The board and the report as text, with the other player's score, where that is known."""
    position, text = report.position, f"{shown(report)}\n\n{to_text(report)}"
    if position.over:
        return text
    with contextlib.suppress(NotSolvable):
        player = position.to_move.other
        other = look_at(with_mover(position, player))
        if other is not None:
            text += f"\nwith {position.game.players[player]} to move: {score_words(other)}"
    return text


def expected(position: Position) -> float | None:
    """How many nodes a proof takes, roughly; None where nothing is known of that."""
    row = listed(position)
    if row is not None:
        return row.nodes
    return method_of(position.game).forecast(position)


def progress_bar(nodes: int, seconds: float, forecast: float) -> str:
    """How much of a search with such a forecast is done, and how much time the rest may take."""
    share = nodes / max(forecast, 1.0)
    filled = min(_BAR - 1, int(_BAR * share))
    bar = f"[{'#' * filled}{'-' * (_BAR - filled)}]"
    if share >= 1:
        return f"{bar} more than forecast"
    if nodes == 0:
        return bar
    return f"{bar} about {_duration(seconds * (1 / share - 1))} to go"


def fitted(parts: Sequence[str], columns: int) -> str:
    """As many of the parts, from the first on, as one line has room for.

    A terminal breaks a line that is longer, and the next would not be written over all of it. One
    of no columns does not know its width.
    """
    if columns <= 0:
        return ", ".join(parts)
    count = len(parts)
    while count > 1 and len(", ".join(parts[:count])) > columns:
        count -= 1
    return ", ".join(parts[:count])[:columns]


def _duration(seconds: float) -> str:
    """A time as people say it."""
    for least, unit in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * least:
            return f"{seconds / least:.0f} {unit}"
    return f"{seconds:.0f} s"


class _Progress:
    """One line on a terminal, written over until all is done; elsewhere a line now and then."""

    def __init__(self, solving: Solving, forecast: float | None) -> None:
        """The forecast is of nodes."""
        self._solving = solving
        self._forecast = forecast
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
        parts = [
            f"the mover gets {value.low / per_point:+g} to {value.high / per_point:+g}",
            f"{seconds:.0f} s",
            f"{nodes / 1e6:.1f} million nodes ({nodes / seconds:.0f}/s)",
        ]
        if self._forecast is not None:
            parts.insert(0, progress_bar(nodes, seconds, self._forecast))
        if sys.stderr.isatty():
            text = fitted(parts, os.get_terminal_size(sys.stderr.fileno()).columns - 1)
            sys.stderr.write("\r" + text.ljust(self._width))
            self._width = len(text)
            sys.stderr.flush()
        else:
            sys.stderr.write(", ".join(parts) + "\n")

    def clear(self) -> None:
        """End the line."""
        if self._width:
            sys.stderr.write("\n")
