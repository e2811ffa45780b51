"""Moves by proof: which of the solver's searches proves a position, and how long it may take."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from linage_bot.engine.limits import DEFAULT_SECONDS, Limits
from linage_bot.engine.pursuit import Pursuit
from linage_bot.engine.search.loading import begin, wait_for_kernel
from linage_bot.engine.solver.known import Proven, Span
from linage_bot.engine.solver.loading import solver_ready, wait_for_solver
from linage_bot.engine.solver.methods import method_of
from linage_bot.rules.game import Game, Position

if TYPE_CHECKING:
    from linage_bot.engine.search.think import Thinking
    from linage_bot.engine.solver.sums.endgame import Endgame
    from linage_bot.engine.solver.wins import Wins

_ENDGAME_SHARE = 0.25  # of a move's time
_WINS_SHARE = 0.6  # where a search without proofs finds little
_REFUTING_SHARE = 0.5  # of what is left for that, for each move that is perhaps refuted
_MOST_REFUTED = 8
_NODES = 5_000  # where there is a limit on visits, at least,
_NODES_PER_VISIT = 0.5  # and for many visits: together they take as long as a quarter of them
_SOON_WITHIN_REACH = 60  # points of a region: not so many moves later a proof may be had


class Prover:
    """Proves moves in one game after another, once the code that it needs is loaded."""

    def __init__(self) -> None:
        self._endgame: Endgame | None = None
        self._wins: Wins | None = None

    def prove(
        self, position: Position, limits: Limits, stopped: threading.Event, *, wait: bool
    ) -> tuple[Proven | None, Limits]:
        """What is proven of a good move, if there is one, and the limits that are left.

        Without a good one: what was looked at ahead. Then it pays to `avoid_refuted` moves.

        `wait` for code that is not there yet, so that the answer is the same the next time.
        """
        by_nodes = limits.bounded_by_visits
        prover: Endgame | Wins | None
        method = method_of(position.game)
        small = method.values_regions and method.size(position) <= method.soon
        patient = not by_nodes and limits.clock_seconds is None and small
        prover, share = self._endgame_for(position, stopped, wait=wait or patient), _ENDGAME_SHARE
        if prover is None:
            prover, share = self._wins_for(position, stopped, wait=wait), _WINS_SHARE
        if prover is None:
            return self._pursued(position, limits, stopped)
        started = time.monotonic()
        proven = prover.best(position, stopped, *_bounds(limits, share))
        return proven, limits.less(time.monotonic() - started)

    def avoid_refuted(self, thinking: Thinking, limits: Limits, stopped: threading.Event) -> None:
        """Find out whether the opponent can be proven to win after the move that looks best.

        If so it is lost, and the next one is looked at, while there is time.
        """
        wins, position = self._wins, thinking.position
        if wins is None:
            return
        for _ in range(_MOST_REFUTED):
            best = thinking.searched()[0]
            bounded = limits.seconds or limits.bounded_by_visits
            if best.certain is not None or stopped.is_set() or not bounded:
                return
            started = time.monotonic()
            seconds, nodes = _bounds(limits, _REFUTING_SHARE)
            found = wins.ahead(position.after(best.move), stopped, seconds, nodes)
            if found is None or found.value.low <= 0:
                return
            lost = Proven(Span(), {best.move: Span(-1, -1)}, points=False)
            thinking.learn(lost.together(thinking.proven), for_move=True)
            limits = limits.less(time.monotonic() - started)

    def _pursued(
        self, position: Position, limits: Limits, stopped: threading.Event
    ) -> tuple[Proven | None, Limits]:
        """What a second of alpha-beta proves, in games for which there is nothing better.

        Not where visits are the limit, for this goes by the clock, nor for fast moves: the code is
        waited for, and a slice may take longer than asked for.
        """
        seconds = DEFAULT_SECONDS if limits.seconds is None else limits.seconds
        patient = limits.visits is None and limits.clock_seconds is None and seconds >= 1
        if not patient or method_of(position.game).values_regions:
            return None, limits
        pursuit = Pursuit(position)
        if not pursuit.short:
            return None, limits
        loaded = wait_for_kernel(position.game, stopped) and wait_for_solver(position.game, stopped)
        if not loaded or not pursuit.ready:
            return None, limits
        started = time.monotonic()
        proven = pursuit.run(stopped, _ENDGAME_SHARE * seconds)
        return proven if proven.best else None, limits.less(time.monotonic() - started)

    def _endgame_for(
        self, position: Position, stopped: threading.Event, *, wait: bool
    ) -> Endgame | None:
        """What solves sums, if the position is one, perhaps within reach, and it is loaded."""
        method = method_of(position.game)
        if not method.values_regions or method.size(position) > _SOON_WITHIN_REACH:
            return None
        if not _loaded(position.game, stopped, wait=wait):
            return None
        from linage_bot.engine.solver.sums.endgame import Endgame  # imports Numba

        if self._endgame is None:
            self._endgame = Endgame()
        return self._endgame

    def _wins_for(self, position: Position, stopped: threading.Event, *, wait: bool) -> Wins | None:
        """What proves wins, in games where that pays and once it is loaded."""
        game = position.game
        if method_of(game).values_regions:
            return None
        kernel = wait_for_kernel(game, stopped) if wait else begin(game).loaded
        if kernel is None or not kernel.provable:
            return None
        if not _loaded(game, stopped, wait=wait):
            return None
        from linage_bot.engine.solver.wins import Wins  # imports Numba

        if self._wins is None or self._wins.game != game:
            self._wins = Wins(game, kernel)
        return self._wins


def _bounds(limits: Limits, share: float) -> tuple[float | None, int | None]:
    """Return how many seconds and nodes a proof may take, with this share of a move's time.

    A limit on visits bounds the nodes, whether a clock runs or not: the smaller limit holds.
    """
    seconds = nodes = None
    if limits.visits is not None:
        nodes = max(_NODES, int(_NODES_PER_VISIT * limits.visits))
    if not limits.bounded_by_visits:
        seconds = share * (DEFAULT_SECONDS if limits.seconds is None else limits.seconds)
    return seconds, nodes


def _loaded(game: Game, stopped: threading.Event, *, wait: bool) -> bool:
    """Whether the solver is there; unless it is to be waited for, the search's code comes first."""
    if wait:
        return wait_for_solver(game, stopped)
    return begin(game).loaded is not None and solver_ready(game)
