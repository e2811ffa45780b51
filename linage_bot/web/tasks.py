"""Pieces of thinking for a thread of their own: values that say all there is to do.

`run` is called on that thread, with an event that says to stop; what it returns goes back to the
session, on the reactor's thread.
"""

import threading
from functools import partial

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import Decision, Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.outlook import with_owners
from linage_bot.engine.pie import offer as pie
from linage_bot.engine.pursuit import Pursuit
from linage_bot.engine.solver.known import Proven
from linage_bot.records import ROOT
from linage_bot.review import Review
from linage_bot.rules.game import Game, Move
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.course import Course, Deed
from linage_bot.web.reviewer import Reviewer, Underway

GLANCE_VISITS = 800  # at each position for the graph
SLICE_SECONDS = 0.2  # of an analysis, before it is somebody else's turn
MOST_VISITS = 300_000  # then it rests


@attrs.frozen
class ChooseMove:
    """Choose the engine's move, as long as its settings say."""

    engine: Engine
    history: History

    def run(self, stopped: threading.Event) -> Decision:
        """Its decision."""
        return self.engine.play(self.history, stopped=stopped)


@attrs.frozen
class EatPie:
    """Make the engine's offer or choose its side, thinking as long as about one move."""

    settings: PlaySettings
    game: Game
    stone: Move | None  # that is offered, if it is one
    offered: bool

    def run(self, stopped: threading.Event) -> Deed:
        """What it does."""
        game, how = self.game, (self.settings, Limits.of(self.settings), stopped)
        if self.stone is not None:
            side = pie.side_for_stone(game, self.stone, *how)
            return partial(Course.choose, player=side, by_engine=True)
        if self.offered:
            side = pie.side_for_komi(game, *how)
            return partial(Course.choose, player=side, by_engine=True)
        if game.pie == "komi":
            return partial(Course.offer, komi=pie.even_komi(game, *how), by_engine=True)
        return partial(Course.play, move=pie.even_stone(game, *how), at=ROOT, by_engine=True)


@attrs.frozen(eq=False)
class Analyse:
    """Think about a position for a slice of time, going on from what was found before."""

    engine: Engine
    at: int  # in the tree
    history: History
    ownership: bool

    def run(self, stopped: threading.Event) -> Analysis:
        """What is thought so far; with the points' owners if they are wanted."""
        analysis = self.engine.analyse(self.history, Limits(MOST_VISITS, SLICE_SECONDS), stopped)
        if self.ownership and analysis.candidates and not stopped.is_set():
            analysis = with_owners(analysis, stopped)
        return attrs.evolve(analysis, settled=analysis.settled or analysis.visits >= MOST_VISITS)


@attrs.frozen(eq=False)
class Glance:
    """Look at a position for the graph: for a few visits, with a tree of their own."""

    settings: PlaySettings
    at: int
    history: History

    def run(self, stopped: threading.Event) -> Analysis:
        """What is thought of it."""
        return Engine(self.settings).analyse(self.history, Limits(GLANCE_VISITS), stopped)


@attrs.frozen(eq=False)
class Prove:
    """Go on with a proof for a slice of time."""

    pursuit: Pursuit
    at: int
    history: History

    def run(self, stopped: threading.Event) -> Proven:
        """What is proven at the end of the slice."""
        return self.pursuit.run(stopped)


@attrs.frozen(eq=False)
class Judge:
    """Go on with a review for a slice of time; it is too short to be stopped."""

    reviewer: Reviewer

    def run(self, _stopped: threading.Event) -> Underway | Review:
        """How far it is, or all that it has found."""
        return self.reviewer.run()


Urgent = ChooseMove | EatPie  # what somebody waits for
Note = Analyse | Glance | Prove  # what goes into the notebook
Task = Urgent | Note | Judge
Found = Decision | Deed | Analysis | Proven | Underway | Review
