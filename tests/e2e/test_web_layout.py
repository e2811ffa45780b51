"""The page in windows of every size, with boards of every shape."""

import io
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.e2e.web_server import Visit

pytestmark = pytest.mark.thorough


def audit(name: str) -> str:
    """Return JavaScript that lists faults of the page."""
    return Path(__file__).with_name(f"web_{name}.js").read_text()


AUDIT = audit("layout")
SIZES = [(1280, 800), (390, 844), (844, 390), (320, 568)]
LEBLIN = "feeeeddddefdefcdggffgeecebeefcdfedcfeecedgegccdhehdccgfbecfgegdbbgeahdidgbgcichchb"
DRAWN = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done)))"
COLOURS = """kind => [
    getComputedStyle(document.querySelector(`#legend .dot.${kind}`)).backgroundColor,
    getComputedStyle(document.querySelector(`.dots .${kind}`)).fill]"""
BOARDS = [
    *(f"game=linage&size={size}" for size in ("3", "4", "7", "13", "19", "25")),
    *(f"game=linage&size={size}" for size in ("3x25", "25x3", "9x13", "13x9", "25x12", "10x25")),
    *(f"game=gardar&size={size}" for size in ("2", "5", "9", "13")),
    *(f"game=leblin&size={size}" for size in ("5", "25")),
    f"game=leblin&size=9&moves={LEBLIN}",
    "game=linage-two-color&size=15&komi=-100.5",
    "game=linage-parity&size=11",
]


def test_every_board_fits_every_window(browser: Browser, web_address: str) -> None:
    """All controls fit without scrolling; names of rows and columns are legible or absent."""
    with Visit(browser, web_address, has_touch=True) as visit:
        page, found = visit.page, {}
        for link in BOARDS:
            visit.follow(link)
            for width, height in SIZES:
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_function(
                    "size => innerWidth === size[0] && innerHeight === size[1]",
                    arg=[width, height],
                )
                page.evaluate(DRAWN)
                faults = page.evaluate(AUDIT)
                if faults:
                    found[link, width, height] = faults
        assert found == {}


def test_a_finger_finds_its_point_on_a_fine_board(browser: Browser, web_address: str) -> None:
    """The first tap draws lines through the point, another moves them, and a button places."""
    size = {"width": 320, "height": 568}
    with Visit(browser, web_address, viewport=size, has_touch=True, is_mobile=True) as visit:
        page = visit.page
        visit.follow("game=linage&size=25")
        for point, name in ((312, "Place N13"), (313, "Place O13")):
            page.locator(f'#board [data-point="{point}"]').tap(force=True)
            page.get_by_role("button", name=name).wait_for()
            assert page.locator(".ghost .crosshair").count() == 1
            assert visit.stones() == {}
        # What else changes at the table leaves the lines where they are.
        page.evaluate("document.querySelector('#analyse').click()")
        page.wait_for_function(
            "() => Object.values(sessionStorage).join().includes('\"analyse\":1')"
        )
        assert page.locator(".ghost .crosshair").count() == 1
        page.get_by_role("button", name="Place O13").tap()
        page.wait_for_selector('[data-stone="313"]')
        assert page.get_by_role("button", name="Place").count() == 0
        page.evaluate(DRAWN)
        assert page.evaluate(AUDIT) == []


def test_moves_stand_in_two_columns(visit: Visit) -> None:
    """First's at the left, Second's at the right, a variation across both and then on as before."""
    page = visit.page
    visit.follow("game=leblin&size=5&moves=bbddbdaa")
    visit.tab("moves")
    visit.page.get_by_role("button", name="1 B2, Black").click()
    visit.wait_for_text("#status", "Looking at move 1")
    visit.click(12)
    page.wait_for_selector("#moves .branch", state="attached")
    assert page.inner_text("#movers").split() == ["Black", "White"]
    (one, two, variation, three, four) = page.eval_on_selector_all(
        "#moves > li",
        "items => items.map(item => item.getBoundingClientRect()).map(({ x, y }) => [x, y])",
    )
    assert (two[1], four[1]) == (one[1], three[1])
    assert (three[0], four[0]) == (one[0], two[0])
    assert one[0] < two[0]
    assert one[1] < variation[1] < three[1]
    assert visit.moves() == ["B2", "D4", "B4", "A1"]


def test_a_game_can_be_followed_by_ear(visit: Visit) -> None:
    """Screen readers announce the engine's reply and the position on view."""
    page = visit.page
    visit.new_game("leblin", "5", ("", "1"))
    visit.click(12)
    visit.wait_for_text("#spoken", "White played ")
    assert page.inner_text("#spoken") == f"White played {visit.moves()[1]}."
    assert page.get_attribute("#spoken", "aria-live") == "polite"
    for key, words in (
        ("[", "Move 1: Black played C3."),
        ("[", "At the start."),
        ("End", "Move 2:"),
    ):
        page.keyboard.press(key)
        visit.wait_for_text("#spoken", words)
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Resign").click()
    visit.wait_for_text("#spoken", "Black resigned: White wins.")
    visit.follow("game=leblin&size=5&moves=aabbeebaeaab")
    page.get_by_role("button", name="One move back").click()
    page.get_by_role("button", name="Play on from here").click()
    visit.wait_for_text("#spoken", "Back at move 5.")
    visit.click(5)
    visit.wait_for_text("#spoken", "White played A2 and removed one stone.")


def test_what_is_on_the_board_is_explained(visit: Visit) -> None:
    """Leblin's dots and colours by a legend; the regions that Parity counts by numbers."""
    page = visit.page
    visit.follow(f"game=leblin&size=9&moves={LEBLIN}")
    legend = page.locator("#legend")
    words = legend.inner_text().casefold().split()
    assert words == ["territory", "black", "white", "lifeline", "black", "white"]
    for kind in ("first", "second"):
        # In one call: between two calls the page may redraw both.
        dot, mark = page.evaluate(COLOURS, kind)
        assert dot == mark
    visit.follow("game=linage-parity&size=5&moves=cacbcccdce")
    assert legend.is_hidden()
    assert page.locator(".numbers text").all_text_contents() == ["1", "2"]
    assert page.inner_text("#standing") == "2 regions: even, so Second is ahead."


def test_pictures_can_be_taken_along(visit: Visit) -> None:
    """The position as SVG and as PNG, twice as large; the game as an animation and a page."""
    page = visit.page
    visit.follow("game=leblin&size=5&moves=aabbee")
    page.get_by_role("button", name="Share").click()
    data = {}
    for role, name in (("link", "SVG"), ("button", "PNG"), ("button", "GIF"), ("link", "HTML")):
        with page.expect_download() as download:
            page.get_by_role(role, name=name).click()
        file = download.value.suggested_filename
        data[file] = Path(download.value.path()).read_bytes()
    assert sorted(data) == ["leblin-3.png", "leblin-3.svg", "leblin.gif", "leblin.html"]
    assert b"3. Black E5" in data["leblin.html"]
    width = 2 * float(ET.fromstring(data["leblin-3.svg"]).get("width"))
    with Image.open(io.BytesIO(data["leblin-3.png"])) as image:
        assert image.format == "PNG"
        assert abs(image.width - width) < 2
    with Image.open(io.BytesIO(data["leblin.gif"])) as image:
        assert (image.format, image.n_frames) == ("GIF", 4)
    visit.wait_for_text("#pictures-said", "Saved.")
    assert page.evaluate(audit("contrast")) == []
