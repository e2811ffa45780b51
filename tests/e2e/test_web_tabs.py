"""One panel with tabs: what one needs is in sight, on a desktop and on phones."""

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.web_server import DESKTOP, PHONE, Visit
from tests.linage_bot.review.games import RECORDS

pytestmark = pytest.mark.thorough

TABS = ["play", "analysis", "moves", "review"]
SMALL = PHONE | {"viewport": {"width": 320, "height": 568}}
SIZES = {"desktop": DESKTOP, "phone": PHONE, "small": SMALL}
EVERY_SIZE = pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
LONG = "game=linage&size=9&moves=eeefdfggcgccddhhbbdbicedfe"
NESTED = """() => {
  const scrolls = each => each.scrollHeight > each.clientHeight + 1
    && (each === document.documentElement || /auto|scroll/.test(getComputedStyle(each).overflowY));
  const all = [...document.querySelectorAll("body *")].filter(each => each.checkVisibility());
  return all.filter(scrolls).flatMap(inner => {
    for (let outer = inner.parentElement; outer; outer = outer.parentElement) {
      if (scrolls(outer)) return [`${inner.id} in ${outer.id || outer.tagName}`];
    }
    return [];
  });
}"""
WATCH = """() => {
  const board = document.querySelector("#board");
  window.widths = new Set();
  new ResizeObserver(() => window.widths.add(board.getBoundingClientRect().width)).observe(board);
}"""


def test_tabs_work_by_keys_and_are_remembered(visit: Visit) -> None:
    """Arrow keys, Home and End choose a tab; only its panel is shown, also after a reload."""
    page = visit.page
    tabs = page.get_by_role("tablist").get_by_role("tab")
    assert tabs.all_inner_texts() == ["Play", "Analysis", "Moves", "Review"]
    page.get_by_role("tab", name="Play").focus()
    for key, name in (
        ("ArrowRight", "Analysis"),
        ("End", "Review"),
        ("ArrowRight", "Play"),
        ("ArrowLeft", "Review"),
        ("Home", "Play"),
        ("ArrowRight", "Analysis"),
        ("ArrowRight", "Moves"),
    ):
        page.keyboard.press(key)
        expect(page.get_by_role("tab", name=name)).to_be_focused()
        assert page.locator("[role=tab][aria-selected=true]").all_inner_texts() == [name]
        assert page.locator("[role=tab][tabindex='0']").all_inner_texts() == [name]
        panel = page.get_by_role("tabpanel")
        assert panel.count() == 1
        expect(panel).to_have_accessible_name(name)
    page.reload()
    page.wait_for_selector("body.ready")
    expect(page.get_by_role("tabpanel")).to_have_accessible_name("Moves")


@EVERY_SIZE
def test_the_state_is_in_sight_in_every_tab(
    browser: Browser, web_address: str, size: dict[str, Any]
) -> None:
    """The player to move and the result are in sight, and nothing scrolls in what scrolls."""
    with Visit(browser, web_address, **size) as visit:
        page = visit.page
        visit.follow(LONG)
        for words in ("Horizontal to move", "Horizontal resigned: Vertical wins"):
            for name in TABS:
                visit.tab(name)
                if name == "analysis":
                    visit.analyse()
                    page.wait_for_selector("#candidates tbody tr")
                expect(page.locator("#status")).to_contain_text(words)
                expect(page.locator("#status")).to_be_in_viewport(ratio=1)
                if name != "play":
                    expect(page.locator("#board")).to_be_in_viewport(ratio=1)
                assert page.evaluate(NESTED) == [], name
            visit.tab("play")
            if page.is_enabled("#resign"):
                page.once("dialog", lambda dialog: dialog.accept())
                page.click("#resign")
                expect(page.locator("#end-words")).to_contain_text("Vertical wins")
                expect(page.locator("#rematch")).to_be_in_viewport()
                assert page.evaluate(NESTED) == []


def test_the_move_and_the_mistakes_are_in_sight_on_a_desktop(visit: Visit) -> None:
    """At 1280x800 nothing scrolls to see the current move, the best moves or the mistakes."""
    page = visit.page
    visit.load(RECORDS["linage"])
    expect(page.locator("#current")).to_have_text("Move 12: pass")
    visit.review()
    expect(page.locator("#mistakes li").first).to_be_in_viewport()
    for row in page.locator("#mistakes li").all():
        expect(row).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="One move back").click()
    page.get_by_role("button", name="One move back").click()
    expect(page.locator("#current")).to_have_text("Move 10: B3")
    expect(page.locator("#current")).to_be_in_viewport(ratio=1)
    visit.tab("moves")
    expect(page.locator("#moves [aria-current]")).to_be_in_viewport(ratio=1)
    visit.analyse()
    page.wait_for_selector("#candidates tbody tr")
    expect(page.locator("#candidates")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["phone", "small"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_line_is_seen_on_the_board_of_a_phone(
    browser: Browser, web_address: str, size: dict[str, Any], scheme: str
) -> None:
    """The first tap on a candidate shows its line on the board, which stays in sight."""
    with Visit(browser, web_address, **size, color_scheme=scheme) as visit:
        page = visit.page
        visit.follow(LONG)
        visit.analyse()
        row = page.locator("#candidates tbody tr").first
        row.wait_for()
        expect(row).to_be_in_viewport(ratio=1)
        page.locator("#candidates tbody th button").first.tap()
        page.wait_for_selector(".line .dream")
        expect(page.locator("#board")).to_be_in_viewport(ratio=1)
        assert visit.state()["number"] == 13
        page.evaluate("() => scrollTo(0, document.body.scrollHeight)")
        expect(page.locator("#board")).to_be_in_viewport(ratio=1)


@EVERY_SIZE
@pytest.mark.parametrize("game", ["linage", "leblin"])
def test_the_board_keeps_its_width_during_a_game(
    browser: Browser, web_address: str, size: dict[str, Any], game: str
) -> None:
    """Moves, waiting, looking back, every tab and the end of the game leave the board as wide."""
    with Visit(browser, web_address, **size) as visit:
        page = visit.page
        visit.new_game(game, "9", ("", "20"))
        page.evaluate(WATCH)
        for number in range(3):
            legal = visit.state()["position"]["legal"]
            visit.click(legal[7 * number])
            visit.page.wait_for_selector(f'#moves [data-move="{2 * number + 2}"]', state="attached")
            visit.wait_for_turn()
        for name in (*TABS, "play"):
            visit.tab(name)
        page.click("#undo")
        page.click("#first")
        visit.wait_for_text("#status", "Looking at move 0")
        page.click("#to-last")
        page.once("dialog", lambda dialog: dialog.accept())
        page.click("#resign")
        page.wait_for_selector("#end:not([hidden])")
        assert page.evaluate("() => [...window.widths].length") == 1
