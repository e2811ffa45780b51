"""Searching one position after another: the last tree is continued where the game goes on from it.

Pondering, the end of an engine and forked children are here, as they decide who owns the tree.
"""

from __future__ import annotations

import contextlib
import random
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from linage_bot.engine.jit.room import nodes_with_room
from linage_bot.engine.limits import Limits
from linage_bot.engine.processors import PROCESSORS
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.engine.solver.known import Proven, known
from linage_bot.engine.worker import Worker
from linage_bot.settings.playing import FULL_STRENGTH, KNOWING, NODE_BYTES, PlaySettings

if TYPE_CHECKING:
    from linage_bot.engine.analysis import Report
    from linage_bot.engine.kernels.tuning import Tuning
    from linage_bot.engine.search.think import Thinking
    from linage_bot.rules.game import Move
    from linage_bot.rules.history import History

_PONDER_SECONDS = 600.0  # the opponent may have gone for good


class TreeSearch:
    """The searches of one engine.

    One thread at a time, but for `close`. `search` and `begin` wait for the end of pondering; what
    only changes how to play tells it to stop, and waits for nothing.
    """

    def __init__(self, settings: PlaySettings) -> None:
        self.settings = settings
        self.seeds = random.Random(settings.seed)
        self.count = 0  # searches that were asked for
        self.closed = False
        self._kept: Thinking | None = None
        self._pondering: Worker[None] | None = None
        self._closing = threading.Lock()  # held while `closed` is looked at or set
        self._busy: int | None = None  # the thread that searches or proves

    @property
    def uses_solver(self) -> bool:
        """Whether the solver is wanted, and not a weak level."""
        return self.settings.solver and self.settings.level >= KNOWING

    def configure(self, settings: PlaySettings) -> None:
        """Search differently from now on; a new seed begins its sequence anew."""
        self.forget()
        if settings.seed != self.settings.seed:
            self.seeds = random.Random(settings.seed)
        self.settings = settings

    def forget(self) -> None:
        """Tell pondering to stop, and begin the next search from nothing."""
        pondering = self._pondering  # which a search may be ending meanwhile
        if pondering is not None:
            pondering.stop()
        self._kept = None

    def close(self) -> None:
        """Begin no more searches, and keep no tree; at any time, from any thread."""
        with self._closing:
            self.closed = True
            self.forget()

    def forked(self) -> bool:
        """Begin anew in a forked child; return whether a thread that it lacks was at work."""
        self._closing = threading.Lock()
        pondering, self._pondering = self._pondering, None
        broken_off = pondering is not None and not pondering.over
        if broken_off or self._busy not in (None, threading.get_ident()):
            self._busy = None
            self.forget()
            return True
        return False

    @contextlib.contextmanager
    def busy(self) -> Iterator[None]:
        """Surround whatever leaves a tree or a proof half changed if its thread ends."""
        self._busy = threading.get_ident()
        try:
            yield
        finally:
            self._busy = None

    def search(
        self,
        history: History,
        limits: Limits,
        stopped: threading.Event,
        moves: tuple[Move, ...] | None = None,
        report: Report | None = None,
        *,
        proven: Proven | None = None,
        for_move: bool = False,
    ) -> Thinking | None:
        """Search a position that is not over; return None if the search could not begin.

        `proven`: what is known of it, by default what the table of solved boards proves.
        `for_move`: stop as soon as the choice cannot change any more.
        """
        began = time.monotonic()
        thinking = self.begin(history, stopped, moves, limits.patience_seconds)
        if thinking is None:
            return None
        if proven is None and self.uses_solver:
            proven = known(history.position)
        thinking.learn(proven, for_move=for_move)
        limits = limits.waited(time.monotonic() - began)
        with self.busy():
            thinking.run(limits, stopped, report, for_move=for_move)
        if not for_move and self.settings.seed is not None:
            self._kept = None  # how far an analysis came depends on the clock: play must not
        return thinking

    def begin(
        self,
        history: History,
        stopped: threading.Event,
        moves: tuple[Move, ...] | None = None,
        patience_seconds: float | None = None,
    ) -> Thinking | None:
        """Return a search of the position, the kept one if the game went on from it."""
        self.stop_pondering()
        self.count += 1
        if self.closed:
            return None
        position, drawn, kept = history.position, history.ways_back(), self._kept
        self._kept = None
        if kept is not None and moves is None:
            played = history.since(kept.position)
            goes_on = played == () and kept.drawn == drawn
            if goes_on or (played and kept.follow(played, position, drawn)):
                self._keep(kept)
                return kept
        seed = self.seeds.getrandbits(32)  # however the waiting ends, so that games repeat
        kernel = wait_for_kernel(position.game, stopped, patience_seconds)
        if kernel is None:
            return None
        from linage_bot.engine.search.think import Thinking  # imports Numba

        with PROCESSORS:
            thinking = Thinking(
                kernel,
                position,
                position.moves() if moves is None else moves,
                seed,
                threads=self.settings.threads,
                tuning=self._tuning(kernel.tuning_for(position.game.board)),
                most_nodes=nodes_with_room(self.settings.nodes, NODE_BYTES),
                drawn=drawn,
            )
        if moves is None:
            self._keep(thinking)
        return thinking

    def _keep(self, thinking: Thinking) -> None:
        with self._closing:
            if not self.closed:
                self._kept = thinking

    def _tuning(self, tuning: Tuning) -> Tuning:
        """Return how to search: without the solver, without what moves promise, too."""
        from linage_bot.engine.kernels.tuning import PLAIN_UCT

        if self.settings.search == "uct":
            tuning = PLAIN_UCT
        return tuning if self.uses_solver else attrs.evolve(tuning, prior_visits=0)

    def ponder(self, history: History) -> None:
        """Search in the background, about the opponent's move, until anything else is asked."""
        over = history.position.over
        if not self.settings.ponder or over or self.settings.level < FULL_STRENGTH:
            return
        # The answer is waiting for this to begin, so there is no patience with a compiler.
        thinking = self.begin(history, threading.Event(), patience_seconds=0.0)
        if thinking is None:
            return

        def run(stopped: threading.Event) -> None:
            if not stopped.is_set():
                thinking.run(Limits(seconds=_PONDER_SECONDS), stopped)

        with self._closing:
            if not self.closed:
                self._pondering = Worker(run, name="ponder")
                self._pondering.begin()

    def stop_pondering(self) -> None:
        """End pondering, and wait until its tree is free."""
        if self._pondering is not None:
            self._pondering.stop()
            self._pondering.wait()
            self._pondering = None
