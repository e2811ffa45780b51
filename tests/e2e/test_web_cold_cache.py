"""The page during compilation: it opens at once and shows the progress."""

import contextlib
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from linage_bot.engine.jit.single_compile import once
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.rules import GAMES
from tests.e2e.compiled_code import copy_without
from tests.e2e.web_server import Visit, web_server

pytestmark = pytest.mark.thorough

AT_ONCE_SECONDS = 15  # on a machine that does much else, and compiles
MOST_SECONDS = 250
_BAR = """() => {
  const bar = document.querySelector("progress");
  return bar.checkVisibility() ? [bar.value, bar.labels[0].innerText] : null;
}"""


def bar(page: Page) -> tuple[float, str] | None:
    """Return the progress bar's value and label, or None if there is no bar."""
    return page.evaluate(_BAR)


def watch(page: Page) -> list[tuple[float, str]]:
    """All that the bar shows until it goes."""
    seen = [bar(page)]
    deadline = time.monotonic() + MOST_SECONDS
    while seen[-1] is not None:
        assert time.monotonic() < deadline
        page.wait_for_timeout(200)
        seen.append(bar(page))
    return seen[:-1]


@contextlib.contextmanager
def as_if_compiling(cache: Path) -> Iterator[None]:
    """Pretend that a process compiles Leblin; at the end it seems killed and adds no code."""
    (folder,) = cache.iterdir()
    with contextlib.suppress(InterruptedError), once("kernels.leblin", folder) as first:
        assert first
        yield
        raise InterruptedError


def test_while_a_game_is_compiled(browser: Browser, tmp_path: Path) -> None:
    """Persons can move during compilation, a bar shows progress, and then the engine moves.

    Another process pretends to compile until a move was made, so that fast machines wait too.
    """
    cache = copy_without(tmp_path, "leblin")
    began = time.monotonic()
    options = ("--game", "leblin", "--size", "7", "--seconds", "1")
    with contextlib.ExitStack() as stack:
        elsewhere = stack.enter_context(contextlib.ExitStack())
        elsewhere.enter_context(as_if_compiling(cache))
        address = stack.enter_context(web_server(*options, cache=cache))
        visit = stack.enter_context(Visit(browser, address))
        page = visit.page
        page.wait_for_selector("#compiling:not([hidden])")
        assert time.monotonic() - began < AT_ONCE_SECONDS
        table = page.url
        visit.new_game("leblin", "7", ("", ""))
        visit.place(24, 10, 38)
        page.keyboard.press("u")
        page.wait_for_selector('#moves [data-move="3"].undone', state="attached")
        assert time.monotonic() - began < 2 * AT_ONCE_SECONDS
        page.wait_for_selector("#compiling:not([hidden])")
        elsewhere.close()
        page.goto(table)
        page.wait_for_selector("#compiling:not([hidden])")
        visit.click(24)
        page.wait_for_selector('#moves [data-move="1"]', state="attached")
        assert "is thinking" in page.inner_text("#status")
        shown = watch(page)
        page.wait_for_selector('#moves [data-move="2"]', state="attached")
        assert page.inner_text("#status") == "Black to move."
    ours = [(share, words) for share, words in shown if "Leblin" in words]
    shares = [share for share, _ in ours]
    assert shares == sorted(shares)
    assert len(set(shares)) >= 3
    assert all(0 < share < 1 for share in shares)
    said = r"Compiling Leblin, once on this machine: (about \d+ s left|almost there)"
    assert all(re.fullmatch(said, words) for _, words in ours)


def test_a_game_that_is_compiled_does_not_wait_for_another(
    browser: Browser, tmp_path: Path
) -> None:
    """A compiled game can be played while another is compiled, even with few searches at once."""
    assert wait_for_kernel(GAMES["leblin"].configure(), threading.Event())
    cache = copy_without(tmp_path, "linage")
    options = ("--game", "leblin", "--size", "5", "--level", "1", "--threads", "2")
    with web_server(*options, cache=cache) as address, Visit(browser, address) as visit:
        page, table = visit.page, visit.page.url
        visit.click(12)
        page.wait_for_selector('#moves [data-move="2"]', state="attached")
        visit.new_game("linage", "7", ("1", ""))
        page.wait_for_selector("#compiling:not([hidden])")
        assert "is thinking" in page.inner_text("#status")
        page.goto(table)
        page.wait_for_selector('#moves [data-move="2"]', state="attached")
        page.click("#undo")
        page.wait_for_selector('#moves [data-move="1"].undone', state="attached")
        visit.click(0)
        page.wait_for_selector('#moves [data-move="2"]:not(.undone)', state="attached")
        assert [*cache.glob("*/kernels.linage.progress")]
