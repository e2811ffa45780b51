"""Pieces of thinking, to be done on a thread or on another machine: values that say all there is.

`run` is called there, with an event that says to stop; what it returns goes back to the session, on
the reactor's thread. What was found before is `StickyObject` where it was found.
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
from linage_bot.engine.outlook import limits_of_clock, with_owners
from linage_bot.engine.pie.offer import FairPie
from linage_bot.engine.proving import ANALYSIS_SECONDS
from linage_bot.engine.search.loading import begin
from linage_bot.jobs.sticky import StickyObject
from linage_bot.records import ROOT
from linage_bot.rules.game import Game, Move
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.table.game import TableAction, TableGame
from linage_bot.web.thinking.questions import Answer, Asked
from linage_bot.web.thinking.reviewer import ReviewJob, ReviewResult

GLANCE_VISITS = 800  # at each position for the graph
SLICE_SECONDS = 0.2  # of an analysis, before it is somebody else's turn
MOST_VISITS = 300_000  # then it rests
_LEAST_VISITS = 50  # of a move, even if it is to be made now


@attrs.frozen
class ChooseMove:
    """Choose the engine's move, as long as its settings say, and its clock if there is one."""

    engine: StickyObject[Engine]
    history: History
    clock: Clock | None = attrs.field(default=None, eq=False)

    def run(self, stopped: threading.Event) -> Decision:
        """Its decision; who is stopped before there is any thought at least has a look.

        With a seed nothing that was found before has a say, so that the same position gets the same
        move wherever it is thought about.
        """
        engine = self.engine.here
        if engine.settings.seed is not None:
            engine = Engine(engine.settings)
        limits = self._limits(engine.settings)
        decision = engine.play(self.history, limits, stopped)
        hurried = stopped.is_set() and not decision.analysis.visits
        # Who is stopped while code is compiled is not hurried: nobody wants the move any more.
        if hurried and begin(self.history.game).loaded is not None:
            visits = min(limits.visits or _LEAST_VISITS, _LEAST_VISITS)
            look = attrs.evolve(Limits.of(engine.settings), visits=visits)
            return engine.play(self.history, look)
        return decision

    def _limits(self, settings: PlaySettings) -> Limits:
        """How long to think. The clock stands still as long as the compiler works."""
        limits = Limits.of(settings)
        if self.clock is None:
            return limits
        most = math.inf if limits.seconds is None else limits.seconds
        timed = limits_of_clock(self.clock, self.history, limits.visits, most)
        return attrs.evolve(timed, clock_seconds=None)


@attrs.frozen
class ResolvePie:
    """Make the engine's offer or choose its side, thinking as long as about one move."""

    settings: PlaySettings
    game: Game
    stone: Move | None  # that is offered, if it is one
    offered: bool

    def run(self, stopped: threading.Event) -> TableAction:
        """What it does."""
        game, pie = self.game, FairPie(self.game, self.settings, stopped=stopped)
        if self.offered or self.stone is not None:
            return partial(TableGame.choose, player=pie.side(self.stone), by_engine=True)
        if game.pie == "komi":
            return partial(TableGame.offer, komi=pie.even_komi(), by_engine=True)
        return partial(TableGame.play, move=pie.even_stone(), at=ROOT, by_engine=True)


@attrs.frozen(eq=False)
class Analyse:
    """Search and prove a position for a slice of time, going on from what was found before."""

    engine: StickyObject[Engine]
    at: int  # in the tree
    history: History
    ownership: bool

    def run(self, stopped: threading.Event) -> Analysis:
        """What is thought so far; with the points' owners if they are wanted."""
        engine, limits, began = self.engine.here, Limits(MOST_VISITS, SLICE_SECONDS), monotonic()
        analysis = engine.analyse(
            self.history, limits, stopped, proof_seconds=ANALYSIS_SECONDS, wait=False
        )
        if self.ownership and analysis.candidates and not stopped.is_set():
            analysis = with_owners(analysis, stopped)
        if engine.proving:  # perhaps code is waited for, and nothing else is to be done
            stopped.wait(max(0.0, began + SLICE_SECONDS - monotonic()))
            return analysis
        return attrs.evolve(analysis, settled=analysis.settled or analysis.visits >= MOST_VISITS)


@attrs.frozen(eq=False)
class QuickSearch:
    """Look at a position for the graph: for a few visits, with a tree of their own."""

    settings: PlaySettings
    at: int
    history: History

    def run(self, stopped: threading.Event) -> Analysis:
        """What is thought of it."""
        return Engine(self.settings).analyse(self.history, Limits(GLANCE_VISITS), stopped)


@attrs.frozen(eq=False)
class Judge:
    """Go on with a review for a slice of time; it is too short to be stopped."""

    judging: StickyObject[ReviewJob]

    def run(self, _stopped: threading.Event) -> ReviewResult:
        """How far it is, or all that it has found."""
        return self.judging.here.run()


Urgent = ChooseMove | ResolvePie  # what somebody waits for
Note = Analyse | QuickSearch  # what goes into the notebook
Task = Urgent | Note | Judge | Asked
Found = Decision | TableAction | Analysis | ReviewResult | Answer
