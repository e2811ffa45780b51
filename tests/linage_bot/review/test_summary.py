"""Phases and mistakes: by the criteria that the page states."""

import attrs
import pytest

from linage_bot.review.facts import Losses, MoveReview, PhaseReview, Value
from linage_bot.review.summary import MOST_MISTAKES, phase_reviews, phases_of, worst
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player

EVEN = Value(0.5, 0.0, 100, 0.01)


def move(number, win_loss=0.0, score_loss=0.0, error=0.001, exact=False, phase="opening", **facts):
    player = Player((number - 1) % 2)
    best = 1 if win_loss or score_loss else 0
    losses = (win_loss, score_loss, error, exact)
    return MoveReview(number, player, 0, phase, EVEN, EVEN, best, (best,), (), *losses, **facts)


def test_phases_go_by_the_open_points():
    """75 % of 16 points are 12, a third is more than 5; a phase does not come back."""
    start = GAMES["gardar"].configure("3").start()  # 19 points, all empty ones open
    points = [1 << point for point in range(25) if start.game.board.points >> point & 1]
    positions = [attrs.evolve(start, first=sum(points[:n])) for n in (0, 4, 5, 12, 13, 2)]
    opens = [position.placements().bit_count() for position in positions]
    names = list(phases_of(positions))
    assert opens[:5] == [19, 15, 14, 7, 6]
    assert names == ["opening", "opening", "middle", "middle", "endgame", "endgame"]


def test_means_are_by_phase_and_player():
    """Losses are means over a player's own moves; a phase without moves is left out."""
    moves = [move(1, 0.2, 2.0), move(2), move(3, 0.1, 1.0), move(4, 0.5, 7.0, phase="endgame")]
    assert phase_reviews(moves) == (
        PhaseReview("opening", 1, 3, (Losses(2, pytest.approx(0.15), 1.5), Losses(1, 0.0, 0.0))),
        PhaseReview("endgame", 4, 4, (Losses(0, 0.0, None), Losses(1, 0.5, 7.0))),
    )


def test_the_worst_moves_come_first():
    """Mistakes are sorted by loss of win rate, then by points."""
    moves = [move(1, 0.1, 9.0), move(2, 0.3, 1.0), move(3, 0.3, 2.0), move(4, 0.06, 0.0)]
    assert worst(moves) == (3, 2, 1, 4)


def test_what_is_listed_first_is_shown_to_have_cost_more():
    """Mistakes are ordered by the loss of win rate as shown; points decide between equal losses."""
    moves = [move(1, 0.069, 3.0), move(2, 0.071, 1.0), move(3, 0.0701, 0.0), move(4, 0.0699, 1.0)]
    assert worst(moves) == (2, 4, 3, 1)


def test_nobody_s_mean_loss_counts_a_move_that_was_given():
    """Given moves do not count in a player's mean loss."""
    moves = [move(1, given=True), move(2), move(3, 0.1, 1.0)]
    assert phase_reviews(moves)[0].players[0] == Losses(1, 0.1, 1.0)


def test_what_may_be_chance_is_no_mistake():
    """A loss within two standard errors, a small one, or points that are not proven."""
    assert worst([move(1, 0.1, error=0.06), move(2, 0.04), move(3, 0.0, 5.0)]) == ()
    assert worst([move(1, 0.1, error=0.04), move(2, 0.0, 1.0, exact=True)]) == (1, 2)


def test_the_list_of_mistakes_is_short():
    """The list of mistakes is limited, to fit on a page."""
    assert len(worst([move(number, 0.5) for number in range(1, 50)])) == MOST_MISTAKES
