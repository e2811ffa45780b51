"""*Learn from your mistakes*: after a game or with a loaded one, each mistake is a puzzle."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from linage_bot.records.reading import from_sgf
from linage_bot.review import Review, review_game
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS
from linage_bot.settings.playing import PlaySettings
from tests.e2e.test_web_axe import AXE, violations
from tests.e2e.test_web_page import audit
from tests.e2e.test_web_start import solve
from tests.e2e.web_server import DESKTOP, PHONE, Visit, web_server
from tests.linage_bot.review.games import RECORDS

pytestmark = pytest.mark.thorough

VISITS = 200
SIZES = {
    "desktop": DESKTOP,
    "phone": PHONE | {"color_scheme": "dark"},
    "small": PHONE | {"viewport": {"width": 320, "height": 568}},
}
INSIDE = """point => {
  const center = each => { const { x, y, width, height } = each.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
  const [x, y] = center(document.querySelector(`#board [data-point="${point}"]`));
  const { left, right, top, bottom } = document.querySelector(".counted .inside").getBoundingClientRect();
  return left < x && x < right && top < y && y < bottom;
}"""  # noqa: E501


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server whose searches are short."""
    with web_server("--visits", str(VISITS), "--level", "1", "--size", "5") as address:
        yield address


@pytest.fixture(params=SIZES)
def visit(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A page of the board in each size; at the end nothing may have gone wrong on it."""
    with Visit(browser, address, **SIZES[request.param]) as visit:
        yield visit


def reviewed(name: str) -> Review:
    """Return the review that the page makes of a game."""
    return review_game(from_sgf(RECORDS[name].encode()), PlaySettings(visits=VISITS, seed=1))


def play(visit: Visit, move: int) -> None:
    """Click a point or Pass."""
    if move == PASS:
        visit.page.get_by_role("button", name="Pass").click()
    else:
        visit.click(move)


def test_the_mistakes_of_a_loaded_game_become_puzzles(visit: Visit) -> None:
    """A wrong move shows its answer, a hint an area, the right move its line; then a summary."""
    page, found = visit.page, reviewed("linage")
    numbers = sorted(found.mistakes)
    visit.load(RECORDS["linage"])
    visit.tab("review")
    page.get_by_role("button", name="Learn from your mistakes").click()
    goal, said = page.locator("#mistake-goal"), page.locator("#mistake-said")
    for rank, number in enumerate(numbers):
        judged, position = found.moves[number - 1], found.positions[number - 1]
        name_of = position.name_of
        expect(page.locator("#mistake-title")).to_have_text(f"{rank + 1} of {len(numbers)}")
        expect(goal).to_contain_text(f"Move {number}, {name_of(judged.move)}, cost ")
        expect(goal).to_be_in_viewport(ratio=0.95)
        expect(page.locator("#board")).to_be_in_viewport(ratio=1)
        assert page.locator(".line .cross").count() == (judged.move != PASS)
        if rank == 0:
            stone = next(bits(position.stones))
            visit.click(stone)
            expect(page.locator("#message")).to_contain_text(name_of(stone))
            play(visit, judged.move)
            expect(said).to_contain_text("That is the move of the game.")
            expect(page.locator(".line .dream").first).to_be_visible()
            assert page.evaluate(audit("contrast")) == []
            if AXE.exists():
                assert violations(page) == []
            page.get_by_role("button", name="Try again").click()
            page.get_by_role("button", name="Hint").click()
            expect(said).to_contain_text("in the marked area")
            assert page.evaluate(INSIDE, judged.best)
        if rank == 1:
            page.get_by_role("button", name="Solution").click()
            expect(said).to_contain_text(f"Better: {name_of(judged.best)}")
            expect(said).to_contain_text("(proven)" if judged.exact else "Value")
        else:
            play(visit, judged.best)
            expect(said).to_contain_text(f"Right: {name_of(judged.best)} is the best move")
            assert page.locator(".line .number").first.text_content() == "1"
        page.locator("#mistake-next").click()
    count = len(numbers)
    words = f"You found {count - 1} of {count} better moves, {count - 2} at the first try."
    expect(goal).to_have_text(words)
    rows = page.locator("#mistake-list li")
    assert rows.locator("span").all_inner_texts()[:2] == ["found later", "solution seen"]
    assert page.evaluate(audit("contrast")) == []
    if AXE.exists():
        assert violations(page) == []
    rows.nth(1).get_by_role("button").click()
    expect(goal).to_contain_text(f"Move {numbers[1]}, ")
    page.get_by_role("button", name="Back to the game").click()
    visit.wait_for_text("#status", "The game is over")
    assert visit.state()["viewed"] == visit.state()["node"]


def test_any_move_as_good_as_the_best_is_right(browser: Browser, address: str) -> None:
    """The server proves another best move to be right, and a worse one to be wrong."""
    found = reviewed("linage")
    number = max(found.mistakes)
    judged, position = found.moves[number - 1], found.positions[number - 1]
    others = [move for move in position.moves() if move not in (judged.best, judged.move)]
    with Visit(browser, address, **DESKTOP) as visit:
        page = visit.page
        visit.load(RECORDS["linage"])
        visit.tab("review")
        page.get_by_role("button", name="Learn from your mistakes").click()
        page.select_option("#mistake-whose", str(int(judged.player)))
        while f"Move {number}," not in page.inner_text("#mistake-goal"):
            before = page.inner_text("#mistake-title")
            page.get_by_role("button", name="Next").click()
            expect(page.locator("#mistake-title")).not_to_have_text(before)
        verdicts = []
        for move in others[:4]:
            play(visit, move)
            page.wait_for_selector("#mistake-said.right, #mistake-said.wrong")
            verdicts.append(page.inner_text("#mistake-said"))
            page.get_by_role("button", name="Try again").click()
        assert all("proven" in words for words in verdicts), verdicts


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_newcomer_learns_plays_and_goes_on(browser: Browser, size: dict[str, Any]) -> None:
    """Open, learn, first game, pass question, end card, learn from mistakes, next level."""
    with (
        web_server("--visits", "500") as address,
        Visit(browser, address, at_start=True, **size) as visit,
    ):
        page = visit.page
        page.click("#door-learn")
        solve(page, "linage")
        page.get_by_role("button", name="Play your first game").click()
        page.wait_for_selector("#board svg")
        assert visit.state()["players"] == [None, 4]
        page.click("#pass")
        expect(page.locator("#pass-words")).to_contain_text("still free")
        page.get_by_role("button", name="Do not pass").click()
        assert visit.moves() == []
        visit.pass_()  # a mistake: if the engine passes too, its komi wins
        page.wait_for_selector('#moves [data-move="2"]', state="attached")
        visit.wait_for_turn()
        if not visit.state()["over"]:
            page.once("dialog", lambda dialog: dialog.accept())
            page.click("#resign")
        visit.wait_for_text("#end-words", "Horizontal wins")
        page.locator("#end").get_by_role("button", name="Learn from your mistakes").click()
        goal, said = page.locator("#mistake-goal"), page.locator("#mistake-said")
        expect(goal).to_contain_text("Find a better move for Vertical")
        while page.inner_text("#mistake-next") != "Summary":
            page.click("#mistake-next")
        page.get_by_role("button", name="Solution").click()
        better = re.search(r"Better: (\w+)", said.inner_text())[1]
        page.get_by_role("button", name="Try again").click()
        visit.click("ABCDEFGHJ".index(better[0]) + 9 * (int(better[1]) - 1))
        expect(said).to_contain_text(f"Right: {better} is the best move")
        page.get_by_role("button", name="Summary").click()
        expect(goal).to_contain_text("You found 0 of ")
        page.get_by_role("button", name="Back to the game").click()
        visit.tab("play")
        before = page.url
        page.get_by_role("button", name="Easier: level 3").click()
        page.wait_for_function("before => location.href !== before", arg=before)
        assert visit.state()["players"] == [None, 3]
