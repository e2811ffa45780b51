"""The library as its page and the README show it."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import linage_bot

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "page",
    [
        *("README.md", "docs/library.md", "docs/batch.md", "docs/openspiel.md"),
        "docs/write-an-engine.md",
        pytest.param("docs/network.md", marks=pytest.mark.thorough),  # compiles code
        pytest.param("docs/write-a-client.md", marks=pytest.mark.thorough),  # three programs
    ],
)
def test_every_example_does_what_the_page_says(page: str, monkeypatch) -> None:
    """The examples on the page give the printed results when copied; all Python is an example.

    Whole files, which a comment with their name precedes, have tests of their own.
    """
    text = (ROOT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^(?<! -->\n)```python\n(.*)", text, re.MULTILINE)
    assert blocks
    assert [first for first in blocks if not first.startswith(">>> ")] == []
    here = str(Path(sys.executable).parent)
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PATH", here + os.pathsep + os.environ["PATH"])
    failed, tried = doctest.testfile(
        str(ROOT / page), module_relative=False, optionflags=doctest.ELLIPSIS
    )
    assert tried >= len(blocks)
    assert not failed


def test_all_that_is_offered_is_there_and_named_on_the_page() -> None:
    """Each name that the library exports exists and is documented."""
    text = (ROOT / "docs/library.md").read_text()
    for name in linage_bot.__all__:
        assert getattr(linage_bot, name) is not None
        assert f"`{name}`" in text or f"import {name}" in text or f", {name}" in text, name
    assert set(linage_bot.__all__) <= set(dir(linage_bot))
    with pytest.raises(AttributeError, match="no attribute 'Enigne'"):
        linage_bot.Enigne  # noqa: B018


def test_the_page_imports_from_the_library_alone() -> None:
    """A reader needs no module that may change: neither examples nor text name one."""
    text = (ROOT / "docs/library.md").read_text()
    shown = re.sub(r"^linage_bot\.\S+: ", "", text, flags=re.MULTILINE)  # names of exceptions
    assert set(re.findall(r"\b(?:from|import) ((?:linage_bot|protocol)[\w.]*)", shown)) == {
        "linage_bot"
    }
    assert not re.findall(r"\b(?:linage_bot|protocol)\.\w+", shown)


def test_the_rules_are_light_and_an_engine_is_until_it_thinks() -> None:
    """Slow imports happen at their first use, not with the library."""
    code = """
import sys
heavy = {"numba", "numpy", "twisted", "matplotlib", "scipy"}
import linage_bot
assert "attrs" not in sys.modules
so_far = linage_bot.History(linage_bot.game("gardar", size=3))
engine = linage_bot.Engine(level=3)
linage_bot.GtpPlayer
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stderr, done.returncode) == ("", 0)


def test_what_is_no_game_is_refused_in_one_line() -> None:
    """The error quotes the unknown name and lists the games."""
    with pytest.raises(
        linage_bot.BadOption, match="game: 'go' is not a game; the games are linage, "
    ):
        linage_bot.game("go")
