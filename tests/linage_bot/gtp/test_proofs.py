"""Proven leads, told over what a search thinks."""

from linage_bot.gtp.proofs import with_leads
from linage_bot.search.tree import Candidate
from protocol.analysis import Candidate as Told
from protocol.analysis import kata_line, parse_analysis


def candidate(move: int, visits: int, win_rate: float = 0.5) -> Candidate:
    return Candidate(move, visits, win_rate, 0.0, 3.0, (move,))


def test_the_best_proven_move_comes_first_and_what_is_not_proven_last() -> None:
    """Of equal moves the one that the search likes."""
    searched = [candidate(1, 90), candidate(2, 9), candidate(3, 4), candidate(4, 0)]
    told = with_leads(searched, {2: 1.5, 3: 1.5, 4: -0.5})
    assert [each.move for each in told] == [2, 3, 4, 1]
    assert [each.score_lead for each in told] == [1.5, 1.5, -0.5, 0.0]
    assert [each.certain for each in told] == [1.0, 1.0, 0.0, None]
    assert [each.exact for each in told] == [True, True, True, False]
    assert all(each.visits for each in told)


def test_without_proofs_nothing_changes() -> None:
    """The search's order stands."""
    searched = [candidate(1, 5), candidate(2, 90)]
    assert with_leads(searched, {}) == searched


def test_a_proven_lead_is_a_key_of_its_own_before_the_variation() -> None:
    """Clients read on behind it."""
    line = kata_line([Told("A1", 3, 1.0, 1.5, pv=("A1", "B2"), exact=True), Told("B1", 2, 0.5)])
    assert " exactLead 1.5 pv A1 B2 info " in line
    assert line.count("exactLead") == 1
    assert [each.exact for each in parse_analysis(line).candidates] == [True, False]
