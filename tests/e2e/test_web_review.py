"""*Review* in a real browser: progress, graph, mistakes and better lines, each a click away."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from linage_bot.records.reading import from_sgf
from linage_bot.review import review_game
from linage_bot.settings.playing import PlaySettings
from tests.e2e.test_web_page import audit
from tests.e2e.web_server import ONE_SIZE, SIZES, Visit, web_server
from tests.linage_bot.review.games import RECORDS

pytestmark = pytest.mark.thorough

VISITS = 200
GIVEN = RECORDS["linage"].replace("SZ[5]", "SZ[5]ON[3 given moves]")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server whose searches are short."""
    with web_server("--visits", str(VISITS), "--level", "1", "--size", "5") as address:
        yield address


@pytest.fixture(params=ONE_SIZE)
def visit(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A page of the board in each size; at the end nothing may have gone wrong on it."""
    with Visit(browser, address, **SIZES[request.param]) as visit:
        yield visit


def reviewed(visit: Visit, text: str) -> list[tuple[int, str, str]]:
    """Load and review a file; return its mistakes on the page: number, move, better move."""
    visit.load(text)
    visit.review()
    visit.page.wait_for_selector("#review-found:not([hidden])")
    rows = visit.page.get_by_role("list", name="The largest mistakes").get_by_role("listitem")
    found = []
    for row in rows.all():
        played, better = row.get_by_role("button").all()
        move = re.fullmatch(r"(\d+) (\w+), mistake of \w+", played.get_attribute("aria-label"))
        found.append((int(move[1]), move[2], better.inner_text().removeprefix("better ")))
    return found


@pytest.mark.parametrize("text", [RECORDS["linage"], RECORDS["linage-two-color"], GIVEN])
def test_the_mistakes_are_those_of_the_command(visit: Visit, text: str) -> None:
    """The page lists the mistakes of the `review` command in its order, without opening moves."""
    found = review_game(from_sgf(text.encode()), PlaySettings(visits=VISITS, seed=1))
    name_of = found.positions[0].name_of
    expected = [
        (number, name_of(found.moves[number - 1].move), name_of(found.moves[number - 1].best))
        for number in found.mistakes
    ]
    assert reviewed(visit, text) == expected
    assert expected
    assert visit.page.locator("#review-graph .mistake").count() == len(expected)
    said = visit.page.inner_text("#no-mistakes")
    assert ("first 3 moves were given" in said) == (text is GIVEN)


@pytest.mark.parametrize("visit", SIZES, indirect=True)
def test_each_mistake_and_what_would_have_been_better_is_a_click_away(visit: Visit) -> None:
    """A click shows the position before the mistake and the better line on the board."""
    page, (worst, *_) = visit.page, reviewed(visit, RECORDS["linage"])
    number, move, better = worst
    page.get_by_role("button", name=f"better {better} at move {number}").click()
    visit.wait_for_text("#status", f"Looking at move {number - 1} of 12")
    page.wait_for_selector(".line .dream")
    assert page.locator(".line .number").first.text_content() == "1"
    assert page.locator(".line .cross").count() == 1
    assert page.inner_text("#review-line").startswith(f"Better: {better} ")
    expect(page.locator("#board")).to_be_in_viewport()
    assert page.evaluate(audit("contrast")) == []
    page.get_by_role("button", name=f"{number} {move}, mistake of").press("Enter")
    expect(page.locator("#review-line")).to_contain_text(f"should have followed: {move} ")
    assert page.locator(".line .cross").count() == 0
    page.get_by_role("button", name="One move forward").click()
    page.wait_for_selector(".line .dream", state="detached")
    assert page.inner_text("#review-line") == ""
    page.locator("#review-graph").click(position={"x": 2, "y": 20})
    visit.wait_for_text("#status", "Looking at move 0 of 12")
    visit.wait_for_text("#review-verdict", "At the start: Vertical wins")


def test_a_review_survives_a_reload_and_is_closed(visit: Visit) -> None:
    """A review survives a reload, can be closed, and can be made again."""
    page, before = visit.page, reviewed(visit, RECORDS["linage-two-color"])
    assert before
    page.reload()
    page.wait_for_selector("#mistakes li")
    assert page.locator("#mistakes li").count() == len(before)
    assert page.locator("#moves .mistake").count() == len(before)
    page.get_by_role("button", name="Close").click()
    page.wait_for_selector("#review-found", state="hidden")
    assert page.locator("#moves .mistake").count() == 0
    page.keyboard.press("v")
    page.wait_for_selector("#mistakes li")


def test_a_review_shows_how_far_it_is_and_can_be_stopped(browser: Browser) -> None:
    """During a review the page and other pages can be used."""
    with (
        web_server("--size", "7", "--level", "1") as address,
        Visit(browser, address) as visit,
        Visit(browser, address) as other,
    ):
        page = visit.page
        visit.load(RECORDS["gardar"])
        visit.review()
        bar = page.get_by_role("progressbar", name=re.compile("Judging the moves: [1-9]"))
        bar.wait_for()
        assert 0 < bar.evaluate("bar => bar.value") < 1
        assert page.get_by_role("button", name="Review").is_disabled()
        other.click(24)
        other.page.wait_for_selector('#moves [data-move="2"]', state="attached")
        page.get_by_role("button", name="One move back").click()
        visit.wait_for_text("#status", "Looking at move 13 of 14")
        page.get_by_role("button", name="Stop").click()
        bar.wait_for(state="hidden")
        assert page.get_by_role("button", name="Review").is_enabled()


def test_a_game_that_was_played_here_is_reviewed(visit: Visit) -> None:
    """A game played in the page can be reviewed once it has moves."""
    page = visit.page
    visit.new_game("leblin", "3", ("", ""))
    visit.tab("review")
    assert page.get_by_role("button", name="Review").is_disabled()
    visit.place(0, 4, 8)
    visit.review()
    page.wait_for_selector("#review-graph .now", state="attached")
    visit.wait_for_text("#review-verdict", "After move 3: ")
