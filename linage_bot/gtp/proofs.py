"""What is proven of moves, written over what a search thinks of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from linage_bot.game import Move

if TYPE_CHECKING:
    from linage_bot.search.tree import Candidate

PROOF_SECONDS = 1.0  # to prove what all moves get, where that is to be expected in the time


def with_leads(candidates: Sequence[Candidate], leads: Mapping[Move, float]) -> list[Candidate]:
    """Candidates with their proven leads, where there are any, best first.

    Of equal leads the one comes first that the search puts first; what is not proven comes last.
    """
    found = [_proven(each, leads[each.move]) if each.move in leads else each for each in candidates]
    return sorted(found, key=lambda each: (not each.exact, -each.score_lead * each.exact))


def _proven(candidate: Candidate, lead: float) -> Candidate:
    rate = 0.5 if lead == 0 else float(lead > 0)
    return attrs.evolve(
        candidate,
        visits=max(1, candidate.visits),  # worth telling, even where no search looked
        win_rate=rate,
        certain=rate,
        score_lead=lead,
        score_spread=0.0,
        exact=True,
    )
