"""The report about a partly proven position."""

import threading

from linage_bot.engine.analysis import Analysis, Candidate
from linage_bot.engine.solver.proven_values import Interval, ProvenValues
from linage_bot.servers.analysis.reports import report_of
from tests.linage_bot.servers.analysis.asking import Asked


def test_the_root_has_at_least_the_visits_of_its_moves() -> None:
    """The root has at least as many visits as its moves, even with proven moves unvisited."""
    question = Asked().question()
    candidates = tuple(
        Candidate(move=move, visits=visits, win_rate=0.5, line=(move,))
        for move, visits in ((1, 40), (2, 0), (3, 0))
    )
    analysis = Analysis(
        position=question.history.position, candidates=candidates, visits=40
    ).proven_by(
        ProvenValues(Interval(), {2: Interval(1.5, 1.5), 3: Interval(0.5, 0.5)}, points=True)
    )
    report = report_of(question, analysis, threading.Event())
    assert sorted(each.visits for each in report.moves) == [1, 1, 40]
    assert report.root.visits == 42
