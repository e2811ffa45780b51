"""Coordinates, numbers on stones, larger text, and the orientation of the board."""

import pytest

from tests.e2e.web_server import Visit

pytestmark = pytest.mark.thorough
_CENTRES = """() => Object.fromEntries(
  [...document.querySelectorAll("[data-point]")].map(cell => {
    const {x, y, width, height} = cell.getBoundingClientRect();
    return [cell.dataset.point, [Math.round(x + width / 2), Math.round(y + height / 2)]];
  }))"""


def corner(visit: Visit, point: int) -> str:
    """Return the corner of the seen board in which a point is: "left bottom" or the like."""
    places = visit.page.evaluate(_CENTRES)
    xs, ys = zip(*places.values(), strict=True)
    x, y = places[str(point)]
    beside = {min(xs): "left", max(xs): "right"}.get(x, "between")
    return f"{beside} {({min(ys): 'top', max(ys): 'bottom'}).get(y, 'between')}"


def test_coordinates_and_larger_text_are_kept_by_the_browser(visit: Visit) -> None:
    """Off and on after a reload, too; without coordinates the board takes their space."""
    page = visit.page
    visit.new_game("linage", "5", ("", ""))
    assert page.locator(".labels text").count() == 10
    whole = page.get_attribute("#board svg", "viewBox")
    page.click("#coordinates")
    assert page.locator(".labels text").count() == 0
    assert page.get_attribute("#board svg", "viewBox") != whole
    page.click("#larger-text")
    page.reload()
    page.wait_for_selector("body.ready")
    assert page.locator(".labels text").count() == 0
    size = "() => getComputedStyle(document.documentElement).fontSize"
    assert page.evaluate(size) == "19px"


def test_the_stones_have_the_numbers_of_their_moves(visit: Visit) -> None:
    """Each in the view, in place of the dot on the last one; earlier positions have fewer."""
    page = visit.page
    visit.follow("game=leblin&size=5&moves=aabbee")
    assert page.locator(".last circle").count() == 1
    page.click("#move-numbers")
    assert page.locator(".move-numbers text").all_text_contents() == ["1", "2", "3"]
    assert page.locator(".last circle").count() == 0
    page.click("#back")
    page.wait_for_function("() => document.querySelectorAll('.move-numbers text').length === 2")
    page.click("#move-numbers")
    assert page.locator(".move-numbers text").count() == 0


def test_a_turned_board_is_played_as_it_is_seen(visit: Visit) -> None:
    """By quarters and mirrored: clicks, arrow keys and coordinates are those of the seen points."""
    page = visit.page
    visit.new_game("leblin", "5", ("", ""))
    assert corner(visit, 0) == "left bottom"
    page.click("#turn")
    assert corner(visit, 0) == "left top"
    page.click("#mirror")
    assert corner(visit, 0) == "right top"
    visit.click(0)
    assert visit.state()["position"]["first"] == [0]
    page.reload()
    page.wait_for_selector("body.ready")
    assert corner(visit, 0) == "right top"
    page.focus("#board")
    page.keyboard.press("ArrowRight")  # the cursor begins in the middle, C3
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    visit.wait_for_text("#moves", "B2")


def test_vertical_stays_vertical(visit: Visit) -> None:
    """In Linage, whose players are named after directions, a turn is half a circle."""
    visit.new_game("linage", "5", ("", ""))
    visit.page.click("#turn")
    assert corner(visit, 0) == "right top"
    visit.page.click("#turn")
    assert corner(visit, 0) == "left bottom"


def test_a_hexagon_is_turned_by_sixths(visit: Visit) -> None:
    """Six turns are a whole one; A1, at the left end of the lowest row, goes up along the left."""
    page = visit.page
    visit.new_game("gardar", "3", ("", ""))
    seen = [corner(visit, 0)]
    first = page.evaluate(_CENTRES)
    for _ in range(6):
        page.click("#turn")
        seen.append(corner(visit, 0))
    assert page.evaluate(_CENTRES) == first
    assert [word.split()[0] for word in seen[:4]] == ["between", "left", "between", "between"]
    assert [word.split()[1] for word in seen[:4]] == ["bottom", "between", "top", "top"]
