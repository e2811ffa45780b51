"""The start screen leads a newcomer, and a returning player to the games of this browser."""

import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, Route, expect

from linage_bot.records.reading import from_sgf, split_sgf
from tests.e2e.test_web_axe import violations
from tests.e2e.web_server import DESKTOP, PHONE, Visit, web_server

pytestmark = pytest.mark.thorough

SMALL = PHONE | {"viewport": {"width": 320, "height": 568}}
SIDEWAYS = PHONE | {"viewport": {"width": 844, "height": 390}}
FITS = """() => document.documentElement.scrollWidth <= innerWidth
    && [...document.querySelectorAll('#start-main *')].every(each => {
        const { left, right, bottom } = each.getBoundingClientRect();
        return left >= 0 && right <= innerWidth && bottom <= innerHeight;
    })"""


def solve(page: Page, game: str) -> None:
    """Make the right move in every step of the lesson on view."""
    path = f"/api/lessons/{game}"
    told = page.evaluate("async path => (await fetch(path)).json()", path)
    for number, step in enumerate(told["steps"], 1):
        page.get_by_role("button", name=f"Step {number}:").click()
        right = next(each["moves"][0] for each in step["answers"] if each["right"])
        if right == -1:
            page.click("#lesson-pass")
        else:
            page.locator(f'#lesson-board [data-point="{right}"]').click(force=True)
        page.wait_for_selector("#lesson-message.right")


@pytest.mark.parametrize("size", [DESKTOP, SMALL, SIDEWAYS], ids=["desktop", "small", "sideways"])
def test_a_newcomer_is_led_to_a_first_game(browser: Browser, size: dict[str, Any]) -> None:
    """The aim, a picture and four doors fit the window; the lesson leads to a small first game."""
    with (
        web_server("--visits", "30") as address,
        Visit(browser, address, at_start=True, **size) as visit,
    ):
        page = visit.page
        for game in ("leblin", "gardar", "linage"):
            page.select_option("#start-game", game)
            page.wait_for_selector("#start-board svg")
            assert page.evaluate(FITS), game
        assert "owns more points wins" in page.inner_text("#start-aim")
        assert page.locator("#doors button:visible").count() == 4
        assert violations(page) == []
        page.click("#door-learn")
        solve(page, "linage")
        page.get_by_role("button", name="Play your first game").click()
        page.wait_for_selector("#board svg")
        assert page.inner_text("#subtitle") == "9 × 9"
        assert visit.state()["players"] == [None, 4]
        visit.click(40)
        page.wait_for_selector('#moves [data-move="2"]', state="attached")


def test_your_games_are_found_again(browser: Browser, web_address: str) -> None:
    """The address resumes the last game; the list renames, exports and deletes games."""
    with Visit(browser, web_address, at_start=True) as visit:
        page = visit.page
        assert not page.is_visible("#games")
        page.click("#door-friend")
        assert page.input_value("#seat-1") == "friend"
        page.keyboard.press("Escape")
        page.click("#door-puzzles")
        page.wait_for_selector("#puzzle-goal:not(:empty)")
        page.keyboard.press("Escape")
        page.click("#door-play")
        page.wait_for_selector("#board svg")
        visit.new_game("leblin", "5", ("", ""))
        visit.place(12, 0)
        visit.new_game("linage", "5", ("", ""))
        visit.place(12)
        last = page.url
        page.goto(f"{visit.origin}/")
        page.wait_for_selector('[data-stone="12"]')
        assert page.url == last
        page.click("#home")
        rows = page.locator("#games-list li")
        expect(rows).to_have_count(2)  # the game without a move is left out
        assert "1 move" in rows.first.inner_text()
        assert rows.first.locator(".stone").count() == 1
        page.once("dialog", lambda dialog: dialog.accept("<b>Mine</b>"))
        rows.first.get_by_role("button", name="Rename").click()
        assert rows.first.locator("strong").inner_text() == "<b>Mine</b>"
        assert violations(page) == []
        with page.expect_download() as download:
            page.get_by_role("button", name="Export all").click()
        games = split_sgf(Path(download.value.path()).read_bytes())
        assert [from_sgf(each).game.id for each in games] == ["linage", "leblin"]
        rows.nth(1).get_by_role("link").click()
        visit.wait_for_text("#title", "Leblin")
        page.go_back()
        page.wait_for_selector("#welcome")
        page.on("dialog", lambda dialog: dialog.accept())
        rows.filter(has_text="Mine").get_by_role("button", name="Delete").click()
        expect(rows).to_have_count(1)
        page.goto(last)
        visit.wait_for_text("#start-said", "That game is not on the server any more.")
        visit.faults = [each for each in visit.faults if not re.search("404", each)]


def test_the_start_screen_stays_if_a_game_comes_late(browser: Browser, web_address: str) -> None:
    """A game that was still on its way is not shown to a visitor who has left it."""
    with Visit(browser, web_address, at_start=True) as visit:
        page = visit.page
        page.click("#door-play")
        page.wait_for_selector("#board svg")
        visit.place(12)
        held: list[Route] = []
        page.route("**/events?*", lambda route: route.continue_() if held else held.append(route))
        page.goto(f"{visit.origin}/")
        while not held:
            page.wait_for_timeout(10)
        page.click("#home")
        with suppress(Error):  # of a request that the page has given up
            held[0].continue_()
        page.wait_for_timeout(500)  # far longer than the game takes
        assert page.is_visible("#welcome")
        assert page.url == f"{visit.origin}/"
        page.get_by_role("listitem").get_by_role("link").click()
        page.wait_for_selector('[data-stone="12"]')
