"""Playouts in bulk: repeatable, and distributed as exact enumeration says."""

import statistics

import pytest

from linage_bot.engine.search.playouts import playouts, run_playouts
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_games(kernel_of, game):
    """A seed gives the same 300 games in bulk and one by one, and another seed gives others."""
    position = GAMES[game].configure("5").start()
    kernel = kernel_of(game)
    first, again, other = (run_playouts(kernel, position, seed, 300) for seed in (1, 1, 2))
    assert first == again != other
    found = [
        (score_lead, int(trail[0]))
        for score_lead, _, trail in playouts(kernel, position, (), 300, 1)
    ]
    assert sum(moves for _, moves in found) == first > 0
    assert len({score_lead for score_lead, _ in found}) > 1


@pytest.mark.thorough
def test_random_games_on_4x4_come_out_as_the_enumeration_of_all_of_them_says(kernel_of):
    """Random games on 4x4 agree with the exact means over all games."""
    position = GAMES["linage"].configure("4", 0.0).start()
    many, count = 200_000, 50_000
    assert run_playouts(kernel_of("linage"), position, 1, many) / many == pytest.approx(
        8.62479, abs=0.02
    )
    score_leads = [each[0] for each in playouts(kernel_of("linage"), position, (), count, 1)]
    points = 16 - 8.62479  # every point that is no stone belongs to one of the two
    lead = statistics.fmean(score_leads) / 2
    assert lead == pytest.approx(3.6876 - (points - 3.6876), abs=0.1)
    assert sum(score_lead > 0 for score_lead in score_leads) / count == pytest.approx(
        0.4948, abs=0.006
    )


def test_a_finished_game_has_only_one_outcome(kernel_of):
    """In a finished game each playout has the same score lead."""
    position = GAMES["linage"].configure("5", 2.5).start().play(PASS).play(PASS)
    found = playouts(kernel_of("linage"), position, (), 10, 1)
    assert [score_lead for score_lead, _, _ in found] == [-5] * 10
