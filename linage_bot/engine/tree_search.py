"""The tree searches of one engine; the last tree is reused if the game continues from it.

Pondering, closing and forking are handled here, as they decide which thread owns the tree.
"""

from __future__ import annotations

import random
import threading
import time
from typing import TYPE_CHECKING

import attrs

from linage_bot.engine.calls import Calls
from linage_bot.engine.jit.address_space import nodes_with_room
from linage_bot.engine.limits import Limits
from linage_bot.engine.processors import PROCESSORS
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.engine.solver.proven_values import ProvenValues, known
from linage_bot.engine.worker import Worker
from linage_bot.settings.playing import FULL_STRENGTH, KNOWING, NODE_BYTES, PlaySettings

if TYPE_CHECKING:
    from linage_bot.engine.analysis import Report
    from linage_bot.engine.jit.progress import OnCompile
    from linage_bot.engine.kernels.tuning import Tuning
    from linage_bot.engine.search.think import Search
    from linage_bot.rules.game import Move
    from linage_bot.rules.history import History

_PONDER_SECONDS = 600.0  # the opponent may never return


class TreeSearch:
    """The searches of one engine, and the tree kept between them.

    One call at a time, except for `close`. `search` and `begin` wait for pondering to end; methods
    that only change settings signal it to stop, and never wait.
    """

    def __init__(self, settings: PlaySettings, on_compile: OnCompile | None = None) -> None:
        self.settings = settings
        self.seeds = random.Random(settings.seed)
        self.count = 0  # searches that were requested
        self.calls = Calls(on_compile)
        self._kept: Search | None = None
        self._pondering: Worker[None] | None = None
        self._closing = threading.Lock()  # held while `calls.closed` is read or set

    @property
    def uses_solver(self) -> bool:
        """Whether the solver is on, and the level is not a weak one."""
        return self.settings.solver and self.settings.level >= KNOWING

    def configure(self, settings: PlaySettings) -> None:
        """Change the settings and forget the tree; a new seed restarts the random numbers."""
        self.forget()
        if settings.seed != self.settings.seed:
            self.seeds = random.Random(settings.seed)
        self.settings = settings

    def forget(self) -> None:
        """Signal pondering to stop, and discard the tree."""
        pondering = self._pondering  # which another thread may set to None
        if pondering is not None:
            pondering.stop()
        self._kept = None

    def close(self) -> None:
        """Stop pondering, discard the tree and start no more searches; from any thread."""
        with self._closing:
            self.calls.closed = True
            self.forget()

    def forked(self) -> bool:
        """Reset the locks in a forked child; return whether a lost thread was using the tree."""
        self._closing = threading.Lock()
        pondering, self._pondering = self._pondering, None
        broken_off = pondering is not None and not pondering.over
        if self.calls.forked() or broken_off:
            self.forget()
            return True
        return False

    def search(
        self,
        history: History,
        limits: Limits,
        stopped: threading.Event,
        moves: tuple[Move, ...] | None = None,
        report: Report | None = None,
        *,
        proven: ProvenValues | None = None,
        threads: int | None = None,
        for_move: bool = False,
    ) -> Search | None:
        """Search a position that is not over; return None if the search could not start.

        `threads`: their number, by default that of the settings.
        `proven`: its proven values, by default those of the table of solved boards.
        `for_move`: stop as soon as the choice cannot change any more.
        """
        began = time.monotonic()
        thinking = self.begin(history, stopped, moves, limits.patience_seconds)
        if thinking is None:
            return None
        if proven is None and self.uses_solver:
            proven = known(history.position)
        thinking.learn(proven, for_move=for_move)
        limits = limits.after_wait(time.monotonic() - began)
        thinking.run(
            limits,
            stopped,
            report,
            threads=threads,
            for_move=for_move,
            measure_lead=not for_move,
        )
        if not for_move and self.settings.seed is not None:
            self._kept = None  # an analysis depends on the clock; moves with a seed must not
        return thinking

    def begin(
        self,
        history: History,
        stopped: threading.Event,
        moves: tuple[Move, ...] | None = None,
        patience_seconds: float | None = None,
    ) -> Search | None:
        """Return a search of the position, reusing the kept one if the game continues from it.

        None if the engine is closed, or the compiled code was not ready in time.
        """
        self.stop_pondering()
        self.count += 1
        if self.calls.closed:
            return None
        position, forced_draws, kept = history.position, history.ways_back(), self._kept
        self._kept = None
        if kept is not None and moves is None:
            played = history.since(kept.position)
            goes_on = played == () and kept.forced_draws == forced_draws
            if goes_on or (played and kept.follow(played, position, forced_draws)):
                self._keep(kept)
                return kept
        seed = self.seeds.getrandbits(32)  # however the waiting ends, so that games repeat
        kernel = wait_for_kernel(position.game, stopped, patience_seconds)
        if kernel is None:
            return None
        from linage_bot.engine.search.think import Search  # imports Numba

        with PROCESSORS:
            thinking = Search(
                kernel,
                position,
                position.moves() if moves is None else moves,
                seed,
                threads=self.settings.threads,
                tuning=self._tuning(kernel.tuning_for(position.game.board)),
                most_nodes=nodes_with_room(self.settings.nodes, NODE_BYTES),
                forced_draws=forced_draws,
                network=self.settings.network,
                calibrates=self._calibrates,
            )
        if moves is None:
            self._keep(thinking)
        return thinking

    def _keep(self, thinking: Search) -> None:
        with self._closing:
            if not self.calls.closed:
                self._kept = thinking

    def _tuning(self, tuning: Tuning) -> Tuning:
        """Return the search parameters; without the solver, priors are off, too."""
        from linage_bot.engine.kernels.tuning import PLAIN_UCT

        if self.settings.search == "uct":
            tuning = PLAIN_UCT
        return tuning if self.uses_solver else attrs.evolve(tuning, prior_visits=0)

    @property
    def _calibrates(self) -> bool:
        """Whether the calibration was fitted to searches with these settings."""
        settings = self.settings
        return settings.level >= KNOWING and settings.search == "rave" and settings.network is None

    def ponder(self, history: History) -> None:
        """Search the opponent's moves in the background until the next search or stop."""
        over = history.position.over
        if not self.settings.ponder or over or self.settings.level < FULL_STRENGTH:
            return
        # The reply is sent only after this returns, so never wait for the compiler.
        thinking = self.begin(history, threading.Event(), patience_seconds=0.0)
        if thinking is None:
            return

        def run(stopped: threading.Event) -> None:
            if not stopped.is_set():
                thinking.run(Limits(seconds=_PONDER_SECONDS), stopped)

        with self._closing:
            if not self.calls.closed:
                self._pondering = Worker(run, name="ponder")
                self._pondering.begin()

    def stop_pondering(self) -> None:
        """End pondering, and wait until its tree is free."""
        if self._pondering is not None:
            self._pondering.stop()
            self._pondering.wait()
            self._pondering = None
