"""Even openings from the engine's own games."""

import threading

import pytest

from linage_bot.engine.pie.selfplay import SelfPlay, Stopped
from linage_bot.rules.game import Player
from linage_bot.rules.gardar import Gardar
from linage_bot.rules.leblin import Leblin
from linage_bot.rules.linage import Linage


def test_the_same_seed_gives_the_same_estimate_near_the_truth() -> None:
    """One seed gives one estimate, near the true value of 3x4, with its error."""
    game = Linage.configure("3x4")
    one = SelfPlay(visits=100, seed=3).even_komi(game, 12)
    assert one == SelfPlay(visits=100, seed=3).even_komi(game, 12)
    assert (one.games, one.visits, one.exact) == (12, 100, False)
    assert 3 < one.komi < 7
    assert 0 < one.error < 2


def test_a_trial_tells_how_often_first_wins_after_a_stone() -> None:
    """A trial estimates how often First wins after a stone; on 3x3 it is right."""
    game = Leblin.configure("3")
    centre, corner = (
        SelfPlay(visits=100).trial(game, game.board.point(vertex), 2) for vertex in ("B2", "A1")
    )
    assert (centre.first_wins, corner.first_wins) == (1, 0)
    assert centre.error > 0.1


def test_every_game_that_ends_is_told_and_a_stop_breaks_off() -> None:
    """Each finished game is reported, and a stop request ends self-play."""
    ends, stopped = [], threading.Event()
    play = SelfPlay(visits=20, stopped=stopped, played=ends.append)
    assert play.result(Linage.configure("3").start()).over
    assert len(ends) == 1
    stopped.set()
    with pytest.raises(Stopped):
        play.result(Linage.configure("3").start())


def test_games_that_do_not_end_are_broken_off() -> None:
    """A game that would not end is stopped after four turns a point."""
    position = SelfPlay(visits=2).result(Gardar.configure("2").start())
    assert len(position.boards) <= 4 * 7
    assert position.to_move in Player
