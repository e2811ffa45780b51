"""What a search thinks of one move, as a value."""

from __future__ import annotations

import attrs

from linage_bot.rules.game import Move


@attrs.frozen
class Candidate:
    """What the search thinks of one move, seen by the player who makes it."""

    move: Move
    visits: int
    win_rate: float  # 0 to 1; a draw counts one half
    score_lead: float  # points; 0 in games without scores
    score_spread: float  # standard deviation of the playouts' leads
    line: tuple[Move, ...]  # the principal variation, beginning with the move
    certain: float | None = None  # the proven result as a win rate
    exact: bool = False  # whether the lead is proven, too


def rank(candidate: Candidate) -> tuple[float, int, float]:
    """What to sort candidates by, best first: certainty, visits, win rate."""
    certain = 0.5 if candidate.certain is None else candidate.certain
    return -certain, -candidate.visits, -candidate.win_rate
