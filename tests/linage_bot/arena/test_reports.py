"""Reports of other engines' searches as analyses."""

import pytest

from linage_bot.arena.reports import analysis_of_infos, analysis_of_line
from linage_bot.engine.solver.proven_values import Interval
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Player
from protocol.gtp.analysis import AnalysisLine, MoveInfo, Root, parse_analysis
from protocol.session.errors import RemoteProtocolError
from protocol.ugi.info import UgiInfo

LINAGE = GAMES["linage"].configure("5", 0.5).start()
SECOND_TO_MOVE = LINAGE.play("A1")
LEBLIN = GAMES["leblin"].configure("5").start()  # which counts no points


def test_a_line_is_seen_from_the_side_to_move():
    """An analysis of a position with Second to move is turned to First's view."""
    line = parse_analysis(
        "info move D4 visits 1 winrate 0.25 scoreLead -2 scoreStdev 3 order 1 pv D4 pass what"
        " info move C3 visits 3 winrate 0.75 scoreLead 2 order 0 pv C3"
    )
    analysis = analysis_of_line(SECOND_TO_MOVE, line)
    assert (analysis.viewer, analysis.visits, analysis.settled) == (Player.FIRST, 4, False)
    best, other = analysis.candidates
    assert (best.win_rate, best.lead, best.visits) == (0.25, -2, 3)
    assert (other.win_rate, other.lead, other.spread) == (0.75, 2, 3)
    assert other.line == (LINAGE.game.move("D4"), PASS)  # up to what is no move
    own = analysis.seen_by(Player.SECOND)
    assert (own.win_rate, own.lead) == (0.625, 1.0)


@pytest.mark.parametrize(
    ("position", "root", "interval"),
    [
        (LINAGE, Root(1.0, 3.5), Interval(3.5, 3.5)),
        (LINAGE, Root(1.0), Interval(low=0.5)),
        (LINAGE, Root(0.0), Interval(high=-0.5)),
        (LINAGE, Root(0.5), Interval(0, 0)),
        (LINAGE, Root(), Interval()),
        (LEBLIN, Root(0.0), Interval(-1, -1)),
    ],
)
def test_proven_values_of_the_position_are_kept(position, root, interval):
    """They settle the search only if the value of the position is known."""
    info = MoveInfo("C3", 9, root.winrate or 0.0, root.score_lead or 0.0, exact=True, certain=True)
    analysis = analysis_of_line(position, AnalysisLine((info,), None, root))
    assert (analysis.proven, analysis.settled) == (interval, interval.exact)
    assert analysis.win_rate == interval.win_rate or root == Root()
    assert analysis.best == ((position.game.move("C3"),) if interval.exact else ())


@pytest.mark.parametrize(
    ("fields", "win_rate"),
    [
        ({"score": 0}, 0.5),
        ({"score": 400}, 10 / 11),
        ({"score": -400}, 1 / 11),
        ({"score": 10**15}, 1.0),
        ({"score": 400, "chances": (300, 400, 300)}, 0.5),
        ({"mate": 3}, 1.0),
        ({"mate": -3}, 0.0),
    ],
)
def test_a_win_rate_is_read_or_estimated_from_the_score(fields, win_rate):
    """Chances and mates say it; a score alone is taken on the scale of Elo's ratings."""
    analysis = analysis_of_infos(LINAGE, {1: UgiInfo(pv=("C3",), nodes=7, **fields)})
    assert analysis.win_rate == pytest.approx(win_rate)
    assert (analysis.visits, analysis.nodes) == (7, 7)


@pytest.mark.parametrize(("score", "win_rate"), [(0, 0.5), (50, 0.75), (-100, 0.0), (900, 1.0)])
def test_a_score_without_points_is_the_expected_result(score, win_rate):
    """In games without points a score is read as our own engine sends it."""
    infos = {2: UgiInfo(pv=("D4",), score=-100), 1: UgiInfo(pv=("C3",), score=score)}
    analysis = analysis_of_infos(LEBLIN, infos)
    assert (analysis.win_rate, analysis.lead) == (win_rate, 0.0)
    assert LEBLIN.name_of(analysis.candidates[0].move) == "C3"


@pytest.mark.parametrize(
    ("move", "win_rate", "reason"),
    [("Z9", 0.5, "no move"), ("A1", 0.5, "illegal move"), ("C3", 1.5, "win rate")],
)
def test_what_cannot_be_is_the_engines_fault(move, win_rate, reason):
    """The error names the problem and quotes the word."""
    with pytest.raises(RemoteProtocolError, match=reason):
        analysis_of_line(SECOND_TO_MOVE, AnalysisLine((MoveInfo(move, 1, win_rate),)))
