"""What a search thinks of positions, each by itself, so that their values can be compared.

The value of a move is that of the position after it, found by a search of its own with the same
limits: a search of the position before gives moves that it dislikes few visits, and flatters
all by the weak answers it tried. So the best move and the move played are judged alike.
"""

from __future__ import annotations

import math
import threading

from linage_bot.engine.engine import Agent, AgentSettings
from linage_bot.engine.limits import Limits
from linage_bot.review.facts import ReviewSettings, Value
from linage_bot.rules.game import Move, Player, Position, Result


class Opinions:
    """Searches positions; each search begins from nothing, with the same seed."""

    def __init__(self, settings: ReviewSettings, stopped: threading.Event) -> None:
        self._limits = Limits(settings.most_visits, settings.seconds)
        self._settings = AgentSettings(threads=settings.threads, seed=settings.seed)
        self._stopped = stopped

    def of(self, position: Position) -> tuple[Value, tuple[Move, ...]]:
        """What a position is worth, and the line of play that the search expects."""
        if position.over:
            return final_value(position), ()
        thinking = Agent(self._settings).think(position, self._limits, self._stopped)
        assert thinking is not None  # nobody sets `stopped`: an interrupt is an exception
        found = thinking.searched()
        best = found[0]
        proven = best.certain == 1 or all(each.certain is not None for each in found)
        rate, lead = best.win_rate, best.score_lead
        if position.to_move is Player.SECOND:
            rate, lead = 1 - rate, -lead
        error = 0.0 if proven else math.sqrt(rate * (1 - rate) / max(1, best.visits))
        score = lead if position.game.counts_points else None
        return Value(rate, score, thinking.visits, error, certain=proven), best.line


def final_value(position: Position) -> Value:
    """What a finished game is worth."""
    scores = position.scores()
    score = None if scores is None else scores[0] - scores[1]
    return Value(_rate(position.result()), score, certain=True, exact=True)


def _rate(result: Result) -> float:
    """First's win rate where the result is known."""
    return 0.5 if result.winner is None else float(result.winner is Player.FIRST)
