"""Games that repeat an earlier one: they are reported and do not count as evidence."""

import attrs
import pytest

from linage_bot.match.ladder import LadderLines
from linage_bot.match.page import write_page
from linage_bot.match.store import EventStore
from linage_bot.settings.ladder import LadderSettings, RungSettings
from linage_bot.settings.match import (
    EngineSettings,
    GameSettings,
    OpeningSettings,
    SprtSettings,
)
from tests.linage_bot.html_pages import Page

ADVICE = "For other games give [openings], or more of them"


def figures(shown):
    """The lines about how much better one engine is, without the pairs that do not count."""
    lines = [line for line in shown.splitlines() if line.startswith(("good – bad: ", "Pairs "))]
    return [line.partition(";")[0] for line in lines]


@pytest.mark.parametrize("concurrency", [1, 4])
def test_copies_of_a_game_are_counted_once(duel, play, concurrency, tmp_path):
    """Forty games, of which two differ, give the statistics of these two."""
    _, two = play(duel(games=2, out=str(tmp_path / "two")))
    event = duel(games=40, concurrency=concurrency)
    records, shown = play(event)
    originals = [record for record in records if "repeats" not in record]
    assert len(originals) == 2
    for record in records:
        if "repeats" in record:
            [original] = [one for one in originals if one["number"] == record["repeats"]]
            assert original["moves"] == record["moves"]
            assert original["players"] == record["players"]
            assert f", repeats game {original['number']}  [" in shown
    assert figures(shown) == figures(two)
    assert "because they repeat earlier ones: 19" in shown
    assert "38 of 40 games repeat an earlier one move for move and add nothing to the" in shown
    assert shown.count(f"The last 6 games repeat earlier ones. {ADVICE}") == 1
    rows = [line.split() for line in shown.splitlines()]
    assert ["good", "40", "38"] in [[row[0], row[1], row[-1]] for row in rows if len(row) == 12]
    assert "repeat" not in two


def test_an_event_that_is_read_again_counts_its_copies_as_before(duel, play, tmp_path):
    """Copies are recognised by their moves, even if the records do not name the original."""
    event = duel(games=12)
    records, shown = play(event)
    assert sum("repeats" in record for record in records) == 10
    results = tmp_path / "out/results.jsonl"
    results.write_bytes(results.read_bytes().replace(b'"repeats":', b'"repeats":1'))  # untrue
    _, again = play(event)
    assert figures(again) == figures(shown)
    store = EventStore.open(event)
    page = Page(write_page(event, list(store.records.values()), tmp_path / "page").read_text())
    store.close()
    assert "10 of 12 games repeat an earlier one" in page.text
    assert "because they repeat earlier ones: 5" in page.text


def test_games_that_differ_are_all_evidence(duel, play):
    """Games with openings that differ are not reported as copies."""
    records, shown = play(duel(games=8, openings=OpeningSettings(random_moves=4)))
    assert not any("repeats" in record for record in records)
    assert "repeat" not in shown


def test_a_test_that_gets_only_copies_is_given_up(duel, play):
    """The report says why and suggests openings, with which the event continues."""
    event = duel(games=400, sprt=SprtSettings(0, 200))
    records, shown = play(event)
    assert len(records) == 22
    assert f"The last 6 games repeat earlier ones. {ADVICE}" in shown
    assert "The test ends undecided after 20 such games in succession" in shown
    assert "SPRT 0 to 200 normalized Elo: undecided" in shown
    again, shown = play(event)
    assert again == records
    assert "22 games already played, and the last ones only repeat; the result:" in shown
    more = attrs.evolve(event, openings=OpeningSettings(random_moves=3), games=40)
    with_openings, _ = play(more, accept_changes=True)
    assert len(with_openings) > 22


def test_copies_do_not_decide_a_test(duel, play):
    """Copies do not decide a test, even if one side won all of them."""
    event = duel("resign", games=400, sprt=SprtSettings(0, 200))
    records, shown = play(event)
    assert len(records) == 22
    assert "undecided" in shown


def test_an_engine_that_fails_alike_in_each_game_is_withdrawn_as_ever(duel, play):
    """An engine that always fails alike is withdrawn, without advice about openings."""
    records, shown = play(duel("crash", games=400, max_failures=25, sprt=SprtSettings(0, 200)))
    assert len(records) == 25
    assert "bad is withdrawn" in shown
    assert "The last" not in shown


def test_a_rating_list_is_made_of_games_that_differ(duel, play, tmp_path):
    """A tournament of copies rates as one round of it does."""

    def ratings(games):
        event = duel("resign=3", games=games, out=str(tmp_path / str(games)))
        more = EngineSettings(("engine", "seed=3"), name="third")
        _, shown = play(attrs.evolve(event, engines=(*event.engines, more), tournament="gauntlet"))
        return shown[shown.index("engine") :].splitlines()[-5:]

    assert ratings(20) == ratings(2)


def test_a_rung_that_only_repeats_itself_is_left_and_the_ladder_ends(tmp_path, play):
    """A rung with only repeated games is left, so the ladder ends early."""
    rungs = [
        RungSettings(("engine", f"seed={seed}", f"resign={seed}"), name=f"rung {seed}", elo=100)
        for seed in (3, 4, 5)
    ]
    event = LadderSettings(
        engine=EngineSettings(("engine", "seed=1"), name="new"),
        out=str(tmp_path / "out"),
        game=GameSettings(size=5),
        rungs=tuple(rungs),
        openings=OpeningSettings(),
        error=10,
    ).event()
    records, shown = play(event, report_class=LadderLines)
    assert len(records) == 12
    assert "6 of 12 games repeat an earlier one" in shown
    assert shown.splitlines()[-3].endswith(" after 6 games")
