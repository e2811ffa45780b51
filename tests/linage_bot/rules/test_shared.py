"""The games a client asks about are played once."""

import pickle
import random

import pytest

from linage_bot.rules import GAMES
from linage_bot.rules.game import IllegalMove, Player
from linage_bot.rules.history import History
from linage_bot.rules.shared import KnownGames

GAME = GAMES["linage"].configure("5")


def known(games: KnownGames, *moves: int) -> History:
    return games.history(GAME, (), Player.FIRST, moves)


def test_games_that_begin_alike_share_their_positions():
    """Longer or shorter or going another way, in any order."""
    games = KnownGames()
    first = known(games, 0, 1, 2)
    longer, shorter, other = known(games, 0, 1, 2, 3), known(games, 0, 1), known(games, 0, 1, 9)
    for each in (longer, shorter, other, known(games, 0, 1, 9, 10)):
        assert each.positions[2] is first.positions[2]
    assert longer.positions[3] is first.positions[3]
    assert known(games, 0, 1, 2, 3).position is longer.position
    assert known(games, 0, 1, 9).position is other.position


def test_what_is_shared_is_right():
    """Random games of all kinds are the same as those played alone."""
    games, chooser = KnownGames(), random.Random(1)
    for _ in range(300):
        kind = GAMES[chooser.choice(list(GAMES))].configure("3")
        history = History(kind)
        while not history.position.over and chooser.random() < 0.8:
            history = history.play(chooser.choice(history.position.moves()[:3]))
        found = games.history(kind, (), Player.FIRST, history.moves)
        assert found == history
        assert found.positions == history.positions


def test_other_rules_stones_or_players_share_nothing():
    """Games with other rules, set-up or first player share no positions."""
    games = KnownGames()
    start = known(games).position
    komi = GAME.with_komi(2.5)
    assert games.history(komi, (), Player.FIRST, ()).position is not start
    assert games.history(GAME, ((Player.FIRST, 3),), Player.FIRST, ()).position is not start
    assert games.history(GAME, (), Player.SECOND, ()).position is not start
    assert known(games).position is start


def test_an_illegal_move_is_named_by_its_number():
    """The error has the move's number, and the illegal game is not stored."""
    games = KnownGames()
    with pytest.raises(IllegalMove, match=r"move 3: B1: there is a stone") as caught:
        known(games, 0, 1, 1)
    assert caught.value.number == 3
    with pytest.raises(IllegalMove):
        History(GAME, moves=(0, 1, 1))
    assert known(games, 0, 1).moves == (0, 1)


def test_a_game_that_is_sent_shares_what_came_before():
    """A history sent again shares the positions that were sent before, for all games."""
    chooser = random.Random(2)
    for kind in GAMES.values():
        history = History(kind.configure("4"))
        for _ in range(5):
            history = history.play(chooser.choice(history.position.moves()[:4]))
        before = pickle.loads(pickle.dumps(history.back(2)))
        there = pickle.loads(pickle.dumps(history))
        assert (there, there.positions) == (history, history.positions)
        assert there.since(before.position) == history.moves[-2:]
        standing = pickle.loads(pickle.dumps(History.at(history.position)))
        assert standing.position == history.position
