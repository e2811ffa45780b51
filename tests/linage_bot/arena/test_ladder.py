"""Ratings by games against rungs: simulated engines, whose ratings are known exactly."""

import math
import random

import pytest

from linage_bot.arena.ladder import Ladder, Rung
from linage_bot.arena.ratings import rate_results
from linage_bot.arena.records import ScoredGames

RUNGS = [
    Rung("random", 0),
    *(Rung(f"level {n}", 300 + 130 * n, 30 + 5 * n) for n in range(8)),
]
ADVANTAGE = 120


def played(
    true_elo: float, chance: random.Random, goal: float = 90, most: int = 2000
) -> tuple[Ladder, int]:
    """The ladder of an engine of this rating, and how many games it took."""
    ratings = {rung.name: chance.gauss(rung.elo, rung.error / 1.96) for rung in RUNGS}
    ladder, games = Ladder("engine", RUNGS), 0
    while (not games or ladder.rating().error > goal) and games < most:
        (rung,) = ladder.next_rungs(1)
        for side, sign in enumerate((1, -1)):
            away = true_elo - ratings[rung] + sign * ADVANTAGE
            won = chance.random() < 1 / (1 + 10 ** (-away / 400))
            ladder.count(rung, side, float(won))
            games += 1
    return ladder, games


def test_the_rating_is_within_the_error_told() -> None:
    """More than nine of ten ratings are within the error, for all strengths, after few games."""
    chance, within, lengths = random.Random(1), 0, []
    for number in range(50):
        true_elo = chance.uniform(100, 1200)
        ladder, games = played(true_elo, chance)
        found = ladder.rating()
        assert found.error <= 90, number
        within += abs(found.elo - true_elo) <= found.error
        lengths.append(games)
    assert within >= 45
    assert sorted(lengths)[25] < 110  # 58 games of equals, were all else known
    assert max(lengths) < 300


def test_most_games_are_against_those_that_are_near() -> None:
    """Ladders avoid one-sided pairings and use at least three rungs."""
    ladder, games = played(700, random.Random(2))
    counts = {name: ladder.score(name)[1] for name in ladder.rungs}
    near = sum(count for name, count in counts.items() if abs(ladder.rungs[name].elo - 700) < 300)
    assert near > 0.8 * games
    assert sum(count > 0.1 * games for count in counts.values()) >= 3


def test_exact_rungs_rate_as_a_rating_list_does() -> None:
    """With exact rungs the rating is that of a match with the same anchors."""
    chance = random.Random(3)
    rungs = [Rung("one", 0), Rung("two", 200), Rung("three", 500)]
    ladder, results = Ladder("engine", rungs), []
    for number in range(240):
        rung, side = rungs[number % 3], number // 3 % 2
        points = float(chance.random() < 1 / (1 + 10 ** ((rung.elo - 230) / 400)))
        ladder.count(rung.name, side, points)
        players = ("engine", rung.name) if side == 0 else (rung.name, "engine")
        results.append(ScoredGames(*players, points if side == 0 else 1 - points))
    anchors = {rung.name: rung.elo for rung in rungs}
    listed = rate_results(["engine", *anchors], results, anchors)
    rating = next(each for each in listed.ratings if each.name == "engine")
    found = ladder.rating()
    assert found.elo == pytest.approx(rating.elo, abs=1)
    assert found.advantage == pytest.approx(listed.advantage, rel=0.05)
    assert found.error == pytest.approx(rating.error, rel=0.15)  # which is of another kind there


def test_the_error_is_never_below_that_of_the_rungs() -> None:
    """No number of games makes the rating more exact than its rungs."""
    ladder = Ladder("engine", [Rung("only", 500, 60)])
    for number in range(20_000):
        ladder.count("only", number % 2, number // 2 % 2)
    found = ladder.rating()
    assert found.elo == pytest.approx(500, abs=3)
    assert 60 <= found.error < 61


@pytest.mark.parametrize(("points", "words"), [(1.0, "at least"), (0.0, "at most")])
def test_who_wins_or_loses_all_is_bounded(points: float, words: str) -> None:
    """The rating itself is not known then."""
    ladder = Ladder("engine", RUNGS)
    assert ladder.rating().words == "not known yet"
    for _ in range(30):
        (rung,) = ladder.next_rungs(1)
        for side in range(2):
            ladder.count(rung, side, points)
    found = ladder.rating()
    assert found.words.startswith(words)
    top, bottom = RUNGS[-1], RUNGS[0]
    assert rung == (top if points else bottom).name
    assert math.isfinite(found.error)


def test_rungs_that_are_absent_are_not_chosen() -> None:
    """Absent rungs are not chosen, and without rungs there is no game."""
    ladder = Ladder("engine", RUNGS)
    names = [rung.name for rung in RUNGS]
    assert set(ladder.next_rungs(5, names[2:])) <= {*names[:2]}
    assert ladder.next_rungs(5, names) == []
