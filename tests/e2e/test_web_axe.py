"""axe-core, from npm, finds no obstacle in the page for people with disabilities."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.e2e.web_server import DESKTOP, PHONE, Visit

pytestmark = pytest.mark.thorough

AXE = Path(__file__).parent / "scripts/node_modules/axe-core/axe.min.js"
RUN = """() => axe.run(document, {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  rules: { "label-content-name-mismatch": { enabled: true } },
}).then(({ violations }) => violations.map(
  ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" · ")}`))"""


def violations(page: Page) -> list[str]:
    """Return the violations that axe-core finds on a page, with the elements."""
    if not AXE.exists():
        reason = f"axe-core missing: run `npm ci` in {AXE.parents[2]}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    # The page's own policy forbids scripts of others, so the debugger evaluates this one.
    page.evaluate(AXE.read_text() + ";0")
    found: list[str] = page.evaluate(RUN)
    return found


@pytest.mark.parametrize(
    "size", [DESKTOP, PHONE | {"color_scheme": "dark"}], ids=["desktop", "phone"]
)
def test_axe_finds_nothing(browser: Browser, web_address: str, size: dict[str, object]) -> None:
    """No violation in a game, an analysis, a review, the end card, a puzzle and each dialog."""
    with Visit(browser, web_address, **size) as visit:
        page, found = visit.page, {}
        found["start"] = violations(page)
        visit.load("(;SZ[5]RU[linage];B[cc](;W[ee];B[bb])(;W[be]C[why];B[aa]))")
        visit.analyse()
        page.wait_for_selector("#candidates tbody tr")
        found["analysis"] = violations(page)
        visit.tab("moves")
        found["moves"] = violations(page)
        visit.review()
        page.wait_for_selector("#review-found:not([hidden])")
        found["review"] = violations(page)
        for opener in visit.dialogs():
            found[opener] = violations(page)
        page.click("#puzzles")
        page.wait_for_selector("#puzzle-goal:not(:empty)")
        found["puzzle"] = violations(page)
        page.keyboard.press("Escape")
        page.once("dialog", lambda dialog: dialog.accept())
        visit.tab("play")
        visit.new_game("linage", "5", ("", ""))
        page.click("#resign")
        page.wait_for_selector("#end:not([hidden])")
        found["end"] = violations(page)
        assert {state: each for state, each in found.items() if each} == {}
