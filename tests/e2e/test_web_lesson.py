"""The first lesson in the page: offered once, played by click, touch and keys, in every game."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from linage_bot.rules import GAMES
from tests.e2e.test_web_page import audit
from tests.e2e.web_server import DESKTOP, PHONE, SIZES, Visit

pytestmark = pytest.mark.thorough


def steps(page: Page, id_: str) -> list[dict[str, Any]]:
    """Return a lesson's steps, from the server."""
    path = f"/api/lessons/{id_}"
    told = page.evaluate("async path => (await fetch(path)).json()", path)
    return told["steps"]


def moves(step: dict[str, Any], *, right: bool) -> list[int]:
    """Return the right moves of a step, or its wrong ones."""
    return [move for each in step["answers"] if each["right"] is right for move in each["moves"]]


def begun(page: Page, where: str = "#lesson-offer") -> None:
    """Open the lesson from the offer or the help, by the name of its button."""
    page.locator(where).get_by_role("button", name="Lesson", exact=True).click()
    page.wait_for_selector("#lesson-dialog[open] #lesson-board svg")


def make(page: Page, move: int, *, touch: bool) -> None:
    """A move on the lesson's board; a pass by its button."""
    if move == -1:
        page.get_by_role("button", name="Pass", exact=True).last.click()
        return
    point = page.locator(f'#lesson-board [data-point="{move}"]')
    if touch:
        point.tap(force=True)
    else:
        point.click(force=True)


def drawn(page: Page) -> set[int]:
    """The stones on the lesson's board."""
    return set(
        page.eval_on_selector_all(
            "#lesson-board [data-stone]", "all => all.map(each => Number(each.dataset.stone))"
        )
    )


@pytest.mark.parametrize(
    "size",
    [DESKTOP, pytest.param(PHONE, marks=pytest.mark.thorough)],
    ids=["desktop", "phone"],
)
def test_it_is_offered_at_the_first_visit(
    browser: Browser, web_address: str, size: dict[str, Any]
) -> None:
    """The offer does not block the board, and is not repeated after it was declined."""
    with Visit(browser, web_address, **size) as visit:
        page = visit.page
        assert page.is_visible("#lesson-offer")
        assert page.locator("dialog[open]").count() == 0
        assert (
            page.evaluate("() => document.documentElement.scrollWidth") == size["viewport"]["width"]
        )
        visit.new_game("gardar", "3", ("", ""))
        visit.wait_for_text("#lesson-offer", "New to Gardar?")
        visit.place(12)
        page.get_by_role("button", name="No lesson, thanks").click()
        assert not page.is_visible("#lesson-offer")
        page.reload()
        page.wait_for_selector("body.ready")
        assert not page.is_visible("#lesson-offer")
        page.click("#help")
        begun(page, "#help-dialog")  # but it is still to be had
        assert page.input_value("#lesson-game") == "gardar"


def _marks(id_: str, size: str) -> list[pytest.MarkDecorator]:
    """Return the marks of a game's lesson; two are played every time, one of them by touch."""
    if (id_ == "leblin") ^ (size == "phone"):
        return [pytest.mark.slow]
    return [] if id_ in ("linage", "leblin") else [pytest.mark.thorough]


@pytest.mark.parametrize(
    ("id_", "size"),
    [  # the games take turns: by touch one of them, the others by hand
        pytest.param(id_, size, marks=_marks(id_, size)) for id_ in GAMES for size in SIZES
    ],
)
def test_a_lesson_is_played_to_its_end(
    browser: Browser, web_address: str, id_: str, size: str
) -> None:
    """A wrong click is answered with the reason and changes nothing; a right one continues.

    The current game is unchanged.
    """
    touch = size == "phone"
    with Visit(browser, web_address, **SIZES[size]) as visit:
        page = visit.page
        visit.new_game("linage", "5", ("", ""))
        visit.place(12)
        before, address = visit.state(), page.url
        begun(page)
        page.select_option("#lesson-game", id_)
        visit.wait_for_text("#lesson-task", steps(page, id_)[0]["task"])
        for number, step in enumerate(steps(page, id_), 1):
            assert page.inner_text("#lesson-topic") == f"{number}. {step['title']}"
            assert page.inner_text("#lesson-task") == step["task"]
            stones = {*step["position"]["first"], *step["position"]["second"]}
            wrong = next(move for move in moves(step, right=False) if move not in {*stones, -1})
            make(page, wrong, touch=touch)
            page.wait_for_selector("#lesson-message.wrong")
            assert drawn(page) == stones
            right = moves(step, right=True)[0]
            (told,) = (each for each in step["answers"] if right in each["moves"])
            make(page, right, touch=touch)
            page.wait_for_selector("#lesson-message.right")
            assert told["words"] in page.inner_text("#lesson-message")
            after = told["position"] or step["position"]
            assert drawn(page) == {*after["first"], *after["second"]}
            box = page.locator("#lesson-dialog").bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= SIZES[size]["viewport"]["width"]
            overflow = "dialog => dialog.scrollHeight - dialog.clientHeight"
            assert page.eval_on_selector("#lesson-dialog", overflow) <= 0, step["title"]
            page.click("#lesson-next")
        assert page.locator("dialog[open]").count() == 0
        assert (visit.state(), page.url) == (before, address)
        assert visit.stones() == {12: "shared"}
        visit.place(0)


def test_a_lesson_by_keys_alone(browser: Browser, web_address: str) -> None:
    """A lesson works by keyboard, from the offer to the second step and back."""
    with Visit(browser, web_address, **DESKTOP) as visit:
        page, keys = visit.page, visit.page.keyboard

        def tab_to(selector: str) -> None:
            for _ in range(40):
                keys.press("Tab")
                if page.evaluate("selector => document.activeElement.matches(selector)", selector):
                    return
            raise AssertionError(selector)

        tab_to("#lesson-offer button")
        keys.press("Enter")
        page.wait_for_selector("#lesson-dialog[open] #lesson-board svg")
        assert page.evaluate("() => document.activeElement.id") == "lesson-topic"
        tab_to("#lesson-board")
        visit.wait_for_text("#lesson-spoken", "D4, empty")
        keys.press("ArrowLeft")
        keys.press("ArrowLeft")
        keys.press("Enter")
        page.wait_for_selector("#lesson-message.wrong")
        assert page.inner_text("#lesson-message").startswith("B4: That leaves one region")
        keys.press("ArrowRight")
        keys.press("ArrowRight")
        keys.press("Enter")
        page.wait_for_selector("#lesson-message.right")
        assert page.evaluate("() => document.activeElement.id") == "lesson-next"
        keys.press("Enter")
        visit.wait_for_text("#lesson-topic", "2. Line")
        keys.press("Escape")
        assert page.locator("dialog[open]").count() == 0
        assert visit.moves() == []
        assert not page.is_visible("#lesson-offer")


def test_a_refused_stone_is_framed_in_the_lesson(visit: Visit) -> None:
    """A refused stone's reason is framed, and the lesson can show where to try it."""
    page = visit.page
    begun(page)
    page.get_by_role("button", name="Step 4: A refused stone").click()
    page.click("#lesson-show")
    visit.wait_for_text("#lesson-message", "Try B1 or C1.")
    assert page.locator("#lesson-board .legal-points circle").count() == 2
    make(page, 2, touch=False)
    page.wait_for_selector("#lesson-message.right")
    assert page.locator("#lesson-board .about .around").count() == 1
    assert page.locator("#lesson-board .legal-points circle").count() == 0
    assert page.is_disabled("#lesson-show")
    assert page.locator("#lesson-steps button.done").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_lesson_is_legible(browser: Browser, web_address: str, scheme: str) -> None:
    """Contrast of every text, and a name for every control, on a phone too."""
    with Visit(browser, web_address, **PHONE, color_scheme=scheme) as visit:
        page = visit.page
        assert page.evaluate(audit("contrast")) == []
        begun(page)
        for move, kind in ((0, "wrong"), (24, "right")):
            make(page, move, touch=True)
            page.wait_for_selector(f"#lesson-message.{kind}")
            assert page.evaluate(audit("contrast")) == []
            assert page.evaluate(audit("names")) == []


def test_a_lesson_that_does_not_come_says_so(visit: Visit) -> None:
    """If a lesson cannot be loaded, the page says so and shows no dialog."""
    page = visit.page
    page.route("**/api/lessons/*", lambda route: route.abort())
    page.locator("#lesson-offer").get_by_role("button", name="Lesson", exact=True).click()
    visit.wait_for_text("#message", "the server does not answer")
    assert page.locator("dialog[open]").count() == 0
    visit.faults.clear()  # the browser reports the failed request
