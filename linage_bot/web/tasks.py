"""Pieces of thinking for a thread of their own: values that say all there is to do.

`run` is called on that thread, with an event that says to stop; what it returns goes back to the
session, on the reactor's thread.
"""

from __future__ import annotations

import threading

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import Decision, Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.owners import with_owners
from linage_bot.engine.pie import offer as opening
from linage_bot.engine.pursuit import Pursuit
from linage_bot.engine.solver.known import Proven
from linage_bot.rules.game import Game, Move, Player, Position
from linage_bot.rules.history import History
from linage_bot.web.thoughts import Thought

SLICE_SECONDS = 0.2  # of an analysis, before it is somebody else's turn
GLANCE_VISITS = 800  # at each position for the graph
MOST_VISITS = 300_000  # then an analysis rests
_MOST_NODES = 1_000_000  # 72 MB


@attrs.frozen(eq=False)
class ChooseMove:
    """Choose the engine's move; the result is a `Decision`."""

    engine: Engine
    history: History
    urgent = True

    @property
    def position(self) -> Position:
        """The position to move in."""
        return self.history.position

    def run(self, stopped: threading.Event) -> Decision:
        """Think as long as the engine's settings say."""
        return self.engine.play(self.history, stopped=stopped)


@attrs.frozen
class Offer:
    """What a pie begins with: a komi, or the first stone."""

    komi: float | None = None
    stone: Move | None = None


@attrs.frozen(eq=False)
class OfferPie:
    """Choose the engine's offer; the result is an `Offer`."""

    engine: Engine
    game: Game
    urgent = True

    def run(self, stopped: threading.Event) -> Offer:
        """Think as long as about one move."""
        settings = self.engine.settings
        if self.game.pie == "komi":
            return Offer(komi=opening.even_komi(self.game, settings, settings.limits, stopped))
        return Offer(stone=opening.even_stone(self.game, settings, settings.limits, stopped))


@attrs.frozen(eq=False)
class ChooseSide:
    """Choose the engine's side of an offer; the result is a `Player`."""

    engine: Engine
    game: Game
    stone: Move | None  # None: the offer is the game's komi
    urgent = True

    def run(self, stopped: threading.Event) -> Player:
        """Think as long as about one move."""
        settings = self.engine.settings
        if self.stone is None:
            return opening.side_for_komi(self.game, settings, settings.limits, stopped)
        return opening.side_for_stone(self.game, self.stone, settings, settings.limits, stopped)


@attrs.frozen(eq=False)
class Analyse:
    """Think about a position for a slice of time; the result is a `Thought` or None."""

    engine: Engine
    history: History
    ownership: bool
    urgent = False

    @property
    def position(self) -> Position:
        """The position to think about."""
        return self.history.position

    def run(self, stopped: threading.Event) -> Thought | None:
        """Go on from what was found before."""
        limits = Limits(visits=MOST_VISITS, seconds=SLICE_SECONDS)
        analysis = self.engine.analyse(self.history, limits, stopped)
        thought = _thought(analysis)
        if thought is None or not self.ownership or stopped.is_set():
            return thought
        return attrs.evolve(thought, ownership=with_owners(analysis, stopped).owners)


@attrs.frozen(eq=False)
class Glance:
    """Look at a position for the graph; the result is a `Thought` or None."""

    engine: Engine
    history: History
    urgent = False

    @property
    def position(self) -> Position:
        """The position to look at."""
        return self.history.position

    def run(self, stopped: threading.Event) -> Thought | None:
        """Think for a few visits, with a tree of their own."""
        engine = Engine(self.engine.settings)
        return _thought(engine.analyse(self.history, Limits(GLANCE_VISITS), stopped))


@attrs.frozen(eq=False)
class Prove:
    """Go on with a proof for a slice of time; the result is what is `Proven`."""

    pursuit: Pursuit
    urgent = False

    @property
    def position(self) -> Position:
        """The position to solve."""
        return self.pursuit.position

    def run(self, stopped: threading.Event) -> Proven:
        """What is proven at the end of the slice."""
        return self.pursuit.run(stopped)


Task = ChooseMove | OfferPie | ChooseSide | Analyse | Glance | Prove
Found = Decision | Offer | Player | Thought | Proven | None  # by the tasks, in their order


def _thought(analysis: Analysis) -> Thought | None:
    full = analysis.full or analysis.nodes >= _MOST_NODES
    certain = analysis.settled and not analysis.full and analysis.visits < MOST_VISITS
    settled = certain or full or analysis.visits >= MOST_VISITS
    own = analysis.seen_by(analysis.position.to_move)
    return Thought.of(own.position, own.candidates, settled=settled, full=full and not certain)
