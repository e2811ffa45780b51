"""What a search thinks of positions, each by itself, so that their values can be compared.

The value of a move is that of the position after it, found by a search of its own with the same
limits: a search of the position before gives moves that it dislikes few visits, and flatters
all by the weak answers it tried. So the best move and the move played are judged alike.
"""

import math

from linage_bot.engine.engine import Engine
from linage_bot.review.facts import Value
from linage_bot.rules.game import Move, Player
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlaySettings


def opinion(history: History, settings: PlaySettings) -> tuple[Value, tuple[Move, ...]]:
    """What a position is worth, and the line of play that the search expects.

    Each search begins from nothing, with the same seed.
    """
    position = history.position
    if position.over:
        scores, winner = position.scores(), position.result().winner
        score = None if scores is None else scores[0] - scores[1]
        rate = 0.5 if winner is None else float(winner is Player.FIRST)
        return Value(rate, score, certain=True, exact=True), ()
    analysis = Engine(settings).analyse(history, proofs=False)
    best, won = analysis.candidates[0], float(position.to_move is Player.FIRST)
    proven = best.certain == won or all(each.certain is not None for each in analysis.candidates)
    rate = best.win_rate
    error = 0.0 if proven else math.sqrt(rate * (1 - rate) / max(1, best.visits))
    score = best.lead if position.game.counts_points else None
    return Value(rate, score, analysis.visits, error, certain=proven), best.line
