"""The game of `docs/adding.md`, added as the page says, is played in a browser."""

import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from linage_bot.engine.jit.cache_folder import cache_folder
from tests.docs.test_adding import code
from tests.e2e.engine import ENVIRONMENT, ROOT
from tests.e2e.web_server import Visit, environment, web_server

_IGNORED = shutil.ignore_patterns("__pycache__")


@pytest.fixture
def with_col(tmp_path: Path) -> Path:
    """The project with the page's two modules and its line in the table, and no other change."""
    for package in ("linage_bot", "protocol"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=_IGNORED)
    for file in ("linage_bot/rules/col.py", "linage_bot/engine/kernels/col.py"):
        (tmp_path / file).write_text(code(file), encoding="utf-8")
    table = tmp_path / "linage_bot/rules/__init__.py"
    text = table.read_text(encoding="utf-8")
    assert text.count("    }\n") == 1
    text = text.replace("    }\n", '        "col": "linage_bot.rules.col:Col",\n    }\n')
    table.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def col(browser: Browser, with_col: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Visit]:
    """A page whose server knows Col."""
    monkeypatch.setitem(ENVIRONMENT, "LINAGE_BOT_CACHE", str(with_col / "cache"))

    def python(*words: str) -> str:
        there = {"cwd": with_col, "env": environment(with_col)}
        return subprocess.check_output([sys.executable, *words], text=True, **there)

    # The added kernel changes nothing of the code that all games share.
    own = python("-c", f"from {cache_folder.__module__} import *; print(cache_folder())").strip()
    shutil.copytree(cache_folder(), own, dirs_exist_ok=True)
    # Compiling takes longer than a page waits for an answer.
    python("-m", "linage_bot", "warm", "col")
    # The page begins with Col too, or else it would have Linage compiled for nothing.
    options = ("--game", "col", "--visits", "30", "--level", "1")
    with (
        web_server(*options, root=with_col) as address,
        Visit(browser, address) as visit,
    ):
        yield visit


@pytest.mark.thorough
def test_an_added_game_is_played_in_the_browser(col: Visit) -> None:
    """Chosen in the form, explained by the help, refused by its own rule, and played to its end."""
    page, choice = col.page, random.Random(2)
    col.new_game("col", "4", ("", "1"))
    assert page.inner_text("#title") == "Col"
    assert page.is_disabled("#pass")
    page.click("#help")
    col.wait_for_text("#rules", "Black and White place stones of their own colour.")
    page.keyboard.press("Escape")
    reason = "there is a stone of the same colour next to this point"
    for turn in range(9):  # a 4x4 board has room for eight stones of each
        col.wait_for_turn()
        state = col.state()
        if state["over"]:
            break
        if turn == 1:
            (refused,) = state["position"]["refused"]
            assert refused["reason"] == reason
            col.click(refused["points"][0])
            col.wait_for_text("#message", reason)
        col.click(choice.choice(state["position"]["legal"]))
        page.wait_for_selector(f'#moves [data-move="{2 * turn + 1}"]', state="attached")
    assert state["over"]
    winner = state["game"]["players"][state["result"]["winner"]]
    assert page.inner_text("#status") == f"The game is over: {winner} wins."
