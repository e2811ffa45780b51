"""The lead of a position, measured at an even komi."""

import threading

import pytest

from linage_bot.engine.analysis import Report
from linage_bot.engine.limits import Limits
from linage_bot.engine.search.leads import FIRST_VISITS
from linage_bot.engine.search.think import Search
from linage_bot.rules import GAMES

NEVER = threading.Event()


@pytest.fixture
def make(kernel_of):
    def searching(game: str = "linage", komi: float | None = 6.5) -> Search:
        position = GAMES[game].configure("5", komi).start()
        return Search(kernel_of(game), position, position.moves(), 1, calibrates=True)

    return searching


def test_the_lead_does_not_depend_on_pauses(make):
    """A search in several steps shows the lead that it shows in one."""
    whole, parts = make(), make()
    whole.run(Limits(2 * FIRST_VISITS), NEVER, measure_lead=True)
    for visits in (500, FIRST_VISITS, FIRST_VISITS + 700, 2 * FIRST_VISITS):
        parts.run(Limits(visits), NEVER, measure_lead=True)
    assert whole.analysis() == parts.analysis()


def test_reports_show_the_lead_of_their_visits(make):
    """Every report has the lead of a search that ends with its number of visits."""
    told, search = [], make()
    search.run(Limits(20 * FIRST_VISITS), NEVER, Report(told.append, 0.0), measure_lead=True)
    seen = {found.visits: found.lead for found in told if found.visits >= FIRST_VISITS}
    assert seen
    for visits, lead in list(seen.items())[:3]:
        whole = make()
        whole.run(Limits(visits), NEVER, measure_lead=True)
        assert whole.analysis().lead == lead


def test_measuring_changes_only_leads(make):
    """Visits, win rates and lines are those of a search without the measurement."""
    plain, measured = make(), make()
    plain.run(Limits(FIRST_VISITS), NEVER)
    measured.run(Limits(FIRST_VISITS), NEVER, measure_lead=True)
    assert measured.visits == plain.visits
    before, after = plain.analysis(), measured.analysis()
    assert before.win_rate == after.win_rate
    assert before.lead != after.lead
    changes = [
        with_.lead - without.lead
        for with_, without in zip(after.candidates, before.candidates, strict=True)
    ]
    assert changes == pytest.approx([after.lead - before.lead] * len(changes))


def test_a_short_search_keeps_the_lead_of_its_playouts(make):
    """With too few visits for a measurement the lead is the mean of the playouts."""
    plain, measured = make(), make()
    plain.run(Limits(FIRST_VISITS - 1), NEVER)
    measured.run(Limits(FIRST_VISITS - 1), NEVER, measure_lead=True)
    assert measured.analysis() == plain.analysis()


def test_games_without_points_measure_no_lead(make):
    """In a game that counts no points the lead stays 0."""
    search = make("leblin", None)
    search.run(Limits(FIRST_VISITS), NEVER, measure_lead=True)
    assert search.analysis().lead == 0


def test_a_stop_ends_a_measurement(make):
    """A stop request ends the search, even if a measurement is under way."""
    search, stopped = make(), threading.Event()
    report = Report(lambda found: stopped.set() if found.visits > FIRST_VISITS else None, 0.0)
    search.run(Limits(1_000_000), stopped, report, measure_lead=True)
    assert FIRST_VISITS < search.visits < 1_000_000
