"""The analysis of one position: a short proof if one is likely, then a search."""

from __future__ import annotations

import threading
from collections.abc import Callable

import attrs

from linage_bot.engine.analysis import Analysis, Report
from linage_bot.engine.engine import Engine
from linage_bot.engine.processors import search_threads
from linage_bot.jobs.sticky import StickyObject
from linage_bot.servers.analysis.engine_pool import ClientEngines
from linage_bot.servers.analysis.questions import Question
from linage_bot.servers.analysis.reports import report_of
from protocol.kata.messages import PositionReport


@attrs.frozen
class AnalysePosition:
    """A job that analyses the position of a question with the engines of its client."""

    question: Question
    engines: StickyObject[ClientEngines]

    def run(
        self,
        stopped: threading.Event,
        report: Callable[[PositionReport], None] = lambda _report: None,
        processors: int = 1,
    ) -> PositionReport | None:
        """Return the result; None if `stopped` is set before anything is found.

        `report` is called with partial results, as often as the question requests.
        """
        if stopped.is_set():
            return None
        return think(self.question, self.engines.here, stopped, report, processors)


def think(
    question: Question,
    trees: ClientEngines,
    stopped: threading.Event,
    report: Callable[[PositionReport], None] = lambda _report: None,
    processors: int = 1,
) -> PositionReport | None:
    """Return the report of a position; None if `stopped` was set before there was a result.

    `report` is called with partial results, as often as the question requests. `processors` are
    idle, and search the position if the question allows it. With a seed and a limit of visits alone
    the result is that of `kata-analyze` with this seed and this number of visits. No tree is stored
    then, as the result would depend on earlier questions.
    """
    position, limits = question.history.position, question.limits

    def partial(analysis: Analysis) -> None:
        report(report_of(question, analysis, stopped))

    periodic = None if question.report_seconds is None else Report(partial, question.report_seconds)
    fresh = question.play.seed is not None or question.moves is not None
    engine = Engine(question.play) if fresh else trees.take(question)
    share = 0.0 if question.proof_seconds == 0 else 1.0
    if limits.seconds and question.proof_seconds is not None:
        share = min(1.0, question.proof_seconds / limits.seconds)
    found = engine.analyse(
        question.history,
        limits,
        stopped,
        moves=question.moves,
        report=periodic,
        proof_share=share,
        proof_seconds=question.proof_seconds,
        threads=search_threads(processors) if question.spreads else None,
    )
    if not fresh:
        trees.put_back(engine, position, found.nodes)
    if not found.candidates and not position.over:  # stopped before the search began
        if found.proofs is None or not found.proofs.good or question.moves is not None:
            return None
        found = Analysis.of_proof(position, found.proofs)
    return report_of(question, found, stopped)
