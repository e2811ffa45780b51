"""The pages of rules contain the text and pictures of the web page's help."""

import importlib.util
import sys
from pathlib import Path

import pytest

from linage_bot.rules import GAMES
from linage_bot.teaching import explained

ROOT = Path(__file__).parents[2]

_spec = importlib.util.spec_from_file_location("explain", ROOT / "docs" / "explain.py")
assert _spec is not None
assert _spec.loader is not None
explain = importlib.util.module_from_spec(_spec)
sys.modules["explain"] = explain
_spec.loader.exec_module(explain)

each_game = pytest.mark.parametrize("id_", GAMES)


@each_game
def test_the_page_is_current(id_: str) -> None:
    """`python docs/explain.py` gives exactly the committed page; else run it and look at it."""
    page = (ROOT / "docs" / "rules" / f"{id_}.md").read_text(encoding="utf-8")
    assert explain.BEGIN in page
    assert explain.renewed(page, GAMES[id_]) == page


@each_game
def test_the_page_has_all_that_the_help_tells(id_: str) -> None:
    """The page has every paragraph, every picture, and the effect of every option."""
    page = (ROOT / "docs" / "rules" / f"{id_}.md").read_text(encoding="utf-8")
    text = " ".join(page.replace("\n> ", "\n").split())
    for paragraph in explained(GAMES[id_].configure(), pie=True):
        assert " ".join(paragraph.text.split()) in text
        for example in paragraph.examples:
            assert " ".join(example.words.split()) in text
            assert f"../images/{id_}-{example.name}.svg" in page
    for name, option in GAMES[id_].options().items():
        assert f"With `{name}`" in page
        assert option.values in page
