"""What was thought of a position, as values: what a search or a proof found, for who is to move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from linage_bot.game import Move, Player, Position

if TYPE_CHECKING:
    from linage_bot.search.tree import Candidate

_FEW_VISITS = 3000


@attrs.frozen
class Exact:
    """What is proven of a position of Linage: scores are First's less Second's, komi included."""

    score: float | None  # None: not proven so far
    best: tuple[Move, ...]
    moves: dict[Move, float]  # the moves whose score is proven


@attrs.frozen
class Thought:
    """What a search thinks of a position; rates and leads are First's, best move first."""

    visits: int
    win_rate: float
    lead: float
    candidates: tuple[Candidate, ...]  # as seen by the player to move
    settled: bool = False  # more thinking would add nothing, or cost too much memory
    ownership: tuple[float, ...] | None = None  # First's, 1 to -1, row by row from the bottom

    @classmethod
    def of(
        cls, position: Position, candidates: tuple[Candidate, ...], *, settled: bool = False
    ) -> Thought | None:
        """What the candidates amount to; None if none of them was looked at.

        After few visits the best move is best by luck, which flatters who is to move; the mean
        over all visits does not.
        """
        seen = tuple(each for each in candidates if each.visits)
        if not seen:
            return None
        visits = sum(each.visits for each in seen)
        judged = seen[:1] if visits >= _FEW_VISITS or seen[0].certain is not None else seen
        weight = sum(each.visits for each in judged)
        rate = sum(each.visits * each.win_rate for each in judged) / weight
        lead = sum(each.visits * each.score_lead for each in judged) / weight
        first = position.to_move is Player.FIRST
        return cls(visits, rate if first else 1 - rate, lead if first else -lead, seen, settled)

    def replaces(self, earlier: Thought) -> bool:
        """Whether to believe this one rather than the earlier one."""
        return self.visits >= earlier.visits or (self.settled and not earlier.settled)
