"""The page in Spanish, chosen by the browser or by a menu."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.e2e.test_web_axe import violations
from tests.e2e.test_web_layout import AUDIT, DRAWN
from tests.e2e.test_web_start import FITS, SIDEWAYS, SMALL
from tests.e2e.web_server import DESKTOP, PHONE, Visit
from tests.linage_bot.web.page_texts import STATIC

pytestmark = pytest.mark.thorough
SPANISH: dict[str, Any] = {"locale": "es-ES"}
ENGLISH = re.compile(r"\b(the|this|is|are|was|of|and|to|your|you|with|for|move|stone|wins)\b", re.I)
FILE = "**/static/languages/es.json"
IN_SIGHT = FITS.replace(" *", " :not(g)")  # empty groups of the picture have no place
READ = """() => {
  const seen = element => element.checkVisibility() && !element.closest("[translate=no]");
  const texts = [...document.querySelectorAll("body *")].filter(seen).flatMap(element => [
    ...[...element.childNodes].map(node => node.nodeType === Node.TEXT_NODE ? node.data : ""),
    ...["title", "aria-label", "placeholder", "alt"].map(name => element.getAttribute(name) ?? ""),
  ]);
  return texts.map(text => text.trim()).filter(text => text);
}"""


def english(page: Page) -> list[str]:
    """Return what is visible or read aloud in English."""
    file = json.loads((STATIC / "languages/es.json").read_text())
    known = {text for part in ("page", "server") for text, own in file[part].items() if text != own}
    return [text for text in page.evaluate(READ) if text in known or ENGLISH.search(text)]


def test_a_spanish_browser_reads_spanish(browser: Browser, web_address: str) -> None:
    """Start screen, lesson, rules, a refused move, analysis, pass question and end card."""
    with Visit(browser, web_address, at_start=True, **SPANISH) as visit:
        page = visit.page
        assert page.get_attribute("html", "lang") == "es"
        assert sum(visit.weights.values()) < 200_000
        page.wait_for_selector("#start-board svg")
        found = {"start": english(page)}
        page.click("#door-learn")
        for number in range(1, 6):
            page.locator(f"#lesson-steps li:nth-child({number}) button").click()
            page.locator('#lesson-board [data-point="0"]').click(force=True)
            page.wait_for_selector("#lesson-message:not(:empty)")
            found[f"step {number}"] = english(page)
        page.keyboard.press("Escape")
        page.click("#door-play")
        page.wait_for_selector("#page")
        visit.load("(;SZ[5]RU[linage];B[cc]C[Pass](;W[ee];B[bb])(;W[be]C[why];B[aa]))")
        visit.click(12)
        visit.wait_for_text("#message", "C3: hay una piedra en este punto.")
        found["refused"] = english(page)
        for tab in ("analysis", "moves", "review"):
            visit.tab(tab)
            if tab == "analysis":
                visit.analyse()
                page.wait_for_selector("#candidates tbody tr")
            if tab == "review":
                visit.review()
                page.wait_for_selector("#review-found:not([hidden])")
            found[tab] = english(page)
        for opener in visit.dialogs():
            found[opener] = english(page)
        visit.tab("play")
        page.click("#pass")
        page.wait_for_selector("#pass-dialog[open]")
        found["pass"] = english(page)
        page.keyboard.press("Escape")
        page.once("dialog", lambda dialog: dialog.accept())
        page.click("#resign")
        page.wait_for_selector("#end:not([hidden])")
        found["end"] = english(page)
        visit.tab("moves")
        page.click("#moves [data-move='1']")
        page.wait_for_function("() => document.querySelector('#comment').value === 'Pass'")
        page.click("#puzzles")
        page.wait_for_selector("#puzzle-goal:not(:empty)")
        found["puzzle"] = english(page)
        assert {where: texts for where, texts in found.items() if texts} == {}


def test_the_rarer_panels_are_in_spanish(browser: Browser, web_address: str) -> None:
    """A pie, the editor, a friend's table with clocks, and the puzzles of a game's mistakes."""
    with Visit(browser, web_address, **SPANISH, **SMALL) as visit:
        page, found = visit.page, {}
        visit.new_game("leblin", "5", ("", ""), pie=True)
        found["pie"] = english(page)
        visit.click(12)
        page.click("#choose-1")
        page.wait_for_selector("#sides:not(:empty)")
        found["sides"] = english(page)
        visit.tab("moves")
        page.click("#edit")
        page.wait_for_selector("#edit-said:not(:empty)")
        found["editor"] = english(page)
        page.click("#edit-back")
        page.click("#new")
        page.select_option("#new-game", "linage")
        page.select_option("#seat-1", "friend")
        page.select_option("#new-clock", "0")
        page.click("#start")
        page.wait_for_selector("#seats:not([hidden]) input")
        found["friend"] = english(page)
        assert page.evaluate(AUDIT) == []
        visit.load("(;SZ[5]RU[linage];B[aa];W[cc];B[ba];W[cb];B[ea];W[cd])")
        visit.tab("review")
        page.click("#learn")
        page.wait_for_selector("#mistake-goal:not(:empty)")
        page.click("#mistake-solution")
        found["mistakes"] = english(page)
        assert {where: texts for where, texts in found.items() if texts} == {}


def test_the_language_is_chosen_by_a_menu(visit: Visit) -> None:
    """In the options and on the start screen; the browser remembers it, and the page stays."""
    page = visit.page
    assert not [address for address in visit.weights if "/languages/" in address]
    assert page.get_attribute("html", "lang") == "en"
    visit.new_game("leblin", "5", ("", ""))
    visit.place(12)
    page.select_option("#language", label="Español")
    expect(page.locator("#tab-play")).to_have_text("Jugar")
    expect(page.locator("#current")).to_have_text("Jugada 1: C3")
    page.click("#home")
    page.wait_for_selector("#games-list li")
    assert "1 jugada" in page.inner_text("#games-list")
    page.select_option("#start-language", label="English")
    expect(page.locator("#door-play")).to_contain_text("Play")
    page.wait_for_selector("#games-list li")
    assert "1 move" in page.inner_text("#games-list")
    assert page.get_attribute("html", "lang") == "en"


def test_texts_of_a_catalogue_are_never_markup(browser: Browser, web_address: str) -> None:
    """An image in a translation is shown as its letters: on the page, in lessons and in rules."""

    def spoilt(route: Route) -> None:
        file = json.loads((STATIC / "languages/es.json").read_text())
        for part in ("page", "server"):
            file[part] = {
                text: f"<img src=x onerror=alert(1)>{own}" for text, own in file[part].items()
            }
        route.fulfill(json=file)

    with Visit(browser, web_address, at_start=True) as visit:
        page = visit.page
        page.route(FILE, spoilt)
        page.select_option("#start-language", label="Español")
        expect(page.locator("#door-play")).to_contain_text("<img src=x onerror=alert(1)>Jugar")
        page.wait_for_selector("body.ready")
        page.click("#door-learn")
        expect(page.locator("#lesson-words")).to_contain_text("<img")
        page.keyboard.press("Escape")
        page.click("#door-play")
        page.wait_for_selector("#page")
        expect(page.locator("#status")).to_contain_text("<img")
        page.click("#help")
        expect(page.locator("#rules")).to_contain_text("<img")
        assert page.locator('img[src="x"]').count() == 0


@pytest.mark.parametrize(
    "size", [DESKTOP, PHONE, SMALL, SIDEWAYS], ids=["desktop", "phone", "small", "sideways"]
)
def test_spanish_fits_and_is_accessible(
    browser: Browser, web_address: str, size: dict[str, Any]
) -> None:
    """Nothing sticks out or is cut off, and axe finds nothing, though words are longer."""
    with Visit(browser, web_address, at_start=True, **SPANISH, **size) as visit:
        page = visit.page
        for game in ("leblin", "gardar", "linage"):
            page.select_option("#start-game", game)
            page.wait_for_selector("#start-board svg")
            assert page.evaluate(IN_SIGHT), game
        assert violations(page) == []
        page.click("#door-play")
        page.wait_for_selector("#page")
        found = {}
        for link in ("game=linage&size=9", "game=gardar&size=5", "game=leblin&size=9&moves=aabbcc"):
            visit.follow(link)
            page.evaluate(DRAWN)
            found[link] = page.evaluate(AUDIT)
        assert {link: faults for link, faults in found.items() if faults} == {}
        assert violations(page) == []
