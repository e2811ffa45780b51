"""The schedule: every game once, colours alternating, pairs with swapped sides."""

import attrs

from linage_bot.game import Player
from linage_bot.match.schedule import Key, missing, tasks


def test_colours_alternate_and_each_opening_is_played_from_both_sides(settings):
    assert [(task.number, task.key, task.engines) for task in tasks(settings)] == [
        (1, Key(("ada", "bea"), 0, False), (0, 1)),
        (2, Key(("ada", "bea"), 0, True), (1, 0)),
        (3, Key(("ada", "bea"), 1, False), (0, 1)),
        (4, Key(("ada", "bea"), 1, True), (1, 0)),
    ]


def test_an_odd_number_of_games_is_played_as_asked(settings):
    games = list(tasks(attrs.evolve(settings, games=3)))
    assert [task.engine(Player.FIRST) for task in games] == [0, 1, 0]


def test_only_what_was_not_played_is_missing(settings):
    played = {Key(("ada", "bea"), 0, True), Key(("ada", "bea"), 1, False)}
    assert [task.number for task in missing(settings, played)] == [1, 4]
