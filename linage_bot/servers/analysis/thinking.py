"""Thinking about one question: a short proof if one is likely, then a search."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from linage_bot.engine.analysis import Analysis, Report
from linage_bot.engine.engine import Engine
from linage_bot.engine.pursuit import Pursuit
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.engine.solver.known import Proven
from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.servers.analysis.questions import Question
from linage_bot.servers.analysis.reports import ended, report_of
from linage_bot.servers.analysis.trees import Trees
from protocol.json_analysis import PositionReport

_PROOF_SLICE_SECONDS = 0.5


def think(
    question: Question,
    trees: Trees,
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
    proof = _proof(question, stopped)

    def partial(analysis: Analysis) -> None:
        tell(report_of(question, analysis.proven_by(proof), stopped))

    report = None if question.report_seconds is None else Report(partial, question.report_seconds)
    fresh = question.play.seed is not None or question.moves is not None
    engine = Engine(question.play) if fresh else trees.take(question)
    found = engine.analyse(
        question.history, question.limits, stopped, moves=question.moves, report=report
    )
    if not fresh:
        trees.put_back(engine, position, found.nodes)
    if not found.candidates:
        return None
    return report_of(question, found.proven_by(proof), stopped)


def _proof(question: Question, stopped: threading.Event) -> Proven | None:
    """What is proven at once, and what a search is likely to prove in its time."""
    position = question.history.position
    if not question.play.solver:
        return None
    pursuit = Pursuit(position)
    if not question.proof_seconds or not pursuit.short:
        return pursuit.proven
    loaded = wait_for_kernel(position.game, stopped) and wait_for_solver(position.game, stopped)
    until = time.monotonic() + question.proof_seconds
    while loaded and pursuit.ready and not stopped.is_set():
        left = until - time.monotonic()
        if left <= 0:
            break
        pursuit.run(stopped, min(left, _PROOF_SLICE_SECONDS))
    return pursuit.proven
