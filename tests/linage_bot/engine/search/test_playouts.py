"""Playouts in bulk: repeatable, and distributed as exact enumeration says."""

import pytest

from linage_bot.engine.search.playouts import run_playouts
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_games(kernel_of, game):
    """The counts and means of 300 games are equal, and those of another seed are not."""
    position = GAMES[game].configure("5").start()
    first, again, other = (run_playouts(kernel_of(game), position, seed, 300) for seed in (1, 1, 2))
    assert first == again != other
    assert first.count == 300
    assert 0 <= first.first_wins + first.draws <= 300
    assert first.mean_moves > 0


def test_random_games_on_4x4_come_out_as_the_enumeration_of_all_of_them_says(kernel_of):
    """Exact over all games: 8.62479 stones, Vertical 3.6876 points, ahead in 0.4948."""
    position = GAMES["linage"].configure("4", 0.0).start()
    count = 200_000
    found = run_playouts(kernel_of("linage"), position, 1, count)
    assert found.mean_moves == pytest.approx(8.62479, abs=0.02)
    points = 16 - 8.62479  # every point that is no stone belongs to one of the two
    assert found.mean_margin == pytest.approx(3.6876 - (points - 3.6876), abs=0.1)
    assert found.first_wins / count == pytest.approx(0.4948, abs=0.006)


def test_a_finished_game_has_only_one_outcome(kernel_of):
    """After two passes on an empty board nothing but komi counts, in every playout."""
    position = GAMES["linage"].configure("5", 2.5).start().play(PASS).play(PASS)
    found = run_playouts(kernel_of("linage"), position, 1, 10)
    assert (found.first_wins, found.draws, found.mean_margin) == (0, 0, -2.5)
