"""What was thought of a position, as values: what a search or a proof found, for who is to move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from linage_bot.game import Move, Player, Position

if TYPE_CHECKING:
    from linage_bot.search.tree import Candidate


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
        """What the candidates amount to; None if none of them was looked at."""
        seen = tuple(each for each in candidates if each.visits)
        if not seen:
            return None
        first = position.to_move is Player.FIRST
        best = seen[0]
        return cls(
            sum(each.visits for each in seen),
            best.win_rate if first else 1 - best.win_rate,
            best.score_lead if first else -best.score_lead,
            seen,
            settled,
        )

    def replaces(self, earlier: Thought) -> bool:
        """Whether to believe this one rather than the earlier one."""
        return self.visits >= earlier.visits or (self.settled and not earlier.settled)
