"""Pages: whole documents, in which text stays text."""

import pytest
from jinja2 import UndefinedError

from linage_bot.drawing import STYLE
from linage_bot.drawing.html import may_replace, render
from tests.linage_bot.html_pages import Page


def test_a_page_is_a_whole_document():
    """A page names its maker, has both colour schemes once, and escapes its title."""
    text = render("base.html", title="A <b> & c")
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>\n")
    assert "A <b> & c" in page.text
    assert "b" not in page.tags
    assert text.count(STYLE) == 1
    assert "{{" not in text


def test_a_page_may_be_replaced_by_another_of_ours_and_by_no_others(tmp_path):
    """Only our own pages, recognised near their beginning, are replaced."""
    page = tmp_path / "index.html"
    assert may_replace(page)
    page.write_text(render("base.html", title="ours"), encoding="utf-8")
    assert may_replace(page)
    page.write_text("<!DOCTYPE html>", encoding="utf-8")
    assert not may_replace(page)


def test_a_value_that_is_missing_is_an_error():
    """A page never goes out with a hole in it."""
    with pytest.raises(UndefinedError):
        render("base.html")
