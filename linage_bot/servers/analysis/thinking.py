"""Thinking about one question: a short proof if one is likely, then a search."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from linage_bot.engine.analysis import Analysis, Report
from linage_bot.engine.engine import Engine
from linage_bot.engine.proving import wait_for_code
from linage_bot.engine.solver.known import Proven
from linage_bot.engine.solver.proof import Proof
from linage_bot.servers.analysis.engine_pool import ClientEngines
from linage_bot.servers.analysis.questions import Question
from linage_bot.servers.analysis.reports import ended, report_of
from protocol.kata.messages import PositionReport


def think(
    question: Question,
    trees: ClientEngines,
    stopped: threading.Event,
    tell: Callable[[PositionReport], None] = lambda _report: None,
) -> PositionReport | None:
    """What a position is worth; None if `stopped` came before anything was found out.

    `tell` hears what was found so far, as often as the question says. With a seed and a limit of
    visits alone the answer is that of `kata-analyze` with this seed, after so many visits; then no
    tree is kept, as it would depend on what was asked before.
    """
    position = question.history.position
    if position.over:
        return report_of(question, ended(position), stopped)
    proof, seconds = _proof(question, stopped)

    def partial(analysis: Analysis) -> None:
        tell(report_of(question, analysis.proven_by(proof), stopped))

    report = None if question.report_seconds is None else Report(partial, question.report_seconds)
    fresh = question.play.seed is not None or question.moves is not None
    engine = Engine(question.play) if fresh else trees.take(question)
    limits = question.limits.less(seconds)
    found = engine.analyse(question.history, limits, stopped, moves=question.moves, report=report)
    if not fresh:
        trees.put_back(engine, position, found.nodes)
    if not found.candidates:  # stopped before the search began
        if proof is None or not proof.good or question.moves is not None:
            return None
        found = Analysis.of_proof(position, proof)
    return report_of(question, found.proven_by(proof), stopped)


def _proof(question: Question, stopped: threading.Event) -> tuple[Proven | None, float]:
    """Return what is proven of a position, and how many seconds its proof took.

    A proof is tried where it is likely in the time that the question has for it. The time to load
    code is not counted, as in a search.
    """
    position, most = question.history.position, question.proof_seconds
    if not question.play.solver:
        return None, 0.0
    proof = Proof(position, most)
    if proof.finished or not wait_for_code(position.game, stopped):
        return proof.proven, 0.0
    began = time.monotonic()
    proof.run(stopped)
    return proof.proven, time.monotonic() - began
