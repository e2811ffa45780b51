"""What is proven, told over what a search thinks."""

from linage_bot.engine.search.candidates import Candidate
from linage_bot.engine.search.correcting import corrected
from linage_bot.engine.solver.known import Proven, Span


def candidate(move: int, visits: int, win_rate: float = 0.5, lead: float = 0.0) -> Candidate:
    return Candidate(move, visits, win_rate, lead, 3.0, (move,))


def exactly(lead: float) -> Span:
    return Span(lead, lead)


def test_the_best_proven_move_comes_first_and_what_is_not_proven_last() -> None:
    """Of equal moves the one that the search likes."""
    searched = [candidate(1, 90), candidate(2, 9), candidate(3, 4), candidate(4, 0)]
    moves = {2: exactly(1.5), 3: exactly(1.5), 4: exactly(-0.5)}
    told = corrected(searched, Proven(exactly(1.5), moves, points=True))
    assert [each.move for each in told] == [2, 3, 4, 1]
    assert [each.score_lead for each in told] == [1.5, 1.5, -0.5, 0.0]
    assert [each.certain for each in told] == [1.0, 1.0, 0.0, None]
    assert [each.exact for each in told] == [True, True, True, False]
    assert all(each.visits for each in told)


def test_no_move_is_told_to_get_more_than_the_position_is_worth() -> None:
    """Where it is known which moves are best the others get less; a lost game has no chances."""
    searched = [candidate(1, 90, 0.9, 9.8), candidate(2, 9, 0.4, -3.0)]
    best_known = Proven(exactly(0.5), {2: exactly(0.5), 1: Span(high=0.0)}, points=True)
    told = corrected(searched, best_known)
    assert [(each.move, each.win_rate, each.score_lead) for each in told] == [
        (2, 1.0, 0.5),
        (1, 0.5, 0.0),
    ]
    lost = corrected(searched, Proven(exactly(-0.5), {}, points=True))
    assert [(each.move, each.certain, each.score_lead) for each in lost] == [
        (1, 0.0, -0.5),
        (2, 0.0, -3.0),
    ]
    assert not any(each.exact for each in lost)


def test_a_poor_move_with_a_proof_does_not_pass_one_without() -> None:
    """As long as the best move is not known the search says which comes first."""
    searched = [candidate(1, 90, 0.6, 2.0), candidate(2, 9)]
    for moves in ({2: exactly(1.0)}, {2: exactly(-4.0)}):
        told = corrected(searched, Proven(Span(low=-4.0), moves, points=True))
        assert told[0].move == (2 if moves[2].low > 0 else 1)


def test_where_no_points_are_counted_the_result_is_proven_and_no_lead() -> None:
    """Leads are 1 and -1 then, which no client is to see."""
    searched = [candidate(1, 90, 0.61), candidate(2, 9, 0.4)]
    proven = Proven(exactly(1.0), {2: exactly(1.0), 1: Span(high=0.0)}, points=False)
    told = corrected(searched, proven)
    assert [(each.move, each.win_rate, each.score_lead) for each in told] == [
        (2, 1.0, 0.0),
        (1, 0.5, 0.0),
    ]


def test_without_proofs_nothing_changes() -> None:
    """The search's order stands."""
    searched = [candidate(1, 5), candidate(2, 90)]
    assert corrected(searched, None) == searched
