"""A proof of one position, pursued in slices of time and up to a bound, beside other work.

Where a position of nimbers is out of reach, of the moves that bring it within.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from linage_bot.engine.search.loading import begin
from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.known import Proven, known
from linage_bot.engine.solver.loading import solver_ready
from linage_bot.engine.solver.method import Method
from linage_bot.engine.solver.methods import method_of
from linage_bot.engine.solver.sums.sums import sign_of
from linage_bot.rules.game import Position

if TYPE_CHECKING:
    from linage_bot.engine.solver.solving import Solving

_SLICE_SECONDS = 0.5
_POLL_SECONDS = 0.02  # for code that is being loaded
_MOST_SECONDS = 20.0
_MOST_BYTES = 256 << 20
_EVER_PLACEMENTS = 40  # no kernel promises so many


class Pursuit:
    """What is proven of a position, at once by the table of solved boards, then by search."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.proven: Proven | None = known(position)
        self._method = method = method_of(position.game)
        self._size = method.size(position)
        large = self._size > (method.most if method.one_for_all else _EVER_PLACEMENTS)
        self._ahead = method.key_moves(position) if large else []
        # Nothing more is to be proven, or not in the time.
        self.ended = position.over or (large and not self._ahead) or not _solvable(method, position)
        self._seconds = 0.0
        self._solving: Solving | None = None

    @property
    def ready(self) -> bool:
        """Whether `run` may be called now; its code is loaded in the background when it is not."""
        if self.ended:
            return False
        game = self.position.game
        if not self._method.one_for_all:
            kernel = begin(game).loaded
            if kernel is None:
                return False
            if self._size > max(kernel.provable, self._method.most):
                self.ended = True
                return False
        return solver_ready(game)

    @property
    def short(self) -> bool:
        """Whether all is likely to be proven within about a second, once the code is there."""
        return not self.ended and self._size <= self._method.soon

    @property
    def soon(self) -> bool:
        """Whether all is likely to be proven within about a second from now."""
        return self.ready and self.short

    def pursue(self, stopped: threading.Event) -> None:
        """Prove all that can be proven, until `stopped` is set; `proven` grows meanwhile."""
        while not self.ended and not stopped.is_set():
            if self.ready:
                self.run(stopped)
            else:
                stopped.wait(_POLL_SECONDS)

    def run(self, stopped: threading.Event, seconds: float = _SLICE_SECONDS) -> Proven:
        """Go on for a slice of time, once `ready`; what is proven by then."""
        from linage_bot.engine.solver.effort import Effort  # imports NumPy
        from linage_bot.engine.solver.positions import PositionSolving

        started = time.monotonic()
        if self._solving is None:
            self._solving = self._begin()
        effort = Effort(stopped, time.monotonic() + seconds)
        if self._ahead:
            assert isinstance(self._solving, PositionSolving), "so are nimbers solved"
            self._solving.find_win_among(self._ahead, effort)
        else:
            self._solving.run(effort)
        found = self._solving.proven(self.position).together(self.proven)
        self.proven = found
        spent = time.monotonic() - started
        self._seconds += spent
        # A slice that is over too early was the last: all is known, or memory is used up.
        through = spent < seconds and not stopped.is_set()
        self.ended = through or self._seconds >= _MOST_SECONDS
        return found

    def _begin(self) -> Solving:
        """The search, which need not look for a value that the table knows."""
        from linage_bot.engine.solver.methods import new_arena, solving_in  # imports Numba
        from linage_bot.engine.solver.solving import ValueBounds

        solving = solving_in(new_arena(self.position, _MOST_BYTES), self.position)
        lead = None if self.proven is None else self.proven.lead
        if lead is not None:
            komi = sign_of(self.position.to_move) * self.position.game.komi
            value = round((lead + komi) * solving.per_point)
            solving.value = ValueBounds(value, value)
        return solving


def _solvable(method: Method, position: Position) -> bool:
    """Return whether the solver takes the position."""
    try:
        method.check(position)
    except NotSolvable:
        return False
    return True
