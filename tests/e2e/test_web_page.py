"""The page of `linage-bot web`: on a phone, small, legible, with a name for everything."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.e2e.web_server import Visit

pytestmark = pytest.mark.thorough


def audit(name: str) -> str:
    """Return JavaScript that lists faults of the page."""
    return Path(__file__).with_name(f"web_{name}.js").read_text()


def test_it_works_on_a_phone(browser: Browser, web_address: str) -> None:
    """The page fits 360 pixels, and a point of a large board is tapped twice."""
    with Visit(
        browser, web_address, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
    ) as visit:
        page = visit.page
        visit.new_game("linage", "15", ("", ""))
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360
        page.locator('[data-point="112"]').tap(force=True)
        page.wait_for_function(
            "() => document.querySelector('#message').textContent.includes('again')"
        )
        assert visit.stones() == {}
        page.locator('[data-point="112"]').tap(force=True)
        page.wait_for_selector('[data-stone="112"]')
        assert visit.moves() == ["H8"]


def test_the_page_is_small_and_asks_nobody_else(visit: Visit) -> None:
    """The page is below 200 kB and loads nothing from other hosts, which `Visit` checks."""
    assert len(visit.weights) > 10
    assert sum(visit.weights.values()) < 200_000


def test_every_control_has_a_name(visit: Visit) -> None:
    """A screen reader has something to say of each."""
    page = visit.page
    visit.analyse()
    page.wait_for_selector("#candidates tbody tr")
    for _ in visit.dialogs():
        assert page.evaluate(audit("names")) == []
    assert page.evaluate(audit("names")) == []


FOCUSED = """() => {
  const { id, ariaLabel, dataset } = document.activeElement;
  return id || dataset.node || ariaLabel;
}"""


def test_the_focus_stays_while_engines_play(visit: Visit) -> None:
    """Focus stays on selectors and moves while engines play, and on a button that is replaced."""
    page = visit.page
    page.evaluate("() => localStorage.setItem('pace', '1')")
    visit.new_game("linage", "9", ("0", "0"))
    visit.tab("moves")
    for selector, focused in (
        ("#score select", "Who plays Vertical"),
        ("#hold", "hold"),
        ('#moves [data-node="1"]', "1"),
    ):
        page.wait_for_selector(selector)
        page.focus(selector)
        chosen = page.query_selector(selector)
        page.wait_for_selector(f'#moves [data-move="{len(visit.moves()) + 2}"]', state="attached")
        assert page.evaluate(FOCUSED) == focused
        assert chosen.is_visible() or focused == "1"
    page.focus("#hold")
    for became in ("resume", "hold"):
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#{became}")
        assert page.evaluate(FOCUSED) == became
    page.focus("#score select")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector("#score select >> css=[selected][value='1']", state="attached")
    assert page.evaluate(FOCUSED) == "Who plays Vertical"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast(browser: Browser, web_address: str, scheme: str) -> None:
    """All text has a contrast of at least 4.5 to 1, in both colour schemes."""
    with Visit(browser, web_address, color_scheme=scheme) as visit:
        page = visit.page
        visit.new_game("linage", "5", ("", ""))
        visit.click(12)
        page.wait_for_selector('#moves [data-move="1"]', state="attached")
        visit.click(12)
        page.wait_for_selector("#message.refused")
        visit.analyse()
        page.wait_for_selector(".mark.best")
        page.wait_for_selector("#candidates tbody tr")
        assert page.evaluate(audit("contrast")) == []
        for opener in visit.dialogs():
            if opener == "#help":
                page.wait_for_selector("#rules dfn")
            assert page.evaluate(audit("contrast")) == []
        page.click("#load")
        page.fill("#load-text", "(;SZ[5]RU[linage];B[cc](;W[ee];B[bb])(;W[be]C[why];B[aa]))")
        page.click("#load-start")
        page.wait_for_selector("#moves .branch", state="attached")
        page.click("#undo")
        page.wait_for_selector("#moves .undone", state="attached")
        assert page.evaluate(audit("contrast")) == []
        visit.tab("moves")
        page.click("#moves .branch button")
        visit.wait_for_text("#status", "In a variation")
        assert page.evaluate(audit("contrast")) == []


def test_nothing_sticks_out_of_the_smallest_phone(browser: Browser, web_address: str) -> None:
    """320 pixels are enough."""
    with Visit(browser, web_address, viewport={"width": 320, "height": 568}) as visit:
        assert visit.page.evaluate("() => document.documentElement.scrollWidth") == 320


def test_exact_values_fit_their_marks(visit: Visit) -> None:
    """Values with halves of points fit on their marks."""
    visit.new_game("linage", "4", ("", ""))
    visit.analyse()
    widths = visit.page.wait_for_function(  # marks being redrawn have no widths
        """() => {
          const marks = [...document.querySelectorAll(".mark.proven")];
          const widths = marks.map(mark => [...mark.children].map(part => part.getBBox().width));
          return widths.length && widths.flat().every(width => width > 0) && widths;
        }"""
    ).json_value()
    assert all(text < box for box, text in widths), widths


def test_a_line_of_play_goes_with_its_game(visit: Visit) -> None:
    """A line of play disappears with its game, even if its row vanishes under the pointer."""
    page = visit.page
    visit.new_game("leblin", "5", ("", ""))
    visit.analyse()
    page.wait_for_selector("#candidates tbody tr")
    box = page.locator("#candidates tbody").bounding_box()  # the rows come and go
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    page.wait_for_function("() => document.querySelector('#line').textContent !== ''")
    page.evaluate("() => { location.hash = 'game=linage&size=5&moves=cc'; }")
    visit.wait_for_text("#title", "Linage")
    assert page.text_content("#line") == ""


def test_a_link_followed_on_the_page_makes_one_table(visit: Visit) -> None:
    """Following a link makes one table, and one step back returns to the game before."""
    page = visit.page
    visit.new_game("linage", "5", ("", ""))
    visit.place(12)
    before, tables = page.url, []
    page.on("request", lambda each: tables.append(each.url) if each.method == "POST" else None)
    visit.follow("game=leblin&size=5&moves=aabbee")
    page.get_by_role("button", name="One move back").click()
    page.get_by_role("button", name="Play on from here").wait_for()
    page.go_back()
    page.wait_for_selector('[data-stone="12"]')
    assert page.url == before
    assert [each for each in tables if each.endswith("/api/games")] == [f"{visit.origin}/api/games"]


def test_a_link_is_copied_without_tls_too(visit: Visit) -> None:
    """A link can be copied where the browser offers the page no clipboard, as over plain HTTP."""
    page = visit.page
    visit.new_game("linage", "5", ("", ""))
    visit.place(7, 18)
    page.evaluate("() => Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.click("#share")
    link = page.input_value("#share-text")
    page.click("#copy")
    visit.wait_for_text("#copy", "Copied")
    page.click("#share-dialog [data-close]")
    visit.tab("moves")
    page.focus("#comment")
    page.keyboard.press("Control+v")
    assert page.input_value("#comment") == link
