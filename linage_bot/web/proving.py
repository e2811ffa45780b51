"""Exact values of one position, in slices of time and up to a bound."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from linage_bot.game import Position
from linage_bot.solver.loading import solver_ready
from linage_bot.solver.sums import check_solvable, free_sizes, is_solvable
from linage_bot.web.thoughts import Exact

if TYPE_CHECKING:
    from linage_bot.solver.arena import Arena
    from linage_bot.solver.solving import Solving

_SLICE_SECONDS = 0.5
_MOST_SECONDS = 20.0
_MOST_BYTES = 256 << 20
_MOST_POINTS = 24  # of the largest free region; larger ones take too long as a rule


class Proving:
    """A position being solved, with what was found out so far."""

    def __init__(self, position: Position) -> None:
        """The solver can be imported at once when `run` is called: see `may_begin`."""
        self.position = position
        self.ended = False  # all is proven, or time is up
        self._seconds = 0.0
        self._solving: tuple[Solving, Arena] | None = None

    @staticmethod
    def may_begin(position: Position) -> bool:
        """Whether to try now: the solver is loaded in the background when it is first of use."""
        if position.over or not is_solvable(position):
            return False
        largest = max(free_sizes(check_solvable(position)), default=0)
        return largest <= _MOST_POINTS and solver_ready()

    def run(self, stopped: threading.Event) -> Exact:
        """Go on for a slice of time; what is proven by then."""
        from linage_bot.solver.arena import Allowance, Arena  # imports Numba
        from linage_bot.solver.report import proven
        from linage_bot.solver.solving import Solving

        position = check_solvable(self.position)
        if self._solving is None:
            arena = Arena(position.game.line, _MOST_BYTES)
            self._solving = Solving(arena, position), arena
        started = time.monotonic()
        solving, _arena = self._solving
        solving.run(Allowance(stopped, started + _SLICE_SECONDS))
        report = proven(solving, position)
        self._seconds += time.monotonic() - started
        self.ended = report.exact or self._seconds >= _MOST_SECONDS
        komi, per_point = position.game.komi, report.per_point
        return Exact(
            report.score.low / per_point - komi if report.score.exact else None,
            report.best,
            {
                move: each.low / per_point - komi
                for move, each in report.moves.items()
                if each.exact
            },
        )
