"""Analysis for the user, at full strength at any level of play, and explanations in words.

At a lower level a second engine analyses, with a search tree and random numbers of its own. So an
analysis makes the player's later moves neither stronger nor otherwise different.
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
        """Return the engine that searches, with these settings except for the level."""
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
        """Analyse a position that is not over; reuse the last analysis if it was of this one."""
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
    """Return whether a decision's reason is valid at any level: proof, rule or only legal move."""
    single = not decision.analysis.candidates and len(decision.analysis.position.moves()) < 2
    return decision.exact or decision.back or single


def reason_for(decision: Decision) -> str:
    """Return the reason for a move, in words."""
    if decision.back:
        return "repeats an earlier position: all other moves look worse than a draw"
    position = decision.analysis.position
    own = decision.analysis.seen_by(position.to_move)
    chosen = [each for each in own.candidates if decision.move in (each.move, None)]
    if not chosen:
        return "nothing to choose" if len(position.moves()) < 2 else "no time to search"
    why = "proven" if decision.exact else f"{own.visits} visits"
    if own.proven.exact and not decision.exact:  # but the move that achieves it is unknown
        lead = own.proven.low
        result = "won" if lead > 0 else "lost" if lead < 0 else "drawn"
        why += f" ({f'{lead:+g}' if position.game.counts_points else result} by proof)"
    return in_words(position, chosen[0], why)
