"""Search tasks, to run on a thread or on another machine: values that contain all they need.

`run` is called there, with an event that stops it. Its result goes back to the session, on the
reactor's thread. Search state is a `StickyObject`, kept where it was made.
"""

import math
import threading
from functools import partial
from time import monotonic

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.clocks import Clock
from linage_bot.engine.decision import Decision
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.pie.offer import FairPie
from linage_bot.engine.processors import search_threads
from linage_bot.engine.proving import analysis_seconds
from linage_bot.engine.rollouts import limits_of_clock, with_owners
from linage_bot.engine.search.loading import begin
from linage_bot.jobs.sticky import StickyObject
from linage_bot.records.tree import ROOT
from linage_bot.rules.game import Game, Move
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.table import moves
from linage_bot.web.table.game import Change
from linage_bot.web.thinking.questions import Answer, Asked
from linage_bot.web.thinking.reviewer import ReviewJob, ReviewResult

QUICK_SEARCH_VISITS = 800  # at each position for the graph
SLICE_SECONDS = 0.2  # of an analysis, before other tasks get their turn
MOST_VISITS = 300_000  # of an analysis; no more are made
_LEAST_VISITS = 50  # of a move, even in a hurry


@attrs.frozen
class ChooseMove:
    """A task that chooses an engine's move, within its settings' limits and its clock, if any."""

    engine: StickyObject[Engine]
    history: History
    clock: Clock | None = attrs.field(default=None, eq=False)

    def run(self, stopped: threading.Event) -> Decision:
        """Return the engine's decision. If stopped before any visit, search very briefly.

        With a seed, earlier searches have no influence, so that the same position gets the same
        move on every worker.
        """
        engine = self.engine.here
        if engine.settings.seed is not None:
            engine = Engine(engine.settings)
        limits = self._limits(engine.settings)
        decision = engine.play(self.history, limits, stopped)
        hurried = stopped.is_set() and not decision.analysis.visits
        # A stop while code is compiled is no hurry: the move is no longer wanted.
        if hurried and begin(self.history.game).loaded is not None:
            visits = min(limits.visits or _LEAST_VISITS, _LEAST_VISITS)
            limits = attrs.evolve(Limits.of(engine.settings), visits=visits)
            return engine.play(self.history, limits)
        return decision

    def _limits(self, settings: PlaySettings) -> Limits:
        """Return the search limits. The clock is stopped while code is compiled."""
        limits = Limits.of(settings)
        if self.clock is None:
            return limits
        most = math.inf if limits.seconds is None else limits.seconds
        timed = limits_of_clock(self.clock, self.history, limits.visits, most)
        return attrs.evolve(timed, clock_seconds=None)


@attrs.frozen
class ResolvePie:
    """A task that makes the engine's pie offer or chooses its side, with the time of one move."""

    settings: PlaySettings
    game: Game
    stone: Move | None  # the offered stone, if the offer is one
    offered: bool

    def run(self, stopped: threading.Event) -> Change:
        """Return the engine's action."""
        game, pie = self.game, FairPie(self.game, self.settings, stopped=stopped)
        if self.offered or self.stone is not None:
            return partial(moves.choose, player=pie.side(self.stone), by_engine=True)
        if game.pie == "komi":
            return partial(moves.offer, komi=pie.even_komi(), by_engine=True)
        return partial(moves.play, move=pie.even_stone(), node=ROOT, by_engine=True)


@attrs.frozen(eq=False)
class Analyse:
    """A task that searches and proves a position for one time slice, continuing earlier slices."""

    engine: StickyObject[Engine]
    node: int  # in the tree
    history: History
    ownership: bool

    def run(self, stopped: threading.Event, processors: int = 1) -> Analysis:
        """Return the analysis so far, with the points' owners if they are wanted."""
        engine, limits, began = self.engine.here, Limits(MOST_VISITS, SLICE_SECONDS), monotonic()
        seconds = analysis_seconds(self.history.position)
        threads = max(engine.settings.threads, search_threads(processors))
        analysis = engine.analyse(
            self.history, limits, stopped, proof_seconds=seconds, wait=False, threads=threads
        )
        if self.ownership and analysis.candidates and not stopped.is_set():
            analysis = with_owners(analysis, stopped)
        if engine.proving:  # perhaps it waits for code: do not spin
            stopped.wait(max(0.0, began + SLICE_SECONDS - monotonic()))
            return analysis
        return attrs.evolve(analysis, settled=analysis.settled or analysis.visits >= MOST_VISITS)


@attrs.frozen(eq=False)
class QuickSearch:
    """A task that searches a position for the graph, with a few visits in a tree of its own."""

    settings: PlaySettings
    node: int
    history: History

    def run(self, stopped: threading.Event) -> Analysis:
        """Return the analysis."""
        return Engine(self.settings).analyse(self.history, Limits(QUICK_SEARCH_VISITS), stopped)


@attrs.frozen(eq=False)
class Judge:
    """A task that continues a review for one time slice, which is too short to be stopped."""

    judging: StickyObject[ReviewJob]

    def run(self, _stopped: threading.Event, processors: int = 1) -> ReviewResult:
        """Return the review's progress, or all that it has found."""
        return self.judging.here.run(processors)


Urgent = ChooseMove | ResolvePie  # a player waits for these
AnalysisTask = Analyse | QuickSearch  # these are stored in the cache
Task = Urgent | AnalysisTask | Judge | Asked
Found = Decision | Change | Analysis | ReviewResult | Answer
