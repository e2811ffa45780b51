"""Ratings: everybody has one from the first game on, and anchors hold theirs."""

import json
import subprocess

import pytest

from linage_bot.match.records import Rules
from linage_bot.servers.cgos_server.ratings import Ratings, command_line, rating_list, read_output
from linage_bot.servers.cgos_server.settings import RatingSettings
from tests.linage_bot.servers.cgos_server.world import World


def ratings(world, anchors=None) -> dict[str, float]:
    rows = world.store.rated_games()
    listed = rating_list(rows, Rules.of(world.game), anchors or {}, 1500.0, 500.0)
    return {name: elo for name, elo, _ in listed}


def lose(world: World, one: str, other: str) -> str:
    """A game between two players that the first to move gives up; its name."""
    first, second = world.begin(one, other)
    row = world.store.game(world.store.last_number())
    first.say("resign")
    first.hang_up(), second.hang_up()
    return row.first


def test_two_new_players_are_rated_though_nobody_is_anchored(world):
    loser = lose(world, "anna", "bert")
    rated = ratings(world)
    winner = {"anna": "bert", "bert": "anna"}[loser]
    assert rated[winner] > 1500 > rated[loser]
    assert sum(rated.values()) == pytest.approx(3000)


def test_an_anchor_keeps_its_rating_and_the_others_are_rated_by_it(world):
    lose(world, "anna", "bert")
    lose(world, "bert", "carl")
    rated = ratings(world, {"anna": 2500.0, "nobody": 0.0})
    assert rated["anna"] == 2500
    assert min(rated.values()) > 1500


def test_there_is_no_list_before_the_first_game(world):
    assert ratings(world) == {}


def test_a_new_list_reaches_the_next_game_and_survives_a_restart(world):
    lose(world, "anna", "bert")
    world.server.rated([("anna", 1723.4, 200.0), ("bert", 1276.6, 200.0)])
    world.settle()
    world.kill_and_restart()
    first, _ = world.begin()
    row = world.store.game(2)
    assert {row.first: row.first_rating, row.second: row.second_rating} == {
        "anna": "1723?",
        "bert": "1277?",
    }
    assert "anna(1723?)" in first.read()[0]


def test_a_rating_is_provisional_for_so_many_games():
    known = Ratings(RatingSettings(anchors={"carl": 1000.0}, provisional_games=20), [])
    assert known.word("anna", 19) == "1000?"
    assert known.word("anna", 20) == "1000"
    assert known.word("carl", 0) == "1000"


def test_the_program_that_rates_reads_the_file_while_the_server_writes_it(world):
    lose(world, "anna", "bert")
    words = command_line(world.folder / "server.sqlite", world.game, RatingSettings())
    done = subprocess.run(words, capture_output=True, timeout=100, check=True)
    listed = read_output(done.stdout)
    assert {name: elo for name, elo, _ in listed} == pytest.approx(ratings(world))
    assert json.loads(done.stdout)
