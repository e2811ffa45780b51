"""Ladders: the choice of games, the end, and the report."""

from pathlib import Path

import attrs
import pytest

from linage_bot.arena.records import FORFEIT, Key
from linage_bot.match.ladder import LadderLines
from linage_bot.match.ladder_order import ladder_of
from linage_bot.match.schedule import missing, total
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.ladder import SHIPPED_RUNGS, LadderSettings, RungSettings
from linage_bot.settings.match import EngineSettings, GameSettings
from linage_bot.settings.reading import load


def rung(name, elo, *words, error=0.0):
    return RungSettings(("engine", *words), name=name, elo=elo, error=error)


@pytest.fixture
def ladder(tmp_path):
    """An engine that plays at random, one that resigns at once, and another random one."""

    def ladder(*rungs, **changes):
        return LadderSettings(
            engine=EngineSettings(("engine", "seed=1"), name="new"),
            out=str(tmp_path / "out"),
            game=GameSettings(size=5),
            rungs=rungs or (rung("far", -900, "resign"), rung("near", 0, "seed=2", error=20)),
            **changes,
        )

    return ladder


@pytest.fixture
def outcome(game):
    """The record of a task that this engine wins."""

    def outcome(task, settings, winner, **facts):
        players = tuple(settings.names[index] for index in task.engines)
        side = players.index(winner)
        return attrs.evolve(
            game(task.number, None), key=task.key, players=players, winner=side, **facts
        )

    return outcome


def test_a_pair_is_played_from_both_sides_against_the_rung_that_tells_most(ladder, outcome):
    """The first rung is the middle one; later ones are stronger after wins, weaker after losses."""
    rungs = [rung(str(elo), elo) for elo in (0, 400, 800, 1200, 1600)]
    event = ladder(*rungs).event()
    first = missing(event, {})
    assert [task.key for task in first] == [
        Key(("new", "800"), 0, False),
        Key(("new", "800"), 0, True),
    ]
    assert [task.engines for task in first] == [(0, 3), (3, 0)]
    one = {first[0].key: outcome(first[0], event, "new")}
    assert missing(event, one)[0].key == first[1].key
    for winner, better in (("new", True), ("800", False)):
        records = {task.key: outcome(task, event, winner) for task in first}
        (following, _) = missing(event, records)
        assert (int(following.key.pairing[1]) > 800) is better
        assert following.key.opening == 0


def test_a_ladder_ends_when_enough_is_known_or_enough_was_played(ladder, outcome):
    """Games have numbers of their own, and as many pairs are planned as are played at once."""
    for changes in ({"error": 150}, {"games": 10}, {"games": 40, "concurrency": 3}):
        event = ladder(**changes).event()
        records, numbers, turn = {}, set(), 0
        while tasks := missing(event, records):
            assert len(tasks) <= 2 * event.concurrency
            for task in tasks:
                winner = "new" if turn // 2 % 2 else task.key.pairing[1]
                records[task.key] = outcome(task, event, winner)
                numbers.add(task.number)
                turn += 1
        assert len(numbers) == len(records) <= total(event)
        if "error" in changes:
            assert ladder_of(event, records.values()).rating().error <= 150
            assert len(records) < 60
        else:
            assert len(records) == changes["games"]


@pytest.mark.parametrize("games", [20, 21])
def test_games_under_way_count_towards_the_most_games(ladder, play, games):
    """Eight are played at a time, and some are over long before the others of their plan."""
    words = ("slow=1", "resign=4", "resign=2", "slow=3", "resign")
    rungs = [rung(word, 200 * place, word) for place, word in enumerate(words)]
    event = ladder(*rungs, games=games, error=1, concurrency=8).event()
    records, _ = play(event, report_class=LadderLines)
    assert len(records) == 20


def test_who_fails_too_often_is_not_asked_again(ladder, outcome):
    """A rung is left out; without the engine itself there is nothing to play."""
    event = ladder(max_failures=2).event()
    for loser, left in (("near", {"far"}), ("new", set())):
        records = {}
        for opening in range(2):
            for swapped in (False, True):
                engines = (2, 0) if swapped else (0, 2)
                task = attrs.evolve(missing(event, {})[0], engines=engines)
                task = attrs.evolve(task, key=Key(("new", "near"), opening, swapped))
                winner = "near" if loser == "new" else "new"
                records[task.key] = outcome(task, event, winner, ending=FORFEIT)
        assert {task.key.pairing[1] for task in missing(event, records)} == left


def test_a_whole_ladder_finds_an_equal(ladder, play):
    """The report ends with each rung and the rating; a restart plays no further game."""
    event = ladder(error=170).event()
    records, text = play(event, report_class=LadderLines)
    lines = text.splitlines()
    assert lines[0].startswith(
        "Linage 5x5, komi 0.5: new against 2 rungs from far (-900) to near (0),"
        " until the error is at most ± 170, at most 1000 games; records in "
    )
    assert f"{len(records):4}  " in text
    last = lines[-2]
    elo, error = (float(word) for word in last.split(" after ")[0].split()[1::2])
    assert abs(elo) <= 2 * error <= 340
    assert last.endswith(f" after {len(records)} games")
    rows = [line.split() for line in lines[-5:-2]]
    assert rows[0] == ["rung", "Elo", "±", "games", "points", "expected"]
    assert [row[:3] for row in rows[1:]] == [["near", "0", "20"], ["far", "-900", "0"]]
    again, text = play(event, report_class=LadderLines)
    assert again == records
    assert f"{len(records)} games already played: new " in text


def test_a_rung_that_cannot_be_started_is_told_before_any_game(ladder, play):
    """A rung that cannot start is an error, since its forfeits would raise the rating."""
    far = RungSettings(("missing",), name="far", elo=3000)
    with pytest.raises(SettingFault, match=r"engines\[2\].command: cannot start 'missing'"):
        play(ladder(rung("near", 0, "seed=2"), far).event(), report_class=LadderLines)
    assert not Path(ladder().out).exists()
    corrected = ladder(rung("near", 0, "seed=2"), rung("far", 3000), games=2)
    assert len(play(corrected.event(), report_class=LadderLines)[0]) == 2


def test_a_ladder_goes_on_where_it_was_interrupted(ladder, play):
    """The wanted error and the rungs' ratings may change between runs without losing games."""
    begun, _ = play(ladder(error=100).event(), stop_after=0.5, report_class=LadderLines)
    changed = ladder(rung("far", -950, "resign"), rung("near", 50, "seed=2"), error=170)
    ended, _ = play(changed.event(), report_class=LadderLines)
    assert 0 < len(begun) < len(ended)
    assert ended[: len(begun)] == begun
    with pytest.raises(SettingFault, match="another configuration"):
        play(ladder(rung("else", 0, "seed=2")).event(), report_class=LadderLines)


def test_a_rung_may_overtake_another_while_a_ladder_is_interrupted(ladder, play):
    """A rung keeps its games when its rating changes, and the report uses the new order."""
    one, two = rung("one", 0, "seed=2"), rung("two", 100, "seed=3")
    begun, _ = play(ladder(one, two, games=4).event(), report_class=LadderLines)
    changed = ladder(attrs.evolve(one, elo=200), two, games=8).event()
    ended, text = play(changed, report_class=LadderLines)
    assert (len(begun), len(ended)) == (4, 8)
    assert ended[:4] == begun
    assert len({record["number"] for record in ended}) == 8
    assert "2 rungs from two (100) to one (200)" in text
    rows = [line.split()[:2] for line in text.splitlines()]
    assert rows.index(["one", "200"]) < rows.index(["two", "100"])


def test_the_shipped_rungs_are_for_the_board_they_were_measured_on(tmp_path):
    """The shipped rungs rise from random play, and other boards need rungs of their own."""
    file = tmp_path / "ladder.toml"
    file.write_text('out = "x"\n[engine]\ncommand = "engine"\n')
    event = load(file, LadderSettings).event()
    assert event.names[1] == "level 0"
    assert len(event.engines) == len(SHIPPED_RUNGS) + 1 > 8
    elos = list(event.anchors.values())
    assert elos == sorted(elos)
    page = (Path(__file__).parents[3] / "docs/ladder.md").read_text()
    for rung in SHIPPED_RUNGS:
        assert f"| {rung.name} | {rung.elo:g} | {rung.error:g} |" in page
    assert elos[0] == 0
    file.write_text('out = "x"\n[engine]\ncommand = "engine"\n[game]\nsize = 13\n')
    with pytest.raises(SettingFault, match="rungs: the shipped rungs are for Linage 9x9"):
        load(file, LadderSettings)


def test_two_engines_of_one_name_are_refused(ladder):
    """The rating would be of both."""
    with pytest.raises(ValueError, match="two engines have the name 'new'"):
        ladder(rung("new", 0)).event()
