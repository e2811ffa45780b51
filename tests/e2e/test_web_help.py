"""The help of the page: how to play the game at hand, and the keys."""

import pytest
from playwright.sync_api import Browser

from tests.e2e.web_server import Visit

pytestmark = pytest.mark.thorough


def helped(visit: Visit) -> str:
    """Return the help's text about the rules."""
    visit.page.click("#help")
    visit.page.wait_for_selector("#help-dialog[open] #rules p")
    text = visit.page.inner_text("#rules")
    visit.page.keyboard.press("Escape")
    return text


def test_help_follows_the_game_and_its_options(visit: Visit) -> None:
    """The help describes the current options and uses the players' names."""
    visit.new_game("linage", "5", ("", ""))
    rules = helped(visit)
    assert "in a free region" in rules
    assert "button" not in rules
    visit.new_game("linage", "5", ("", ""), edition="2016", button="on")
    rules = helped(visit)
    assert "any region that your opponent does not own" in rules
    assert "half a point" in rules
    visit.new_game("gardar", "3", ("", ""))
    assert "White adds komi" in helped(visit)
    visit.new_game("linage-parity", "5", ("", ""), condition="line", passing="off")
    rules = helped(visit)
    assert "There is no passing" in rules
    assert "three empty points side by side" in rules


def test_help_marks_the_words_it_explains(visit: Visit) -> None:
    """Defined terms are marked up, without asterisks."""
    visit.new_game("gardar", "3", ("", ""))
    assert "*" not in helped(visit)
    assert {"loop", "hole"} <= set(visit.page.locator("#rules dfn").all_text_contents())


def test_help_opens_where_it_begins(browser: Browser, web_address: str) -> None:
    """The help opens at its top, even in a small window."""
    with Visit(browser, web_address, viewport={"width": 390, "height": 500}) as visit:
        visit.page.click("#help")
        visit.page.wait_for_selector("#help-dialog[open] #rules p")
        assert visit.page.eval_on_selector("#help-dialog", "dialog => dialog.scrollTop") == 0


def test_help_tells_of_the_pie_until_a_side_is_chosen(visit: Visit) -> None:
    """A pie not yet eaten belongs to the rules."""
    visit.new_game("leblin", "5", ("", ""))
    assert "pie" not in helped(visit)
    visit.new_game("leblin", "5", ("", ""), pie=True)
    visit.wait_for_text("#status", "Pie")
    assert "play Black or White" in helped(visit)


def test_help_without_a_server_still_has_the_keys(visit: Visit) -> None:
    """Without a server the help shows the keys and says why the rules are missing."""
    page = visit.page
    page.route("**/rules", lambda route: route.abort())
    page.click("#help")
    visit.wait_for_text("#rules", "the server does not answer")
    assert page.locator("#keys dt").count() > 10
    visit.faults.clear()  # the browser reports the failed request


@pytest.mark.parametrize("width", [1280, 390])
def test_pictures_follow_the_options(browser: Browser, web_address: str, width: int) -> None:
    """Pictures load, have names, fit the page, and match the line length."""
    viewport = {"width": width, "height": 800}
    with Visit(browser, web_address, viewport=viewport) as visit:
        page = visit.page
        seen = set()
        for line in ("3", "4"):
            page.evaluate(f"() => {{ location.hash = 'game=linage&size=9&line={line}'; }}")
            visit.wait_for_text("#subtitle", f"9 × 9{' · line 4' if line == '4' else ''}")
            page.click("#help")
            page.wait_for_selector("#rules img")
            images = page.locator("#rules img")
            page.wait_for_function(
                "() => [...document.querySelectorAll('#rules img')]"
                ".every(each => each.complete && each.naturalWidth)"
            )
            assert images.count() == 3
            assert all(each.get_attribute("alt") for each in images.all())
            inside = page.eval_on_selector(
                "#help-dialog", "dialog => dialog.scrollWidth <= dialog.clientWidth"
            )
            assert inside
            words = page.locator("#rules figcaption").all_inner_texts()
            assert f"a region without a line of {({'3': 'three', '4': 'four'})[line]}" in words[-1]
            seen.add(
                page.evaluate(
                    "() => fetch(document.querySelector('#rules img').src)"
                    ".then(answer => answer.text())"
                )
            )
            page.keyboard.press("Escape")
        assert len(seen) == 2


def test_a_picture_is_dark_where_the_page_is(browser: Browser, web_address: str) -> None:
    """Whether the system is dark, or the page was made so by its button."""
    paper = """async () => {
      const image = document.querySelector('#rules img');
      await image.decode();
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
      const context = canvas.getContext('2d');
      context.drawImage(image, 0, 0);
      return context.getImageData(canvas.width / 2, 4, 1, 1).data[0];
    }"""
    with Visit(browser, web_address, color_scheme="light") as visit:
        page = visit.page
        shades = []
        for clicks in (1, 1):  # dark, as the system is light, then light
            for _ in range(clicks):
                page.click("#theme")
            page.click("#help")
            page.wait_for_selector("#rules img")
            shades.append(page.evaluate(paper))
            page.keyboard.press("Escape")
        assert shades[0] < 60
        assert shades[1] > 200
