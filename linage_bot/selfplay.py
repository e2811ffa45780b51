"""Even openings from games of the engine against itself.

With the even komi, or after the even stone, equal engines win as often as they lose. So much play
says: what is even for this engine at so many visits, give or take the error told with it; nothing
is proven, and stronger play may find another value.
"""

from __future__ import annotations

import math
import statistics
import threading
from collections.abc import Callable, Sequence

from linage_bot.agent import Agent, AgentSettings
from linage_bot.fair import EvenKomi, Trial
from linage_bot.game import Game, Move, Player, Position
from linage_bot.search.limits import Limits

_WARM_UP = 4  # a first round of a quarter as many games finds a komi to play the others with
_LONGEST = 4  # turns a point; where stones are captured weak engines may go on for ever
_MEDIAN_ERROR = math.sqrt(math.pi / 2)  # of a median, in standard errors of a mean
_NEVER = threading.Event()


class SelfPlay:
    """One engine that plays both sides; the same seed gives the same games."""

    def __init__(
        self,
        visits: int,
        seed: int = 1,
        stopped: threading.Event = _NEVER,
        played: Callable[[Position], None] = lambda _position: None,
    ) -> None:
        """`played` is called with the last position of every game."""
        self._visits, self._limits = visits, Limits(visits=visits)
        self._agent = Agent(AgentSettings(visits=visits, seed=seed, resign_rate=None))
        self._stopped = stopped
        self._played = played

    def result(self, position: Position) -> Position:
        """The last position of a game from this one, broken off after `_LONGEST` turns a point.

        Raises `Stopped` when told to stop.
        """
        self._agent.forget()
        for _ in range(_LONGEST * position.game.board.count):
            if position.over:
                break
            decision = self._agent.choose(position, self._limits, self._stopped, may_resign=False)
            if self._stopped.is_set():
                raise Stopped
            assert decision.move is not None
            position = position.after(decision.move)
        self._played(position)
        return position

    def even_komi(self, game: Game, games: int) -> EvenKomi:
        """The even komi of a game with komi."""
        first_round = self._leads(game.with_komi(game.default_komi), max(1, games // _WARM_UP))
        leads = self._leads(game.with_komi(even(first_round, game)), games)
        komi = even(leads, game)
        spread = statistics.stdev(leads) if games > 1 else math.inf
        error = _MEDIAN_ERROR * spread / math.sqrt(games)
        return EvenKomi(komi, games, self._visits, error, _share_above(leads, komi))

    def _leads(self, game: Game, games: int) -> list[float]:
        """First's points less Second's without komi, of every game."""
        leads = []
        for _ in range(games):
            scores = self.result(game.start()).scores()
            assert scores is not None
            leads.append(scores[0] - scores[1] + game.komi)
        return leads

    def trial(self, game: Game, stone: Move, games: int) -> Trial:
        """How often First wins after a first stone."""
        wins = 0.0
        for _ in range(games):
            winner = self.result(game.start().play(stone)).result().winner
            wins += 0.5 if winner is None else winner is Player.FIRST
        return Trial(stone, games, wins / games)


class Stopped(Exception):
    """The games were broken off."""


def even(leads: Sequence[float], game: Game) -> float:
    """The komi of the game, without draws if it can be, that splits the leads most evenly."""
    middle = statistics.median(leads)
    draws_possible = game.with_komi(0.5).komi != 0.5
    near = math.floor(middle)
    choices = [near - 1, near, near + 1] if draws_possible else [near - 0.5, near + 0.5]
    return min(choices, key=lambda komi: (abs(_share_above(leads, komi) - 0.5), abs(komi - middle)))


def _share_above(leads: Sequence[float], komi: float) -> float:
    return sum(0.5 if lead == komi else lead > komi for lead in leads) / len(leads)
