"""Searches for a page's questions, a hint or the loss of a move, and their limits.

The answer is sent to that page only, not to all viewers of the table. A known answer is sent at
once; others need a search of at most about a second.
"""

import threading

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.solver.proven_values import Interval, ProvenValues, known
from linage_bot.jobs.sticky import StickyObject
from linage_bot.rules.game import PASS, Move, Player
from linage_bot.rules.history import History

HINT = Limits(20_000, 1.0)
_LOOK = Limits(4000, 0.5)  # for each of the two positions compared
_LARGE_RATE, _LARGE_POINTS = 0.2, 4.0  # lost by a large mistake
_PASS_RATE, _PASS_POINTS = 0.08, 1.0  # by a pass: search errors are usually smaller


@attrs.frozen(kw_only=True)
class Advice:
    """The best known move and its value, from the side of the player to move."""

    move: Move
    only: bool = False  # the only legal move
    win_rate: float | None = None
    certain: float | None = None  # the proven result as a win rate
    lead: float | None = None  # None if unknown, or if the game counts no points
    exact: bool = False  # whether the lead is proven, too
    value: float | None = None  # the position's proven value, if the move's is an estimate

    @classmethod
    def of(cls, analysis: Analysis, move: Move | None = None) -> "Advice":
        """Return the searched and proven value of a move, by default of the best known one."""
        position = analysis.position
        own, points = analysis.seen_by(position.to_move), position.game.counts_points
        if move is None:
            move = own.best[0] if own.best else own.candidates[0].move
        for each in own.candidates:
            if each.move == move:
                return cls(
                    move=move,
                    win_rate=each.win_rate,
                    certain=each.certain,
                    lead=each.lead if points else None,
                    exact=each.exact,
                    value=own.proven.low if own.estimated and own.proven.exact else None,
                )
        if move not in own.best:
            return cls(move=move)
        rate, exact = own.proven.win_rate, own.proven.exact
        lead = own.proven.low if exact and points else None
        return cls(move=move, win_rate=rate, certain=rate, lead=lead, exact=exact)


@attrs.frozen(kw_only=True)
class Loss:
    """The loss of a move against the best one, from its player's side."""

    win_rate: float  # 0 to 1
    points: float  # 0 in games that count none
    proven: bool
    best: Move | None  # a better one, if it loses anything
    serious: bool  # worth a warning

    @classmethod
    def between(
        cls, best: "_Worth", played: "_Worth", move: Move, *, points: bool = True
    ) -> "Loss":
        """Return the loss of `move`, whose value is `played`."""
        rate = max(0.0, best.win_rate - played.win_rate)
        lost = max(0.0, best.lead - played.lead) if points else 0.0
        proven = best.proven and played.proven
        most = (_PASS_RATE, _PASS_POINTS) if move == PASS else (_LARGE_RATE, _LARGE_POINTS)
        serious = rate >= most[0] or lost >= most[1]
        if proven and move == PASS:
            serious = rate > 0 or lost > 0
        better = best.move if rate or lost else None
        return cls(win_rate=rate, points=lost, proven=proven, best=better, serious=serious)


@attrs.frozen(kw_only=True)
class _Worth:
    """The value of a position or a move to a player."""

    win_rate: float
    lead: float
    proven: bool
    move: Move | None = None  # the best one

    @classmethod
    def of(cls, span: Interval, lead: float, move: Move | None = None) -> "_Worth | None":
        """Return a proven value with this lead; None if the result is open."""
        rate = span.win_rate
        return None if rate is None else cls(win_rate=rate, lead=lead, proven=True, move=move)


@attrs.frozen(eq=False)
class FindBestMove:
    """A task that finds the best move."""

    engine: StickyObject[Engine]
    history: History

    def run(self, stopped: threading.Event) -> Advice:
        """Return the best move, found by proof or by search."""
        decision = self.engine.here.play(self.history, HINT, stopped, may_resign=False)
        move = decision.move
        assert move is not None, "it may not resign"
        return Advice.of(decision.analysis, move)


@attrs.frozen(eq=False)
class CompareMove:
    """A task that compares a move with the best one."""

    engine: StickyObject[Engine]
    history: History
    move: Move

    def run(self, stopped: threading.Event) -> Loss:
        """Return the proven loss, or if it is open the difference of two equally long searches."""
        position = self.history.position
        engine = self.engine.here
        # Until the solver is compiled, use the table of solved boards and searches.
        proven = engine.prove(position, _LOOK.seconds or 0.0, stopped, wait=False)
        proven = proven or known(position)
        loss = proven and proven_loss(proven, self.move)
        if loss:
            return loss
        best = self._worth(self.history, position.to_move, stopped)
        played = self._worth(self.history.play(self.move), position.to_move, stopped)
        return Loss.between(best, played, self.move, points=position.game.counts_points)

    def _worth(self, history: History, player: Player, stopped: threading.Event) -> _Worth:
        position = history.position
        if position.over:
            end = position.result()
            rate, lead = end.win_rate_of(player), end.lead_of(player)
            return _Worth(win_rate=rate, lead=lead, proven=True)
        found = self.engine.here.analyse(history, _LOOK, stopped, proof_share=0.0)
        seen, move = found.seen_by(player), None
        if found.candidates:
            move = found.candidates[0].move
        rate = 0.5 if seen.win_rate is None else seen.win_rate
        exact = seen.proven.exact
        return _Worth(win_rate=rate, lead=seen.lead or 0.0, proven=exact, move=move)


def proven_loss(proven: ProvenValues, move: Move) -> Loss | None:
    """Return the proven minimum loss of a move; None if it is open."""
    value, got = proven.value, proven.of(move)
    if not value.exact or not (got.exact or got.high < value.low):
        return None
    move_best = next(iter(proven.best), None)
    best = _Worth.of(value, value.low, move_best)
    # If a move is known to be worse, but not by how much, use the smallest loss.
    rate = got.win_rate
    played = _Worth.of(got, got.high) if rate is not None else None
    if best is None or played is None:
        return None
    return Loss.between(best, played, move, points=proven.points)


Asked = FindBestMove | CompareMove
Answer = Advice | Loss
