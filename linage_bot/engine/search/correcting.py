"""What is proven of moves, written over what a search thinks of them."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from linage_bot.engine.search.candidates import Candidate
from linage_bot.engine.solver.known import Proven, Span


def corrected(candidates: Sequence[Candidate], proven: Proven | None) -> list[Candidate]:
    """Candidates of the position with what is proven of it, best first.

    Where best moves are proven they come first, then other proven moves, the better ones first; of
    equal ones the one that the search puts first. No other move is told to get more than is proven
    possible.
    """
    if proven is None:
        return list(candidates)
    told = [_told(each, proven.of(each.move), points=proven.points) for each in candidates]
    by_lead = bool(proven.best)

    def rank(each: Candidate) -> tuple[bool, float, float]:
        exact = each.exact and by_lead
        lead = proven.of(each.move).low if exact else 0.0
        return not exact, -lead, -(0.5 if each.certain is None else each.certain)

    return sorted(told, key=rank)


def _told(each: Candidate, span: Span, *, points: bool) -> Candidate:
    certain = span.win_rate
    if span.exact and certain is not None:
        return attrs.evolve(
            each,
            visits=max(1, each.visits),  # worth telling, even where no search looked
            win_rate=certain,
            certain=certain,
            score_lead=span.low if points else 0.0,
            score_spread=0.0,
            exact=True,
        )
    lead = min(max(each.score_lead, span.low), span.high) if points else 0.0
    if certain is not None:
        return attrs.evolve(each, win_rate=certain, certain=certain, score_lead=lead)
    rate = each.win_rate
    if span.high == 0:
        rate = min(rate, 0.5)
    elif span.low == 0:
        rate = max(rate, 0.5)
    return attrs.evolve(each, win_rate=rate, score_lead=lead)
