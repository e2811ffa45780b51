"""A game as one page: complete, without other files, and safe for any text in a record."""

import re

import attrs
import pytest

from linage_bot.records.reading import from_sgf
from linage_bot.review.record_page import record_page
from tests.linage_bot.html_pages import Page
from tests.linage_bot.review.games import RECORDS


def page_of(record):
    return record_page(record, record.history().positions)


@pytest.mark.parametrize("game", sorted(RECORDS))
def test_the_page_stands_alone(game):
    """The page fetches nothing, runs no foreign script, and has no broken link."""
    text = page_of(from_sgf(RECORDS[game]))
    page = Page(text)
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert set(re.findall(r"\w+://[^\"'\s<)]+", text)) == {"http://www.w3.org/2000/svg"}
    assert "default-src 'none'" in text


@pytest.mark.parametrize("game", sorted(RECORDS))
def test_the_board_has_all_positions_and_the_page_all_moves(game):
    """The board gets one position more than there are moves, and each move stands in the list."""
    record = from_sgf(RECORDS[game])
    page = Page(page_of(record))
    (steps,) = page.games
    assert len(steps["changes"]) == len(steps["words"]) == len(record.moves) + 1
    assert page.ids == [f"move-{number}" for number in range(1, len(record.moves) + 1)]


def test_names_and_comments_are_text():
    """Markup in a record is shown as it is written."""
    record = attrs.evolve(
        from_sgf(RECORDS["linage"]),
        players=("<b>Ann</b>", "Ben"),
        comments={0: "</script><script>alert(1)</script>", 1: "a <i>good</i> start"},
    )
    text = page_of(record)
    page = Page(text)
    assert page.games[0]["notes"]["0"] == record.comments[0]
    assert "<b>Ann</b> – Ben" in page.text
    assert "Move 1: a <i>good</i> start" in page.text


def test_a_game_without_moves_is_a_page():
    """The start alone is shown."""
    assert "unfinished" in Page(page_of(from_sgf("(;SZ[5]RU[leblin])"))).text
