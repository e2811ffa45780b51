"""What a search thinks of a position, as a value, with what is proven written over it."""

from __future__ import annotations

import attrs

from linage_bot.engine.analysis import Analysis, Candidate
from linage_bot.engine.solver.known import Proven
from linage_bot.rules.game import Player, Position

_FEW_VISITS = 3000


@attrs.frozen
class Thought:
    """What a search thinks of a position; rates and leads are First's, best move first."""

    visits: int
    win_rate: float
    lead: float
    candidates: tuple[Candidate, ...]  # as seen by the player to move
    settled: bool = False  # more thinking would add nothing, or find no memory
    full: bool = False  # memory is used up
    ownership: tuple[float, ...] | None = None  # First's, 1 to -1, row by row from the bottom

    @classmethod
    def of(
        cls,
        position: Position,
        candidates: tuple[Candidate, ...],
        *,
        settled: bool = False,
        full: bool = False,
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
        lead = sum(each.visits * each.lead for each in judged) / weight
        if position.to_move is Player.SECOND:
            rate, lead = 1 - rate, -lead
        return cls(visits, rate, lead, seen, settled, full)

    def told_by(self, proven: Proven | None, position: Position) -> Thought:
        """The thought with what is proven of the position in place of what it guesses."""
        if proven is None:
            return self
        mover = position.to_move
        own = Analysis(position=position, candidates=self.candidates, viewer=mover)
        candidates = own.proven_by(proven).candidates
        rate, lead = proven.value.win_rate, proven.lead
        sign = 1 if position.to_move is Player.FIRST else -1
        return attrs.evolve(
            self,
            win_rate=self.win_rate if rate is None else rate if sign > 0 else 1 - rate,
            lead=self.lead if lead is None or not proven.points else sign * lead,
            candidates=candidates,
        )

    def replaces(self, earlier: Thought) -> bool:
        """Whether to believe this one rather than the earlier one."""
        return self.visits >= earlier.visits or (self.settled and not earlier.settled)
