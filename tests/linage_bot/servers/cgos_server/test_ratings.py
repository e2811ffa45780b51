"""Ratings: each player has one after its first game, and anchors keep theirs."""

import math
import random
import time

import pytest

from linage_bot.servers.cgos_server.ratings import rating_list
from linage_bot.servers.cgos_server.settings import RatingSettings
from linage_bot.servers.cgos_server.store import Score
from tests.linage_bot.servers.cgos_server.world import SETTINGS, World


def ratings(world, anchors=None) -> dict[str, float]:
    scores = world.server.lobby.pairing_history.scores
    listed = rating_list(scores, RatingSettings(anchors=anchors or {}))
    return {name: elo for name, elo, _ in listed}


def lose(world: World, one: str, other: str) -> str:
    """Play a game in which the first player resigns. Return that player's name."""
    first, second = world.begin(one, other)
    row = world.store.game(world.store.last_number())
    first.say("resign")
    first.hang_up(), second.hang_up()
    return row.first


def test_two_new_players_are_rated_though_nobody_is_anchored(world):
    """Two new players are rated at equal distances from 1500."""
    loser = lose(world, "anna", "bert")
    rated = ratings(world)
    winner = {"anna": "bert", "bert": "anna"}[loser]
    assert rated[winner] > 1500 > rated[loser]
    assert sum(rated.values()) == pytest.approx(3000)


def test_an_anchor_keeps_its_rating_and_the_others_are_rated_by_it(world):
    """An anchor keeps its rating, and the others are rated relative to it."""
    lose(world, "anna", "bert")
    lose(world, "bert", "carl")
    rated = ratings(world, {"anna": 2500.0, "nobody": 0.0})
    assert rated["anna"] == 2500
    assert min(rated.values()) > 1500


def test_there_is_no_list_before_the_first_game(world):
    """Before the first game the list of ratings is empty."""
    assert ratings(world) == {}


def test_a_new_list_reaches_the_next_game_and_survives_a_restart(world):
    """New ratings appear in the next game and survive a restart."""
    lose(world, "anna", "bert")
    told = {name: f"{rating:.0f}?" for name, rating in ratings(world).items()}
    assert sorted(told.values())[0] < "1500?" < sorted(told.values())[1]
    assert {player.name: f"{player.rating:.0f}?" for player in world.store.players()} == told
    world.kill_and_restart()
    first, _ = world.begin()
    row = world.store.game(2)
    assert {row.first: row.first_rating, row.second: row.second_rating} == told
    assert f"anna({told['anna']})" in first.read()[0]


def test_after_a_list_there_is_a_pause_and_then_one_for_all_games_since(world):
    """Ratings are computed at most every ten seconds, for all games since."""
    lose(world, "anna", "bert")
    first = dict.fromkeys(["anna", "bert"])
    for name in first:
        first[name] = world.store.player(name).rating
    for _ in range(3):
        lose(world, "anna", "bert")
    lose(world, "carl", "dora")
    world.advance(9)
    assert {name: world.store.player(name).rating for name in first} == first
    assert world.store.player("carl").rating is None
    world.advance(1)
    listed = {player.name: player.rating for player in world.store.players()}
    assert listed == pytest.approx(ratings(world))
    assert len(listed) == 4


def test_no_move_waits_for_a_list(tmp_path):
    """Ratings are computed in the background from the games at that time."""
    world = World(tmp_path)
    one, other = world.begin("anna", "bert")[0], world.begin("carl", "dora")[0]
    world.held = []
    one.say("resign"), other.say("resign")
    (make_list,) = world.held
    make_list()
    rated = [player.name for player in world.store.players() if player.rating is not None]
    assert sorted(rated) == ["anna", "bert"]


def test_a_rating_is_provisional_for_so_many_games(tmp_path):
    """A rating is provisional for twenty games, and an anchor's never is."""
    world = World(tmp_path, SETTINGS + "[ratings]\nanchors = { carl = 1000 }")
    ratings, totals = world.server.lobby.ratings, world.server.lobby.pairing_history.totals
    assert ratings.word("anna") == "1000?"
    totals["anna"] = Score(won=19)
    assert ratings.word("anna") == "1000?"
    totals["anna"] += Score(drawn=1)
    assert ratings.word("anna") == "1000"
    assert ratings.word("carl") == "1000"


def test_two_hundred_players_and_twenty_thousand_games_are_rated_at_once():
    """Ratings of 200 players and 20,000 games are computed quickly."""
    rng = random.Random(1)
    strength = {f"player{number}": rng.gauss(0, 1.2) for number in range(200)}
    scores = {}
    for _ in range(20_000):
        pair = first, second = tuple(rng.sample(sorted(strength), 2))
        expected = 1 / (1 + math.exp(strength[second] - strength[first] - 0.2))
        won = rng.random() <= expected
        scores[pair] = scores.get(pair, Score()) + Score(won, not won)
    began = time.perf_counter()
    listed = rating_list(scores, RatingSettings())
    assert time.perf_counter() - began < 20
    found = {name: (elo - 1500) * math.log(10) / 400 for name, elo, _ in listed}
    mean = sum(strength.values()) / len(strength)
    error = sum(abs(found[name] - strength[name] + mean) for name in strength) / len(strength)
    assert error < 0.25
