"""The report: one page that shows everything and needs nothing else."""

import attrs
import pytest

from linage_bot.match.page import write_page
from linage_bot.match.settings import EngineSettings, SprtSettings
from linage_bot.records import from_sgf
from tests.linage_bot.html_pages import Page


@pytest.fixture
def page(tmp_path):
    def page(settings, records):
        path = write_page(settings, records, tmp_path / "report")
        return Page(path.read_text(encoding="utf-8"))

    return page


def test_the_page_of_a_match_shows_tables_plots_games_and_forfeits(page, settings, game, tmp_path):
    tested = attrs.evolve(settings, name="A <b> & c", sprt=SprtSettings(0, 50))
    records = [
        game(2, None),
        game(1, "ada"),
        game(3, "bea", ending="forfeit", reason="died", log=("> genmove b", "! <oops>")),
    ]
    shown = page(tested, records)
    assert "A <b> & c" in shown.text
    assert "better with" in shown.text
    assert "1.5/3" in shown.text  # the cross table
    assert "ada forfeits: died" in shown.text
    assert "! <oops>" in shown.text
    assert shown.images == [
        "Ratings with 95 % errors",
        "Elo of ada over bea",
        "LLR over time",
        "Lengths of the games",
        "Time used",
    ]
    assert set(shown.links) == {"0001.sgf", "0002.sgf", "0003.sgf"}
    for link in shown.links:
        assert from_sgf((tmp_path / "report" / link).read_bytes()).moves
    assert (tmp_path / "report/index.html").read_text().count("<figure>") == 3


def test_more_engines_get_their_ratings_over_time(page, settings, game):
    three = attrs.evolve(
        settings,
        engines=(*settings.engines, EngineSettings("c", name="$_cleo")),
        tournament="round-robin",
    )
    shown = page(three, [game(1, "ada"), game(2, "bea"), game(3, None)])
    assert "Ratings over time" in shown.images
    assert "$_cleo" in shown.text


def test_an_event_without_games_has_a_page_too(page, settings):
    assert "0 games, match" in page(settings, []).text


def test_a_game_against_our_rules_is_listed_without_a_diagram(page, settings, game):
    shown = page(settings, [game(1, "ada", moves=("C3", "C3"))])
    assert "The moves do not follow our rules." in shown.text
