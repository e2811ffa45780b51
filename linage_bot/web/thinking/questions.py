"""Searches for a page's questions, such as a hint or the loss of a move, and their limits.

The answer is sent to that page only, not to all viewers of the table. A known answer is sent at
once; others need a search of at most about a second.
"""

import math
import threading

import attrs

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.engine.solver.proven_values import Interval, ProvenValues, known
from linage_bot.jobs.sticky import StickyObject
from linage_bot.review.facts import MoveReview, Value
from linage_bot.review.judging import Opinion, opinion_of
from linage_bot.review.summary import is_mistake
from linage_bot.rules.game import PASS, Move, Player
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlaySettings

HINT = Limits(20_000, 1.0)
_LOOK = Limits(4000, 0.5)  # for each of the two positions compared
_LONG_LOOK = Limits(10_000, 1.5)  # the same for an attempt, which nobody plays against
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


@attrs.frozen(kw_only=True)
class Attempt:
    """The check of a learner's move in place of a mistake, and its loss against the best move."""

    right: bool  # as good as the best move: its loss would not count as a mistake
    win_rate: float  # lost, 0 to 1
    points: float  # lost; 0 in games that count none
    proven: bool
    line: tuple[Move, ...]  # the move and the best play after it

    @classmethod
    def of(
        cls,
        win_loss: float,
        score_loss: float | None,
        line: tuple[Move, ...],
        *,
        error: float = 0.0,
        proven: bool,
    ) -> "Attempt":
        """Return the check of a move with these losses; `error` is as in `MoveReview`."""
        return cls(
            right=not is_mistake(win_loss, score_loss, error, exact=proven),
            win_rate=win_loss,
            points=score_loss or 0.0,
            proven=proven,
            line=line,
        )

    @classmethod
    def known(cls, judged: MoveReview, move: Move) -> "Attempt | None":
        """Return a review's judgement of the move played or the best one; None for any other."""
        if move == judged.best:
            return cls.of(0.0, None, judged.line, proven=judged.exact)
        if move != judged.move:
            return None
        line = (move, *judged.reply)
        return cls.of(
            judged.win_loss, judged.score_loss, line, error=judged.error, proven=judged.exact
        )


@attrs.frozen(eq=False)
class JudgeAttempt:
    """A task that compares a learner's move with the best one that a review found."""

    settings: PlaySettings
    history: History
    best: Move
    move: Move

    def run(self, stopped: threading.Event) -> Attempt:
        """Return the proven loss, or if it is open the difference of two equal searches.

        Each search starts from an empty tree, as those of a review do.
        """
        position, player = self.history.position, self.history.position.to_move
        proven = Engine(self.settings).prove(position, _LOOK.seconds or 0.0, stopped, wait=False)
        proven = proven or known(position)
        loss = proven and proven_loss(proven, self.move)
        played, reply = self._opinion(self.move, stopped)
        line = (self.move, *reply)
        if loss:
            return Attempt.of(loss.win_rate, loss.points, line, proven=True)
        best, _ = self._opinion(self.best, stopped)
        had, has = best.score_of(player), played.score_of(player)
        return Attempt.of(
            max(0.0, best.win_rate_of(player) - played.win_rate_of(player)),
            None if had is None or has is None else max(0.0, had - has),
            line,
            error=math.hypot(best.error, played.error),
            proven=best.exact and played.exact,
        )

    def _opinion(self, move: Move, stopped: threading.Event) -> Opinion:
        after = self.history.play(move)
        found = Engine(self.settings).analyse(after, _LONG_LOOK, stopped, proofs=False)
        if not found.candidates and not found.position.over:  # stopped: nobody waits for it
            return Value(0.5, None), ()
        return opinion_of(found)


Asked = FindBestMove | CompareMove | JudgeAttempt
Answer = Advice | Loss | Attempt
