"""Playing in a browser: sides after a pie, hints, warnings, and engines that are hurried."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.e2e.test_web_page import audit
from tests.e2e.web_server import ONE_SIZE, SIZES, Visit, web_server

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def web_address() -> Iterator[str]:
    """Run a server whose strong engine searches until it is stopped."""
    with web_server("--seconds", "600", "--level", "1", "--size", "5") as address:
        yield address


@pytest.fixture(params=ONE_SIZE)
def visit(request: pytest.FixtureRequest, browser: Browser, web_address: str) -> Iterator[Visit]:
    """A page in either size."""
    with Visit(browser, web_address, **SIZES[request.param]) as visit:
        yield visit


@pytest.fixture
def desktop(browser: Browser, web_address: str) -> Iterator[Visit]:
    with Visit(browser, web_address, **SIZES["desktop"]) as visit:
        yield visit


@pytest.fixture
def phone(browser: Browser, web_address: str) -> Iterator[Visit]:
    with Visit(browser, web_address, **SIZES["phone"]) as visit:
        yield visit


def button(visit: Visit, name: str) -> object:
    return visit.page.get_by_role("button", name=name)


@pytest.mark.parametrize("visit", SIZES, indirect=True)
def test_a_hint_marks_the_best_move_and_says_why(visit: Visit) -> None:
    """A hint, by click or key, shows only in the page that requested it; a move ends the search."""
    page = visit.page
    visit.new_game("linage", "5", ("", "1"))
    other = visit.context.new_page()
    other.goto(page.url)
    other.wait_for_selector("body.ready")
    page.keyboard.press("h")
    visit.wait_for_text("#message", "proven")
    [best] = page.eval_on_selector_all(
        ".hint circle:last-child", "marks => marks.map(mark => Number(mark.dataset.hint))"
    )
    assert visit.message().startswith("Hint: ")
    assert "wins by" in visit.message()
    assert other.locator("[data-hint]").count() == 0
    other.close()
    visit.click(best)
    page.wait_for_selector('#moves [data-move="2"]', state="attached")
    assert page.locator("[data-hint]").count() == 0, "it was for the position before"
    visit.new_game("leblin", "9", ("", "27"))
    assert button(visit, "Move now").is_disabled()
    button(visit, "Hint").click()
    visit.wait_for_text("#message", "% for Black")
    assert page.locator("[data-hint]").count() > 0
    assert page.evaluate(audit("contrast")) == []
    assert page.evaluate(audit("names")) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    visit.click(40)
    visit.wait_for_text("#status", "thinking")
    assert button(visit, "Hint").is_disabled()
    button(visit, "Move now").click()
    page.wait_for_selector('#moves [data-move="2"]', state="attached")
    visit.click(0)
    visit.wait_for_text("#status", "thinking")
    page.keyboard.press("g")
    page.wait_for_selector('#moves [data-move="4"]', state="attached")


def test_who_wants_to_be_warned_is_warned(visit: Visit) -> None:
    """Warnings before a losing pass or a large mistake are off by default and remembered."""
    page = visit.page
    visit.new_game("linage", "5", ("", "1"))
    for name in ("Before a pass", "After a large mistake"):
        switch = page.get_by_role("switch", name=name)
        assert not switch.is_checked()
        switch.check(force=True)
    page.reload()
    page.wait_for_selector("body.ready")
    page.keyboard.press("p")
    warning = page.get_by_role("alertdialog")
    assert "Vertical was winning and now loses" in warning.inner_text()
    assert page.evaluate(audit("contrast")) == []
    page.keyboard.press("Enter")
    warning.wait_for(state="hidden")
    assert visit.moves() == []
    visit.click(12)
    page.wait_for_selector("#warning:not([hidden])")
    assert "C3 was a large mistake" in page.get_by_role("alert").inner_text()
    assert page.evaluate(audit("contrast")) == []
    button(visit, "Take back").click()
    page.wait_for_selector("#warning", state="hidden")
    assert visit.moves() == []
    page.keyboard.press("p")
    button(visit, "Pass anyway").click()
    page.wait_for_selector('#moves [data-move="1"]:not(.undone)', state="attached")
    assert visit.moves()[0] == "pass"


def test_a_pass_asks_while_a_region_is_free(desktop: Visit) -> None:
    """The page asks before a pass that gives up free points; a held key passes only once."""
    page = desktop.page
    desktop.new_game("linage", "5", ("", ""))
    question = page.get_by_role("alertdialog")
    page.keyboard.press("p")
    assert question.inner_text().splitlines()[:3] == [
        "Really pass?",
        "",
        "25 points in one region are still free."
        " If Horizontal passes too, the game is over: Horizontal wins by 0.5.",
    ]
    page.keyboard.press("Escape")
    assert desktop.moves() == []
    desktop.pass_()
    page.wait_for_selector('#moves [data-move="1"]', state="attached")
    page.keyboard.press("p")
    assert "This pass ends the game" in question.inner_text()
    page.keyboard.press("Escape")
    desktop.new_game("gardar", "3", ("", ""))
    page.keyboard.down("p")
    page.wait_for_selector('#moves [data-move="1"]', state="attached")
    page.keyboard.down("p")  # a repetition, because the key is still down
    page.keyboard.up("p")
    page.keyboard.press("p")
    question.wait_for()  # of the second pass
    page.keyboard.press("Escape")
    assert desktop.moves() == ["pass"]
    desktop.new_game("linage", "5", ("", ""), button="on")
    page.keyboard.press("p")  # takes the button
    page.wait_for_selector('#moves [data-move="1"]', state="attached")
    page.keyboard.press("p")
    question.wait_for()


def test_who_has_which_side_is_told_after_a_pie(desktop: Visit) -> None:
    """After a pie the page shows which side the player has, also after a reload."""
    page = desktop.page
    desktop.new_game("linage", "4", ("", "1"), pie=True)
    page.click("#make-offer")
    desktop.wait_for_text("#message", "Pie: engine 1 chose")
    side = desktop.state()["sides"]["chosen"]
    mine = ("Vertical", "Horizontal")[1 - side]
    assert desktop.message().endswith(f"so you play {mine}.")
    desktop.wait_for_text("#status", "to move")
    page.reload()
    desktop.wait_for_text("#sides", f"you play {mine}")


def with_clock(visit: Visit, seats: tuple[str, str], **own: str) -> None:
    """Begin a game on 5x5 with own times."""
    page, before = visit.page, visit.page.url
    page.click("#new")
    page.select_option("#seat-0", seats[0])
    page.select_option("#seat-1", seats[1])
    page.get_by_label("Clock").select_option("own")
    for name, value in own.items():
        page.fill(f"#clock-{name}", value)
    page.click("#start")
    page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_selector("#new-dialog:not([open])", state="attached")


def clocks(visit: Visit) -> list[float]:
    """Return the seconds on both clocks, once the clocks are shown."""
    visit.page.wait_for_function("() => document.querySelectorAll('.clock:not([hidden])').length")
    shown = visit.page.get_by_role("timer").all_inner_texts()
    return [float(each.removeprefix("0:")) for each in shown]


def test_a_flag_ends_the_game(phone: Visit) -> None:
    """The mover's clock runs from the third move on, survives a reload, and ends the game at 0."""
    page = phone.page
    with_clock(phone, ("", ""), main="0.15", increment="0")
    assert clocks(phone) == [9, 9]
    phone.place(12, 0)
    page.wait_for_selector(".clock.runs.low")
    assert page.evaluate(audit("contrast")) == []
    assert page.evaluate(audit("names")) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.wait_for_function("() => document.querySelector('.clock.runs').textContent < '0:08.5'")
    left = clocks(phone)[0]
    page.reload()
    page.wait_for_selector(".clock.runs")
    assert clocks(phone)[0] <= left
    phone.wait_for_text("#status", "Vertical lost on time: Horizontal wins.")
    phone.wait_for_text("#score .clock", "0:00.0")
    page.wait_for_selector(".clock.runs", state="detached")
    assert clocks(phone) == [0, 9]
    sgf = page.evaluate("async () => (await fetch(document.querySelector('#save').href)).text()")
    assert "RE[W+T]" in sgf


def test_a_clock_goes_on_from_period_to_period(desktop: Visit) -> None:
    """The clock switches from main time to each period without a move."""
    with_clock(desktop, ("", ""), main="0.02", increment="0", periods="5", period="2")
    desktop.place(12, 0)
    for left in ("×5", "×4", "×3"):
        desktop.wait_for_text("#score .clock", left)
    desktop.wait_for_text("#status", "Vertical lost on time: Horizontal wins.")


def test_an_engine_plays_within_its_time(desktop: Visit) -> None:
    """The engine moves within its clock, and the chosen pace is remembered."""
    page = desktop.page
    with_clock(desktop, ("", "27"), main="0.2", increment="1")
    for number, point in enumerate((12, 0)):
        desktop.click(point)
        page.wait_for_selector(f'#moves [data-move="{2 * number + 2}"]', state="attached")
    assert clocks(desktop)[1] > 1
    button(desktop, "Pause the clock").click()
    page.wait_for_function("() => !document.querySelector('.clock.runs')")
    desktop.new_game("leblin", "5", ("1", "1"))
    with page.expect_response("**/pace"):
        page.get_by_label("Pause between moves").select_option("2")
    desktop.new_game("leblin", "5", ("1", "1"))
    assert desktop.state()["pace"] == 2
    assert page.input_value("#pace") == "2"


_APART = """() => {
  const place = each => document.querySelector(each).getBoundingClientRect();
  const [card, board] = [place('#end'), place('#board')];
  const seen = Math.min(board.bottom, innerHeight) - Math.max(board.top, 0);
  const apart = card.top >= board.bottom || card.left >= board.right || card.bottom <= board.top;
  return apart && seen > 0.7 * board.height;
}"""


def test_the_end_is_told_and_leads_on(visit: Visit) -> None:
    """The end card shows the winner, the reason and the count; it can be closed and reopened."""
    page = visit.page
    visit.new_game("linage", "5", ("", "1"))
    page.on("dialog", lambda dialog: dialog.accept())
    page.click("#resign")
    card = page.get_by_role("region", name="End of the game")
    assert "Horizontal wins" in card.inner_text()
    assert "Vertical resigned." in page.get_by_role("status").all_inner_texts()[-1]
    button(visit, "Rematch").click()
    page.wait_for_selector("#end", state="hidden")
    assert visit.state()["players"] == [1, None]
    groups = page.locator("#score select").first.locator("optgroup")
    assert groups.nth(1).get_attribute("label") == "Beginner: at most 10 trial games a move"
    visit.wait_for_turn()
    page.click("#resign")
    button(visit, "Easier: level 0").click()
    page.wait_for_selector("#end", state="hidden")
    assert visit.state()["players"] == [0, None]
    visit.new_game("linage", "5", ("", ""))
    for number in (1, 2):
        visit.pass_()
        page.wait_for_selector(f'#moves [data-move="{number}"]', state="attached")
    card.wait_for()
    assert "Horizontal wins by 0.5" in card.inner_text()
    assert "Two passes in a row ended the game." in card.inner_text()
    rows = card.get_by_role("row").all_inner_texts()
    assert [row.split() for row in rows[1:]] == [
        ["1", "free", "region"],
        ["komi", "0.5"],
        ["Score", "0", "0.5"],
    ]
    page.wait_for_function(_APART)
    assert page.locator("[data-counted]").count() == 1
    assert page.evaluate(audit("contrast")) == []
    assert page.evaluate(audit("names")) == []
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.focus("#end-count tr[tabindex]")
    page.wait_for_selector(".counted .around")
    button(visit, "Hide the result").focus()
    page.keyboard.press("Enter")
    card.wait_for(state="hidden")
    page.keyboard.press("Enter")
    card.wait_for()
    button(visit, "Review").click()
    page.wait_for_selector("#review-found:not([hidden])")
    page.keyboard.press("u")
    # The card is already out of sight, as the review is in front of it.
    page.wait_for_selector("[data-counted]", state="detached")
    card.wait_for(state="hidden")
    assert button(visit, "Review").count() == 1
