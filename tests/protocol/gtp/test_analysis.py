"""AnalysisLine lines, both directions, and the arguments that ask for them."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.gtp.analysis import (
    AnalysisLine,
    AnalyzeRequest,
    MoveInfo,
    Restriction,
    Root,
    analyze_line,
    kata_line,
    lz_line,
    parse_analysis,
    parse_analyze_arguments,
)
from protocol.session.arguments import Colour
from protocol.session.errors import CommandFailed, RemoteProtocolError

D4 = MoveInfo("D4", 836, 0.47, 1.5, 0.08, 0, ("D4", "Q16"), 9.0)
PASS = MoveInfo("pass", 3, 1.0, -0.00001, 0.5, 1)


def test_kata_lines_look_as_katago_writes_them():
    """Word for word with signs and roundings, as GUIs parse them; without candidates no line."""
    assert kata_line([D4, PASS]) == (
        "info move D4 visits 836 utility -0.06 winrate 0.470000 scoreMean 1.5 scoreStdev 9"
        " scoreLead 1.5 scoreSelfplay 1.5 prior 0.08 lcb 0.436167 utilityLcb -0.127666"
        " order 0 pv D4 Q16"
        " info move pass visits 3 utility 1 winrate 1.000000 scoreMean 0 scoreStdev 0"
        " scoreLead 0 scoreSelfplay 0 prior 0.5 lcb 1.000000 utilityLcb 1 order 1 pv pass"
    )
    assert kata_line([D4], [1, -0.5, 0.12345]).endswith(" pv D4 Q16 ownership 1 -0.5 0.123")
    assert kata_line([]) == kata_line([], [1]) == ""


def test_lz_lines_count_in_ten_thousandths():
    """Win rate, prior and lcb as clients of Leela Zero read them."""
    assert lz_line([D4, PASS]) == (
        "info move D4 visits 836 winrate 4700 prior 800 lcb 4362 order 0 pv D4 Q16"
        " info move pass visits 3 winrate 10000 prior 5000 lcb 10000 order 1 pv pass"
    )
    assert lz_line([]) == ""


def test_analyze_lines_have_katagos_fields_and_rates_in_ten_thousandths():
    """Sabaki divides these win rates by 100: from 0.60 always, before where there is no point."""
    assert analyze_line([D4, PASS]) == (
        "info move D4 visits 836 utility -0.06 winrate 4700 scoreMean 1.5 scoreStdev 9"
        " scoreLead 1.5 scoreSelfplay 1.5 prior 800 lcb 4362 utilityLcb -0.127666"
        " order 0 pv D4 Q16"
        " info move pass visits 3 utility 1 winrate 10000 scoreMean 0 scoreStdev 0"
        " scoreLead 0 scoreSelfplay 0 prior 5000 lcb 10000 utilityLcb 1 order 1 pv pass"
    )
    assert analyze_line([D4], [1, -0.5]).endswith(" pv D4 Q16 ownership 1 -0.5")
    assert analyze_line([]) == ""


moves = st.sampled_from(["A1", "Z25", "pass", "resign"])
# Not 1: a lone ten-thousandth looks like KataGo's certain win.
rates = st.integers(0, 10_000).filter(lambda n: n != 1).map(lambda n: n / 10_000)
candidates = st.builds(
    MoveInfo,
    move=moves,
    visits=st.integers(0, 10**9),
    winrate=rates,
    score_lead=st.integers(-10_000, 10_000).map(lambda n: n / 100),
    prior=rates,
    order=st.integers(0, 500),
    pv=st.lists(moves, min_size=1, max_size=4).map(tuple),
    score_spread=st.integers(0, 10_000).map(lambda n: n / 100),
)


@given(st.lists(candidates, min_size=1, max_size=4), st.none() | st.lists(rates, max_size=4))
def test_what_was_written_is_read_back(written, ownership):
    """Any candidates, and owners to three digits; the style of Leela Zero has no score."""
    owners = None if ownership is None else tuple(round(value, 3) for value in ownership)
    assert parse_analysis(kata_line(written, owners)) == AnalysisLine(tuple(written), owners)
    without_score = tuple(attrs.evolve(c, score_lead=0.0, score_spread=0.0) for c in written)
    assert parse_analysis(lz_line(written)) == AnalysisLine(without_score)
    read = parse_analysis(analyze_line(written, owners))
    assert read == AnalysisLine(tuple(written), owners)


def test_proven_values_of_the_position_are_read_back():
    """The first segment holds those that our engine writes about the position itself."""
    best = MoveInfo("D4", 9, 1.0, score_lead=3.5, pv=("D4",), exact=True, certain=True)
    for root in (Root(), Root(1.0), Root(1.0, 3.5)):
        assert parse_analysis(kata_line([best], None, root)) == AnalysisLine((best,), None, root)


def test_a_certain_win_that_katago_writes_without_a_point_is_read_as_one():
    """A win rate of 1 without a decimal point is a certain win, not a ten-thousandth."""
    (best,) = parse_analysis("info move D4 visits 9 winrate 1 scoreLead 3 order 0 pv D4").candidates
    assert best.winrate == 1.0


def test_keys_of_other_engines_are_skipped():
    """Unknown keys of other engines do not prevent reading their candidates."""
    line = "info move D4 visits 1 utility 0.2 lcb 0.1 winrate 0.5 order 0 weight 3.5 pv D4"
    assert parse_analysis(line).candidates == (MoveInfo("D4", 1, 0.5, pv=("D4",)),)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "play D4",
        "D4 info move D4 pv D4",
        "info",
        "info move D4 visits 1",
        "info visits 1 pv D4",
        "info move D4 visits x pv D4",
        pytest.param(f"info move D4 visits 1{'0' * 400} pv D4", id="beyond all fractions"),
        "info move D4 visits 1 winrate nan pv D4",
        "info move D4 visits 1 pv D4 ownership x",
    ],
)
def test_what_is_no_analysis_is_the_engines_fault(line):
    """A broken or missing field is never guessed, and no other exception gets out."""
    with pytest.raises(RemoteProtocolError):
        parse_analysis(line)


@pytest.mark.parametrize(
    ("words", "request_"),
    [
        ("", AnalyzeRequest()),
        ("b", AnalyzeRequest(Colour.BLACK)),
        ("50", AnalyzeRequest(None, 0.5)),
        ("White 100 ownership true", AnalyzeRequest(Colour.WHITE, 1.0, ownership=True)),
        ("interval 10 minmoves 2 maxMoves 5", AnalyzeRequest(None, 0.1, 2, 5)),
        (
            "b avoid w D4,E5 3 allow b pass 1 rootInfo true pvVisits false",
            AnalyzeRequest(
                Colour.BLACK,
                avoid=(Restriction(Colour.WHITE, ("D4", "E5"), 3),),
                allow=(Restriction(Colour.BLACK, ("pass",), 1),),
            ),
        ),
    ],
)
def test_arguments_of_an_analysis_are_read(words, request_):
    """A colour, an interval in hundredths of a second, bounds, and moves to avoid or allow."""
    assert parse_analyze_arguments(words.split()) == request_


def test_all_keys_of_katago_are_accepted():
    """All flags of KataGo 1.16.4 are accepted, since clients send them to every engine."""
    flags = (
        *("rootInfo", "ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev"),
        *("pvVisits", "pvEdgeVisits", "noResultValue"),
    )
    words = [word for flag in flags for word in (flag, "true")]
    assert parse_analyze_arguments(words) == AnalyzeRequest(ownership=True)


@pytest.mark.parametrize(
    "words",
    ["x", "b b", "b 10 20", "interval", "interval x", "interval -5", "ownership maybe", "-5",
     "avoid b D4", "minmoves -1", "pvVisits 7", "maxmoves 1.5"],
)  # fmt: skip
def test_other_arguments_are_a_syntax_error(words):
    """Repeated or negative arguments, or ones without a value, are refused before any search."""
    with pytest.raises(CommandFailed, match=r"^syntax error: "):
        parse_analyze_arguments(words.split())
