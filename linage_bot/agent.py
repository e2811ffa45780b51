"""Choosing a move: search, resignation, and what to do when there is nothing to choose."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from linage_bot.game import PASS, Move, Position
from linage_bot.search.limits import Limits
from linage_bot.search.loading import wait_for_kernel

if TYPE_CHECKING:
    from linage_bot.search.think import Thinking
    from linage_bot.search.tree import Candidate

DEFAULT_SECONDS = 5.0
_RESIGN_VISITS = 100  # fewer say too little about a hopeless position


@attrs.frozen
class AgentSettings:
    """How to play. Without any limit a move gets `DEFAULT_SECONDS`."""

    visits: int | None = None  # a move
    seconds: float | None = None  # a move
    threads: int = 1
    seed: int | None = None  # None: another one every time
    resign_rate: float | None = 0.02  # win rate below which to resign; None: never

    @property
    def limits(self) -> Limits:
        """The limits of one search where no clock says otherwise."""
        if self.visits is None and self.seconds is None:
            return Limits(seconds=DEFAULT_SECONDS)
        return Limits(self.visits, self.seconds)


@attrs.frozen
class Decision:
    """What to play, and what the search thought. `move` is None to resign."""

    move: Move | None
    candidates: tuple[Candidate, ...] = ()
    visits: int = 0


@attrs.frozen
class Report:
    """What to call with the running search, and how often."""

    call: Callable[[Thinking], None]
    interval_seconds: float


class Agent:
    """Chooses moves for one game after another.

    With a seed, one thread and a limit on visits, the same calls give the same moves.
    """

    def __init__(self, settings: AgentSettings) -> None:
        self.settings = settings
        self._seeds = random.Random(settings.seed)

    def configure(self, settings: AgentSettings) -> None:
        """Play differently from now on; a new seed begins its sequence anew."""
        if settings.seed != self.settings.seed:
            self._seeds = random.Random(settings.seed)
        self.settings = settings

    def new_game(self) -> None:
        """Begin the sequence of random numbers anew, so that games with a seed repeat."""
        self._seeds = random.Random(self.settings.seed)

    def choose(
        self,
        position: Position,
        limits: Limits,
        stopped: threading.Event,
        *,
        may_resign: bool = True,
        moves: tuple[Move, ...] | None = None,
        report: Report | None = None,
    ) -> Decision:
        """The move to play; with `stopped` set early, the best found so far, but a legal one.

        Only `moves` are considered if they are given; `report` is as for `think`.
        """
        if moves is None:
            moves = position.moves()
        if not moves:  # the game is over: what match runners accept then
            return Decision(PASS)
        if len(moves) == 1:
            return Decision(moves[0])
        thinking = self.think(position, limits, stopped, moves=moves, report=report)
        candidates = () if thinking is None else tuple(thinking.candidates())
        if thinking is None or thinking.visits == 0:
            return Decision(self._seeds.choice(moves))
        decision = Decision(candidates[0].move, candidates, thinking.visits)
        rate = self.settings.resign_rate
        enough = thinking.visits >= _RESIGN_VISITS
        if may_resign and rate is not None and enough and candidates[0].win_rate < rate:
            return attrs.evolve(decision, move=None)
        return decision

    def think(
        self,
        position: Position,
        limits: Limits,
        stopped: threading.Event,
        *,
        moves: tuple[Move, ...] | None = None,
        report: Report | None = None,
    ) -> Thinking | None:
        """Search a position that is not over; None if stopped before the search could begin.

        Only `moves` are considered if they are given. The time limit begins when the compiled
        code is ready.
        """
        kernel = wait_for_kernel(position.game, stopped)
        if kernel is None:
            return None
        from linage_bot.search.think import Thinking  # imports Numba

        if moves is None:
            moves = position.moves()
        seed = self._seeds.getrandbits(32)
        thinking = Thinking(kernel, position, moves, seed, self.settings.threads)
        if report is None:
            thinking.run(limits, stopped)
        else:
            thinking.run(limits, stopped, report.call, report.interval_seconds)
        return thinking
