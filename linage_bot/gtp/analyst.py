"""Answers what a user asks to analyse, at full strength whatever the level of play; and in words.

At a lower level another engine does so, with a search tree and random numbers of its own: what is
played is neither stronger nor otherwise different after an analysis.
"""

import threading

import attrs

from linage_bot.engine.analysis import Analysis, Report
from linage_bot.engine.decision import Decision
from linage_bot.engine.engine import Engine
from linage_bot.engine.limits import Limits
from linage_bot.gtp.graphics import in_words
from linage_bot.rules.history import History
from linage_bot.settings.playing import FULL_STRENGTH, PlaySettings

_EXPLAINING_SECONDS = 1.0  # for the move of a weak level: some clients ask after each


class UserAnalyst:
    """The analyst beside a player of a lower level."""

    def __init__(self) -> None:
        self._engine: Engine | None = None
        self._latest: Analysis | None = None

    def engine(self, settings: PlaySettings) -> Engine:
        """The engine that searches; it has these settings but for the level."""
        if self._engine is None:
            self._engine = Engine(settings, level=FULL_STRENGTH)
        return self._engine

    def forget(self) -> None:
        """Begin the next search from nothing, with the settings that are given then."""
        engine, self._engine, self._latest = self._engine, None, None
        if engine is not None:
            engine.close()

    def examine(
        self,
        settings: PlaySettings,
        history: History,
        limits: Limits,
        stopped: threading.Event,
        report: Report | None,
    ) -> Analysis:
        """Analyse a position that is not over, unless that was what it did last."""
        found = self._latest
        if found is None or found.position is not history.position or not found.candidates:
            engine = self.engine(settings)
            decision = engine.play(history, limits, stopped, may_resign=False, report=report)
            found = self._latest = decision.analysis
        return found

    def explain(
        self,
        settings: PlaySettings,
        history: History,
        limits: Limits,
        stopped: threading.Event,
    ) -> str:
        """Describe the prospects of the last move, which a player with these settings chose."""
        before, move = history.back(1), history.moves[-1]
        if limits.visits is None and limits.seconds is not None:
            seconds = min(limits.seconds, _EXPLAINING_SECONDS)
            limits = attrs.evolve(limits, seconds=seconds, extra_seconds=0.0)
        found = self.engine(settings).analyse(before, limits, stopped, moves=(move,))
        own = found.seen_by(before.position.to_move)
        chosen = f"chosen at level {settings.level}"
        if not own.candidates:
            return chosen
        why = "proven" if own.candidates[0].exact else f"{own.visits} visits"
        return in_words(before.position, own.candidates[0], f"{why}, {chosen}")


def is_certain(decision: Decision) -> bool:
    """Whether the reason for a decision holds at any level: a proof, a rule, a lone legal move."""
    single = not decision.analysis.candidates and len(decision.analysis.position.moves()) < 2
    return decision.exact or decision.back or single


def reason_for(decision: Decision) -> str:
    """Say why a move was chosen."""
    if decision.back:
        return "back to where the game was before: all else looks worse than a draw"
    position = decision.analysis.position
    own = decision.analysis.seen_by(position.to_move)
    chosen = [each for each in own.candidates if decision.move in (each.move, None)]
    if not chosen:
        return "nothing to choose" if len(position.moves()) < 2 else "no time to think"
    why = "proven" if decision.exact else f"{own.visits} visits"
    if own.proven.exact and not decision.exact:  # but nobody knows by which move
        lead = own.proven.low
        result = "won" if lead > 0 else "lost" if lead < 0 else "drawn"
        why += f" ({f'{lead:+g}' if position.game.counts_points else result} by proof)"
    return in_words(position, chosen[0], why)
