"""The report: one page that shows everything and needs nothing else."""

import re

import attrs
import pytest

from linage_bot.match.page import write_page
from linage_bot.records.reading import from_sgf
from linage_bot.settings.match import EngineSettings, SprtSettings
from tests.linage_bot.html_pages import Page


@pytest.fixture
def page(tmp_path):
    def page(settings, records):
        path = write_page(settings, records, tmp_path / "report")
        return Page(path.read_text(encoding="utf-8"))

    return page


def test_the_page_of_a_match_shows_tables_plots_games_and_forfeits(page, settings, game, tmp_path):
    """Every link has its file or its place, and names and logs are text, not markup."""
    tested = attrs.evolve(settings, name="A <b> & c", sprt=SprtSettings(0, 50))
    records = [
        game(2, None),
        game(1, "ada"),
        game(3, "bea", ending="forfeit", reason="died", log=("> genmove b", "! <oops>")),
    ]
    records += [game(4, "ada", moves=("C3", "pass", "pass")), game(5, "ada"), game(6, "bea")]
    shown = page(tested, records)
    assert "A <b> & c" in shown.text
    assert "better with" in shown.text
    assert "3.5/6" in shown.text  # the cross table
    assert "ada forfeits: died" in shown.text
    assert "! <oops>" in shown.text
    assert shown.images == [
        "Elo of ada over bea",
        "LLR over time",
        "Lengths of the games",
        "Time used",
    ]
    files = {f"000{number}.sgf" for number in range(1, 7)}
    assert set(shown.links) == files | {"#game-2", "#game-4", "#game-6"}
    assert {"game-2", "game-4", "game-6"} <= set(shown.ids)
    assert "after 3 pairs: 58." in shown.text
    for link in files:
        assert from_sgf((tmp_path / "report" / link).read_bytes()).moves
    assert (tmp_path / "report/index.html").read_text().count("<figcaption>") == 6


def test_after_a_whitewash_the_page_says_what_is_known_and_that_the_rest_is_not(
    page, settings, game
):
    """A one-sided match shows a bound, no rating, no -0.0, and words for an empty plot."""
    shown = page(settings, [game(number, "ada") for number in range(1, 5)])
    assert "Elo at least -290.5 (95 %)" in shown.text
    assert "Ratings" not in shown.text
    assert "The games do not determine the advantage of moving first." in shown.text
    told = "ada has won every pair 2–0, so there is no upper bound on the difference"
    assert told in shown.text
    assert (
        "No plot yet: it needs two pairs of games with an interval; as ada has won"
        " every pair, Elo has a bound at one end only." in shown.text
    )
    assert "All games have the same length, 4 moves." in shown.text
    assert shown.images == ["Time used"]
    assert "∞" not in shown.text
    assert "-0.0" not in shown.text


def test_before_the_first_pair_the_page_says_that_nothing_is_known(page, settings, game):
    """One game gives neither a comparison nor a plot."""
    shown = page(settings, [game(1, "ada", moves=("C3", "pass"), seconds=(1.0, 1.0))])
    assert "the difference is not known" in shown.text
    assert shown.images == []


def test_plots_have_the_colours_of_the_page(page, settings, game, tmp_path):
    """Dark in the dark: every colour is one of the page's own, which has both kinds."""
    winners = ("ada", "bea", "ada", None, "ada", "ada")
    page(settings, [game(number, winner) for number, winner in enumerate(winners, 1)])
    text = (tmp_path / "report/index.html").read_text()
    plots = re.findall(r'<svg class="graph".*?</svg>', text, re.DOTALL)
    assert len(plots) == 2
    used = set(re.findall(r"(?:fill|stroke): ([^;\"]+)", "".join(plots))) - {"none"}
    assert used
    for colour in used:
        name = re.fullmatch(r"var\(--([a-z-]+)\)", colour)[1]
        assert text.count(f"--{name}:") == 2


def test_more_engines_get_their_ratings_over_time(page, settings, game):
    """The page shows ratings in place of one difference; markup in names is plain text."""
    others = (EngineSettings("c", name="$_cleo"), EngineSettings("d", name="<b>囲碁</b>"))
    more = attrs.evolve(settings, engines=(*settings.engines, *others), tournament="round-robin")
    shown = page(more, [game(1, "ada"), game(2, "bea"), game(3, None)])
    assert "Ratings over time" in shown.images
    assert "$_cleo" in shown.text
    assert "<b>囲碁</b>" in shown.text


def test_an_event_without_games_has_a_page_too(page, settings):
    """The page can be made before the first game ends."""
    assert "0 games, match" in page(settings, []).text


def test_a_game_against_our_rules_is_listed_without_a_diagram(page, settings, game):
    """A game with illegal moves, possible without a referee, does not break the page."""
    shown = page(settings, [game(1, "ada", moves=("C3", "C3"))])
    assert "The moves do not follow our rules." in shown.text
    assert shown.games == []


def test_each_game_can_be_stepped_through(page, settings, game):
    """Each step has the player, the time used, and whether the move was given."""
    ended = game(
        2, "ada", moves=("A1", "C3", "pass"), opening_moves=1, seconds=(0.5, 1.25), pie="komi 3"
    )
    shown = page(settings, [game(1, "ada", reason="</script>", log=("! <b>",)), ended])
    first, second = shown.games
    assert second["words"] == [
        "The start",
        "1. bea (Vertical): A1, given",
        "2. ada (Horizontal): C3, 0.50 s",
        "3. bea (Vertical): pass, 1.25 s",
    ]
    assert second["moves"] == [0, 12, None]
    assert second["changes"] == [[], [0, 1], [12, 2], []]
    assert second["notes"] == {"0": "komi 3"}
    assert first["notes"] == {"4": "</script>\n! <b>"}
    assert first["board"] == second["board"]
