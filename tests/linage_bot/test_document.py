"""Pages: whole documents, in which text stays text."""

import pytest

from linage_bot.document import Markup, describe_game, document, table
from linage_bot.games import GAMES
from tests.linage_bot.html_pages import Page


def test_a_page_is_a_whole_document():
    """The title is text, the body HTML."""
    text = document("A <b> & c", "<p>x</p>", "p { color: red }")
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>\n")
    assert "A <b> & c" in page.text
    assert page.tags.count("p") == 1
    assert "p { color: red }" in text


def test_cells_are_text_unless_they_are_markup():
    """A name cannot become HTML by accident."""
    page = Page(table(("a", "b"), [("<i>", Markup("<i>x</i>")), (1, "")]))
    assert page.tables == [[["a", "b"], ["<i>", "x"], ["1", ""]]]
    assert page.tags.count("i") == 1


@pytest.mark.parametrize(
    ("game", "size", "text"),
    [
        ("linage", "9x7", "Linage 9x7, komi 0.5"),
        ("leblin", "9", "Leblin 9x9"),
        ("gardar", "5", "Gardar side 5, komi 0"),
    ],
)
def test_games_in_words(game, size, text):
    """Name, size and, where the game has one, komi."""
    assert describe_game(GAMES[game].configure(size)) == text
