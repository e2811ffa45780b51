"""The shipped table of even openings."""

import pytest

from linage_bot.engine.pie.fair import (
    known_komi,
    known_stones,
    known_trial,
    nearest_komi,
    proven_side,
    stone_classes,
)
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player
from linage_bot.rules.gardar import Gardar
from linage_bot.rules.leblin import Leblin
from linage_bot.rules.linage import Linage


@pytest.mark.parametrize(
    ("size", "komi"), [("3", 4), ("4x3", -4), ("3x4", 5), ("5", 7), ("6x4", 2), ("4x6", 1)]
)
def test_the_even_komi_of_a_solved_board_is_its_score(size: str, komi: float) -> None:
    """The fair komi of a solved board is its score, for any present komi."""
    for given in (0, 7.5):
        known = known_komi(Linage.configure(size, given))
        assert known is not None
        assert (known.komi, known.exact, known.error) == (komi, True, 0)


@pytest.mark.parametrize("name", ["linage", "linage-two-color"])
@pytest.mark.parametrize("size", ["7", "9"])
def test_larger_boards_have_estimates_with_games_and_error(name: str, size: str) -> None:
    """Larger boards have an estimated komi of half a point, with its games and its error."""
    known = known_komi(GAMES[name].configure(size))
    assert known is not None
    assert not known.exact
    assert known.komi % 1 == 0.5
    assert known.games >= 20
    assert known.visits >= 100
    assert 0.1 < known.error < 4
    assert 0.4 < known.first_wins < 0.6


def test_the_button_moves_a_komi_by_no_more_than_half_a_point() -> None:
    """The button keeps the komi of the same board without it, within half a point."""
    without = known_komi(Linage.configure("6x4"))
    button = known_komi(Linage.configure("6x4", None, {"button": "on"}))
    assert without is not None
    assert button is not None
    assert (button.komi, button.error, button.exact) == (without.komi, 0.5, False)


def test_what_nobody_knows_is_none() -> None:
    """An unknown board has no komi, no stones and no proven side."""
    assert known_komi(Linage.configure("25")) is None
    assert known_komi(Gardar.configure("13")) is None
    assert known_stones(Leblin.configure("25")) == ()
    assert proven_side(Leblin.configure("25"), 0) is None


def test_stones_alike_by_symmetry_are_one_class() -> None:
    """On 5x5 the points form six classes by symmetry."""
    classes = stone_classes(Leblin.configure("5"))
    assert [len(each) for each in classes] == [4, 8, 4, 4, 4, 1]
    assert sorted(stone for each in classes for stone in each) == list(range(25))


def test_leblin_has_trials_of_first_stones_on_its_usual_board() -> None:
    """Leblin's default board has trials of first stones, the same for symmetric stones."""
    game = Leblin.configure()
    assert known_stones(game)
    for trial in known_stones(game):
        alike = next(each for each in stone_classes(game) if trial.stone in each)
        assert {known_trial(game, stone) for stone in alike} == {trial}
        assert trial.games >= 8
        assert 0 <= trial.first_wins <= 1
        assert 0.05 < trial.error < 0.3


def test_on_small_boards_the_winner_after_a_stone_is_proven() -> None:
    """On 3x3 the winner after each first stone is proven."""
    game = Leblin.configure("3")
    winners = {game.board.vertex(p) for p in range(9) if proven_side(game, p) is Player.FIRST}
    assert winners == {"B1", "A2", "B2", "C2", "B3"}


@pytest.mark.parametrize(
    ("komi", "half", "whole"), [(0, 0.5, 0), (0.4, 0.5, 0), (2.6, 2.5, 3), (-7.2, -7.5, -7)]
)
def test_a_komi_has_half_a_point_so_that_nobody_draws(komi: float, half: float, whole: int) -> None:
    """A komi has a half point where the game allows it and the caller does not want it whole."""
    assert nearest_komi(Linage.configure("3"), komi) == half
    assert nearest_komi(Linage.configure("3"), komi, whole=True) == whole
    assert nearest_komi(Gardar.configure("3"), komi) == whole
