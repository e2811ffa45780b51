"""Pieces of thinking for a thread of their own: values that say all there is to do.

`run` is called on that thread, with an event that says to stop and a function for news on the way;
what it returns goes back to the session, on the reactor's thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs

from linage_bot.engine.engine import Agent, Decision, MovesSince, Report
from linage_bot.engine.limits import Limits
from linage_bot.engine.pie import offer as opening
from linage_bot.engine.pursuit import Pursuit
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.engine.solver.known import Proven
from linage_bot.rules.game import Game, Move, Player, Position
from linage_bot.web.thoughts import Thought

if TYPE_CHECKING:
    from linage_bot.engine.search.think import Thinking

SLICE_SECONDS = 0.3  # of an analysis, before it is somebody else's turn
GLANCE_VISITS = 800  # at each position for the graph
MOST_VISITS = 300_000  # then an analysis rests
_MOST_NODES = 1_000_000  # 72 MB
_TELL_SECONDS = 0.2
_OWNERSHIP_POINTS = 15_000  # to look at: 10 to 30 ms

Tell = Callable[[Thought], None]


@attrs.frozen(eq=False)
class ChooseMove:
    """Choose the engine's move; the result is a `Decision`."""

    agent: Agent
    position: Position
    moves_since: MovesSince
    urgent = True

    def run(self, stopped: threading.Event, _tell: Tell) -> Decision:
        """Think as long as the agent's settings say."""
        limits = self.agent.settings.limits
        return self.agent.choose(self.position, limits, stopped, moves_since=self.moves_since)


@attrs.frozen
class Offer:
    """What a pie begins with: a komi, or the first stone."""

    komi: float | None = None
    stone: Move | None = None


@attrs.frozen(eq=False)
class OfferPie:
    """Choose the engine's offer; the result is an `Offer`."""

    agent: Agent
    game: Game
    urgent = True

    def run(self, stopped: threading.Event, _tell: Tell) -> Offer:
        """Think as long as about one move."""
        settings = self.agent.settings
        if self.game.pie == "komi":
            return Offer(komi=opening.even_komi(self.game, settings, settings.limits, stopped))
        return Offer(stone=opening.even_stone(self.game, settings, settings.limits, stopped))


@attrs.frozen(eq=False)
class ChooseSide:
    """Choose the engine's side of an offer; the result is a `Player`."""

    agent: Agent
    game: Game
    stone: Move | None  # None: the offer is the game's komi
    urgent = True

    def run(self, stopped: threading.Event, _tell: Tell) -> Player:
        """Think as long as about one move."""
        settings = self.agent.settings
        if self.stone is None:
            return opening.side_for_komi(self.game, settings, settings.limits, stopped)
        return opening.side_for_stone(self.game, self.stone, settings, settings.limits, stopped)


@attrs.frozen(eq=False)
class Analyse:
    """Think about a position for a slice of time; the result is a `Thought` or None."""

    agent: Agent
    position: Position
    moves_since: MovesSince
    ownership: bool
    urgent = False

    def run(self, stopped: threading.Event, tell: Tell) -> Thought | None:
        """Go on from what was found before; news every fifth of a second."""

        def report(thinking: Thinking) -> None:
            if (thought := self._thought(thinking)) is not None:
                tell(thought)

        thinking = self.agent.think(
            self.position,
            Limits(visits=MOST_VISITS, seconds=SLICE_SECONDS),
            stopped,
            report=Report(report, _TELL_SECONDS),
            moves_since=self.moves_since,
        )
        thought = None if thinking is None else self._thought(thinking)
        if thought is None or not self.ownership or stopped.is_set():
            return thought
        return attrs.evolve(thought, ownership=_owners(self.position, thought, stopped))

    def _thought(self, thinking: Thinking) -> Thought | None:
        certain = all(each.certain is not None for each in thinking.searched()[:1])
        full = thinking.full or thinking.nodes >= _MOST_NODES
        settled = certain or full or thinking.visits >= MOST_VISITS
        return Thought.of(
            self.position, tuple(thinking.candidates()), settled=settled, full=full and not certain
        )


@attrs.frozen(eq=False)
class Glance:
    """Look at a position for the graph; the result is a `Thought` or None."""

    agent: Agent
    position: Position
    urgent = False

    def run(self, stopped: threading.Event, _tell: Tell) -> Thought | None:
        """Think for a few visits, with a tree of their own."""
        limits = Limits(GLANCE_VISITS)
        thinking = Agent(self.agent.settings).think(self.position, limits, stopped)
        if thinking is None:
            return None
        return Thought.of(self.position, tuple(thinking.candidates()))


@attrs.frozen(eq=False)
class Prove:
    """Go on with a proof for a slice of time; the result is what is `Proven`."""

    pursuit: Pursuit
    urgent = False

    @property
    def position(self) -> Position:
        """The position to solve."""
        return self.pursuit.position

    def run(self, stopped: threading.Event, _tell: Tell) -> Proven:
        """What is proven at the end of the slice."""
        return self.pursuit.run(stopped)


Task = ChooseMove | OfferPie | ChooseSide | Analyse | Glance | Prove
Found = Decision | Offer | Player | Thought | Proven | None  # by the tasks, in their order


def _owners(
    position: Position, thought: Thought, stopped: threading.Event
) -> tuple[float, ...] | None:
    """How much First will own of each point after the best line, row by row from the bottom."""
    kernel = wait_for_kernel(position.game, stopped)
    if kernel is None:
        return None
    from linage_bot.engine.search.ownership import ownership  # imports Numba

    board = position.game.board
    line, count = thought.candidates[0].line, min(100, _OWNERSHIP_POINTS // board.count)
    # Always the same seed: the numbers change when the line does, not by chance.
    means = ownership(kernel, position, line, count, seed=1)
    rows = [means[start : start + board.columns] for start in range(0, len(means), board.columns)]
    return tuple(mean for row in reversed(rows) for mean in row)
