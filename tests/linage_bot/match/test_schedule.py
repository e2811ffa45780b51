"""The schedule: every game once, colours alternating, pairs with swapped sides."""

import attrs
import pytest

from linage_bot.arena.records import Key
from linage_bot.match.schedule import missing, total
from linage_bot.rules.game import Player
from linage_bot.settings.match import EngineSettings


@pytest.fixture
def event(settings):
    """Return a function that makes an event of `engines` engines, named a, b, c …"""

    def event(engines, **changes):
        names = "abcdefghij"[:engines]
        return attrs.evolve(
            settings,
            engines=tuple(EngineSettings(name, name=name) for name in names),
            **{"tournament": "round-robin", **changes},
        )

    return event


@pytest.fixture
def outcome(game):
    """The record of a task: the engine that comes first in the alphabet wins, or who is named."""

    def outcome(task, settings, winner=None, **facts):
        players = tuple(settings.names[index] for index in task.engines)
        side = players.index(winner or min(players))
        return attrs.evolve(
            game(task.number, None), key=task.key, players=players, winner=side, **facts
        )

    return outcome


def play_all(settings, outcome):
    """All games in the order they can be played, and the keys of each stage."""
    records, stages = {}, []
    while tasks := missing(settings, records):
        stages.append([(task.key.pairing, task.key.opening) for task in tasks])
        for task in tasks:
            assert task.key not in records
            records[task.key] = outcome(task, settings)
    return records, stages


def test_colours_alternate_and_each_opening_is_played_from_both_sides(settings):
    """No engine gains by moving first or by a good opening."""
    assert [(task.number, task.key, task.engines) for task in missing(settings, {})] == [
        (1, Key(("ada", "bea"), 0, False), (0, 1)),
        (2, Key(("ada", "bea"), 0, True), (1, 0)),
        (3, Key(("ada", "bea"), 1, False), (0, 1)),
        (4, Key(("ada", "bea"), 1, True), (1, 0)),
    ]


def test_an_odd_number_of_games_is_played_as_asked(settings):
    """The last opening is then played from one side only."""
    games = missing(attrs.evolve(settings, games=3), {})
    assert [task.engines[Player.FIRST] for task in games] == [0, 1, 0]


def test_only_what_was_not_played_is_missing(settings, game):
    """An interrupted event plays exactly the missing games, for any gaps."""
    played = {record.key: record for record in (game(2, "ada"), game(3, "ada"))}
    assert [task.number for task in missing(settings, played)] == [1, 4]


def test_in_a_round_robin_all_meet_and_share_the_openings(event):
    """All pairings play an opening before the next one, each game under its own number."""
    settings = event(4, games=4)
    tasks = missing(settings, {})
    assert len(tasks) == total(settings) == 24
    assert [task.number for task in tasks] == list(range(1, 25))
    assert len({task.key for task in tasks}) == 24
    assert [task.key.opening for task in tasks] == [0] * 12 + [1] * 12
    assert len({task.key.pairing for task in tasks}) == 6


def test_in_a_gauntlet_the_first_meets_all_others(event):
    """In a gauntlet only the first engine meets the others."""
    settings = event(4, games=2, tournament="gauntlet")
    pairings = {task.key.pairing for task in missing(settings, {})}
    assert pairings == {("a", "b"), ("a", "c"), ("a", "d")}
    assert total(settings) == 6


def test_games_of_a_withdrawn_engine_are_not_missing(event, outcome):
    """After two forfeits of c the others still play theirs."""
    settings = event(3, games=2, max_failures=2)
    tasks = missing(settings, {})
    failed = [task for task in tasks if "c" in task.key.pairing][:2]
    records = {task.key: outcome(task, settings, ending="forfeit") for task in failed}
    assert {task.key.pairing for task in missing(settings, records)} == {("a", "b")}


def test_a_swiss_round_depends_on_the_rounds_before_and_on_nothing_else(event, outcome):
    """For any order of the records, only a lost game is scheduled again."""
    settings = event(6, games=2, tournament="swiss")
    records, stages = play_all(settings, outcome)
    assert [len(stage) for stage in stages] == [6, 6, 6]
    assert len(records) == total(settings) == 18
    meetings = [key.pairing for key in records if not key.swapped]
    assert len(set(meetings)) == 9  # no engines meet twice
    assert {key.opening for key in records} == {0, 1, 2}
    assert sorted(record.number for record in records.values()) == list(range(1, 19))
    # Played again with the records in another order, the same games belong to it.
    shuffled = dict(reversed(records.items()))
    assert missing(settings, shuffled) == []
    lost = next(iter(records))
    del shuffled[lost]
    assert [task.key for task in missing(settings, shuffled)] == [lost]


def test_with_an_odd_number_somebody_rests_in_each_swiss_round(event, outcome):
    """Each of five once in five rounds."""
    settings = event(5, games=1, tournament="swiss", rounds=5)
    records, stages = play_all(settings, outcome)
    assert [len(stage) for stage in stages] == [2] * 5
    assert total(settings) == len(records) == 10
    played = {name: sum(name in key.pairing for key in records) for name in "abcde"}
    assert set(played.values()) == {4}  # each rested once
