"""`linage-bot solve`: from a position to text on stdout, with a line of progress on stderr."""

import contextlib
import sys
import threading
import time
from pathlib import Path

from linage_bot.engine.solver.effort import Effort
from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.known import AT_ONCE_NODES, listed
from linage_bot.engine.solver.methods import Method, method_for, with_mover
from linage_bot.engine.solver.report import (
    SolverReport,
    proven,
    report_from_table,
    report_on,
    score_words,
    to_json,
    to_text,
)
from linage_bot.engine.solver.solved import solved_board
from linage_bot.engine.solver.solving import AnySolving
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
    listed = None if recompute else _from_table(position)
    if listed is not None:
        return _told(listed, _other_from_table(position), as_json=as_json)
    deadline = None if seconds is None else time.monotonic() + seconds
    stopped = threading.Event()
    with method_for(position, checkpoint) as method:
        solving = method.begin(position)
        progress = _Progress(solving)
        saved = time.monotonic()

        def between() -> None:
            nonlocal saved
            progress.show()
            if time.monotonic() - saved >= _CHECKPOINT_SECONDS:
                method.save()
                saved = time.monotonic()

        effort = Effort(stopped, deadline, between)
        try:
            report = report_on(solving, position, effort)
        except KeyboardInterrupt:
            stopped.set()
            report = report_on(solving, position, effort)
        finally:
            progress.clear()
            method.save()
        others = [] if as_json else _other_view(position, method, effort)
    return _told(report, others, as_json=as_json)


def _told(report: SolverReport, others: list[str], *, as_json: bool) -> str:
    """The report, as text with the other player's view."""
    return to_json(report) if as_json else "\n".join((to_text(report), *others))


def _from_table(position: Position) -> SolverReport | None:
    """What the table says of a board, if it is empty and would take long."""
    solved = listed(position)
    if solved is None or solved.nodes <= AT_ONCE_NODES:
        return None
    return report_from_table(position, solved)


def _other_from_table(position: Position) -> list[str]:
    """What the table says if the other player were to move."""
    player = position.to_move.other
    solved = solved_board(position.game, player)
    if solved is None:
        return []
    return [_other_words(report_from_table(with_mover(position, player), solved))]


def _other_words(report: SolverReport) -> str:
    position = report.position
    return f"with {position.game.players[position.to_move]} to move: {score_words(report)}"


def _other_view(position: Position, method: Method, effort: Effort) -> list[str]:
    """The value if the other player were to move, where there is still time to tell."""
    if position.over:
        return []
    with contextlib.suppress(NotSolvable):
        other = with_mover(position, position.to_move.other)
        solving = method.begin(other)
        if solving.find_score(effort):
            return [_other_words(proven(solving, other))]
    return []


class _Progress:
    """One line on a terminal, written over until all is done; elsewhere a line now and then."""

    def __init__(self, solving: AnySolving) -> None:
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
