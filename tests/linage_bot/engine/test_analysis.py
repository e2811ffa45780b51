"""Analyses: the viewing player, and proven values that replace estimates."""

import pytest

from linage_bot.engine.analysis import Analysis, Candidate
from linage_bot.engine.solver.proven_values import Interval, ProvenValues
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player
from linage_bot.rules.history import History

BOARD = {
    player: History(GAMES["linage"].configure("5", 0.0), begins=player).position
    for player in Player
}


def candidate(move: int, visits: int, win_rate: float = 0.5, lead: float = 0.0) -> Candidate:
    return Candidate(
        move=move, visits=visits, win_rate=win_rate, lead=lead, spread=3.0, line=(move,)
    )


def corrected(searched: list[Candidate], proven: ProvenValues | None) -> list[Candidate]:
    """Return the moves from the view of Second, the player to move."""
    own = Analysis(position=BOARD[Player.SECOND], candidates=tuple(searched), viewer=Player.SECOND)
    told = own.seen_by(Player.FIRST).proven_by(proven)
    return list(told.seen_by(Player.SECOND).candidates)


def exactly(lead: float) -> Interval:
    return Interval(lead, lead)


def test_the_best_proven_move_comes_first_and_what_is_not_proven_last() -> None:
    """Moves are in the order of their proven values; equal ones in the order of the search."""
    searched = [candidate(1, 90), candidate(2, 9), candidate(3, 4), candidate(4, 0)]
    moves = {2: exactly(1.5), 3: exactly(1.5), 4: exactly(-0.5)}
    told = corrected(searched, ProvenValues(exactly(1.5), moves, points=True))
    assert [each.move for each in told] == [2, 3, 4, 1]
    assert [each.lead for each in told] == [1.5, 1.5, -0.5, 0.0]
    assert [each.certain for each in told] == [1.0, 1.0, 0.0, None]
    assert [each.exact for each in told] == [True, True, True, False]
    assert all(each.visits for each in told)


def test_no_move_is_told_to_get_more_than_the_position_is_worth() -> None:
    """No move is reported as better than the proven value of the position."""
    searched = [candidate(1, 90, 0.9, 9.8), candidate(2, 9, 0.4, -3.0)]
    best_known = ProvenValues(exactly(0.5), {2: exactly(0.5), 1: Interval(high=0.0)}, points=True)
    told = corrected(searched, best_known)
    assert [(each.move, each.win_rate, each.lead) for each in told] == [
        (2, 1.0, 0.5),
        (1, 0.5, 0.0),
    ]
    lost = corrected(searched, ProvenValues(exactly(-0.5), {}, points=True))
    assert [(each.move, each.certain, each.lead) for each in lost] == [
        (1, 0.0, -0.5),
        (2, 0.0, -3.0),
    ]
    assert not any(each.exact for each in lost)


def test_a_poor_move_with_a_proof_does_not_pass_one_without() -> None:
    """While the best move is unproven, a poor move with a proof stays behind the likely best."""
    searched = [candidate(1, 90, 0.6, 2.0), candidate(2, 9)]
    for moves in ({2: exactly(1.0)}, {2: exactly(-4.0)}):
        told = corrected(searched, ProvenValues(Interval(low=-4.0), moves, points=True))
        assert told[0].move == (2 if moves[2].low > 0 else 1)


def test_where_no_points_are_counted_the_result_is_proven_and_no_lead() -> None:
    """In a game without points, a proof gives win rates and leaves the leads unset."""
    searched = [candidate(1, 90, 0.61), candidate(2, 9, 0.4)]
    proven = ProvenValues(exactly(1.0), {2: exactly(1.0), 1: Interval(high=0.0)}, points=False)
    told = corrected(searched, proven)
    assert [(each.move, each.win_rate, each.lead) for each in told] == [
        (2, 1.0, 0.0),
        (1, 0.5, 0.0),
    ]


def test_without_proofs_nothing_changes() -> None:
    """Without proven values the order of the search is kept."""
    searched = [candidate(1, 5), candidate(2, 90)]
    assert corrected(searched, None) == searched


def analysis(*candidates: Candidate, player: Player = Player.SECOND) -> Analysis:
    """Return an analysis from the view of `player`, the player to move."""
    visits = sum(each.visits for each in candidates)
    return Analysis(
        position=BOARD[player],
        candidates=candidates,
        visits=visits,
        viewer=player,
        owners=(1.0, 0.5),
    )


def test_everything_is_told_from_first_s_view_or_from_a_player_s() -> None:
    """An analysis can be seen from either player's view, and turning it twice changes nothing."""
    own = analysis(candidate(1, 9000, 0.75, 4.0))
    first = own.seen_by(Player.FIRST)
    assert (first.win_rate, first.lead, first.owners) == (0.25, -4.0, (-1.0, -0.5))
    assert (first.candidates[0].win_rate, first.candidates[0].lead) == (0.25, -4.0)
    assert first.seen_by(Player.SECOND) == own
    assert first.seen_by(Player.FIRST) is first


def test_the_mean_of_all_visits_counts() -> None:
    """After few visits and after many, a position's win rate is the mean of all moves' visits."""
    few = analysis(candidate(1, 30, 0.9), candidate(2, 10, 0.1), candidate(3, 0, 1.0))
    assert few.win_rate == pytest.approx(0.7)
    many = analysis(candidate(1, 3000, 0.9), candidate(2, 1000, 0.1))
    assert many.win_rate == pytest.approx(0.7)


@pytest.mark.parametrize(("player", "lead"), [(Player.FIRST, 1.5), (Player.SECOND, -1.5)])
def test_a_proof_takes_the_place_of_a_guess(player: Player, lead: float) -> None:
    """A proven value replaces the estimate of the position as well as those of its moves."""
    proven = ProvenValues(exactly(1.5), {2: exactly(1.5)}, points=True)
    guessed = analysis(candidate(1, 90, 0.3), candidate(2, 9, 0.2), player=player)
    told = guessed.proven_by(proven).seen_by(Player.FIRST)
    assert (told.win_rate, told.lead, told.best) == (float(lead > 0), lead, (2,))


def test_a_proof_alone_is_an_analysis() -> None:
    """An analysis made of a proof alone lists the moves with exact values, best first."""
    moves = {2: exactly(-0.5), 4: exactly(1.5), 5: Interval(high=0.0)}
    told = Analysis.of_proof(BOARD[Player.FIRST], ProvenValues(exactly(1.5), moves, points=True))
    assert [(each.move, each.lead) for each in told.candidates] == [(4, 1.5), (2, -0.5)]
    assert (told.win_rate, told.lead, told.settled) == (1.0, 1.5, True)


def test_nothing_is_known_without_candidates() -> None:
    """Without candidates an analysis has no win rate and no lead."""
    assert (analysis().win_rate, analysis().lead) == (None, None)
