"""What a search thinks of positions, each by itself, so that their values can be compared.

The value of a move is that of the position after it, found by a search of its own with the same
limits: a search of the position before gives moves that it dislikes few visits, and flatters
all by the weak answers it tried. So the best move and the move played are judged alike.
"""

import math
import threading

from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.review.facts import ReviewSettings, Value
from linage_bot.rules.game import Move, Player, Position, Result
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlaySettings


class Opinions:
    """Searches positions; each search begins from nothing, with the same seed."""

    def __init__(self, settings: ReviewSettings, stopped: threading.Event) -> None:
        self._limits = Limits(settings.most_visits, settings.seconds)
        self._settings = PlaySettings(threads=settings.threads, seed=settings.seed)
        self._stopped = stopped

    def of(self, history: History) -> tuple[Value, tuple[Move, ...]]:
        """What a position is worth, and the line of play that the search expects."""
        position = history.position
        if position.over:
            return final_value(position), ()
        engine = Engine(self._settings)
        analysis = engine.analyse(history, self._limits, self._stopped, proofs=False)
        best, won = analysis.candidates[0], float(position.to_move is Player.FIRST)
        proven = best.certain == won or all(
            each.certain is not None for each in analysis.candidates
        )
        rate = best.win_rate
        error = 0.0 if proven else math.sqrt(rate * (1 - rate) / max(1, best.visits))
        score = best.lead if position.game.counts_points else None
        return Value(rate, score, analysis.visits, error, certain=proven), best.line


def final_value(position: Position) -> Value:
    """What a finished game is worth."""
    scores = position.scores()
    score = None if scores is None else scores[0] - scores[1]
    return Value(_rate(position.result()), score, certain=True, exact=True)


def _rate(result: Result) -> float:
    """First's win rate where the result is known."""
    return 0.5 if result.winner is None else float(result.winner is Player.FIRST)
