"""The cause of a refusal is marked and named on the board: by mouse, touch and keys."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from linage_bot.records.record import Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player
from linage_bot.web.table.links import to_link
from tests.e2e.web_server import PHONE, Visit
from tests.examples import some_quick

CONTRAST = Path(__file__).with_name("web_contrast.js").read_text()


def opened(visit: Visit, id_: str, size: str, moves: str, **options: str) -> None:
    """Show the position after these moves."""
    game = GAMES[id_].configure(size, None, options)
    record = Record(game, moves=tuple(game.board.point(each) for each in moves.split()))
    visit.follow(to_link(record))


_MARKED = """expected => {
  const inside = document.querySelector('#board .about .inside');
  if (!inside) return expected.length === 0;
  const svg = inside.ownerSVGElement;
  const around = svg.querySelector('.about .around');
  if (!around.getTotalLength()) throw new Error('no line around it');
  const marked = [...svg.querySelectorAll('[data-point]')].filter(each => {
    const [centre, cell] = [svg.createSVGPoint(), each.getBBox()];
    [centre.x, centre.y] = [cell.x + cell.width / 2, cell.y + cell.height / 2];
    return inside.isPointInFill(centre);
  }).map(each => Number(each.dataset.point));
  return marked.toSorted().join() === expected.toSorted().join();
}"""


def wait_for_marked(visit: Visit, points: set[int]) -> None:
    """Wait until the outline encloses exactly these points."""
    visit.page.wait_for_function(_MARKED, arg=list(points))


def points(size: str, vertices: str, id_: str = "linage") -> set[int]:
    board = GAMES[id_].configure(size).board
    return {board.point(each) for each in vertices.split()}


def test_the_pointer_shows_what_would_be_left_without_a_line(visit: Visit) -> None:
    """Pointing at a closed point marks the region that forbids it, until the pointer leaves."""
    opened(visit, "linage", "5x4", "A2 B2")
    board = visit.page.locator("#board")
    board.locator('[data-point="2"]').hover(force=True)
    visit.wait_for_text("#message", "C1: a region would be left without a line of 3 points.")
    wait_for_marked(visit, points("5x4", "A1 B1"))
    board.locator('[data-point="4"]').hover(force=True)
    wait_for_marked(visit, set())
    visit.page.wait_for_function("() => !document.querySelector('#message').textContent")
    opened(visit, "linage", "5x4", "C1 C2 C3 C4")
    board.locator('[data-point="0"]').hover(force=True)
    visit.wait_for_text("#message", "this one is owned by Vertical")
    wait_for_marked(visit, points("5x4", "A1 A2 A3 A4 B1 B2 B3 B4"))


@pytest.mark.parametrize("scheme", some_quick(["light", "dark"], "dark"))
def test_a_tap_that_is_refused_leaves_the_mark(
    browser: Browser, web_address: str, scheme: str
) -> None:
    """After a refused tap the mark remains until the next action."""
    with Visit(browser, web_address, **PHONE, color_scheme=scheme) as visit:
        opened(visit, "linage", "5x4", "A2 B2")
        visit.page.locator('[data-point="1"]').tap(force=True)
        visit.page.wait_for_selector("#message.refused")
        assert visit.message() == "B1: a region would be left without a line of 3 points."
        wait_for_marked(visit, points("5x4", "A1"))
        assert visit.page.evaluate(CONTRAST) == []
        visit.page.locator('[data-point="12"]').tap(force=True)
        visit.page.wait_for_selector('[data-stone="12"]')
        wait_for_marked(visit, set())


def test_the_cursor_shows_and_names_it(visit: Visit) -> None:
    """The keyboard cursor shows the mark and speaks the reason."""
    page = visit.page
    opened(visit, "linage", "5x4", "A2 B2")
    page.locator("#board").focus()
    page.keyboard.press("ArrowDown")  # from the middle, C2
    spoken = "C1, empty: a region would be left without a line of 3 points (A1 and B1)"
    visit.wait_for_text("#spoken", spoken)
    wait_for_marked(visit, points("5x4", "A1 B1"))
    page.keyboard.press("Enter")
    page.wait_for_selector("#message.refused")
    wait_for_marked(visit, points("5x4", "A1 B1"))
    page.keyboard.press("ArrowRight")
    wait_for_marked(visit, set())
    page.keyboard.press("ArrowLeft")
    wait_for_marked(visit, points("5x4", "A1 B1"))
    page.keyboard.press("Tab")
    wait_for_marked(visit, set())


def test_every_game_marks_its_own_refusals(visit: Visit) -> None:
    """A region's last point in Parity, a group without lifelines in Leblin."""
    opened(visit, "linage-parity", "4", "A2 B1")
    visit.click(0)
    visit.wait_for_text("#message", "A1: this would decrease the number of regions.")
    wait_for_marked(visit, points("4", "A1"))
    # White's stones leave A1 no way out.
    opened(visit, "leblin", "4", "D4 A2 D2 B1")
    visit.click(0)
    visit.wait_for_text("#message", "A1: a friendly group would be left without a lifeline.")
    wait_for_marked(visit, points("4", "A1", "leblin"))


def test_the_minimal_incursion_before_is_marked(visit: Visit) -> None:
    """The stone of the earlier minimal incursion is marked."""
    game = GAMES["leblin"].configure("5")
    setup = {
        Player.FIRST: "A5 C5 D5 E5 B4 D3 C2 D2 C1",
        Player.SECOND: "C4 D4 E3",
    }
    stones = tuple((p, game.board.point(v)) for p, names in setup.items() for v in names.split())
    incursion = game.board.point("B5")
    record = Record(game, setup=stones, to_move=Player.SECOND, moves=(incursion,))
    visit.follow(to_link(record))
    visit.click(game.board.point("C5"))
    visit.wait_for_text("#message", "C5: a minimal incursion may not follow a minimal incursion.")
    wait_for_marked(visit, {incursion})


def test_a_board_that_would_come_back_is_marked(visit: Visit) -> None:
    """Each side throws a stone into the other's ring: Black's second one is refused."""
    game = GAMES["gardar"].configure("4")
    rings = {
        Player.FIRST: "D4 B4 C5 C3 D5 B3",  # around C4
        Player.SECOND: "G5 E5 F6 F4 G6 E4",  # around F5
    }
    stones = tuple((p, game.board.point(v)) for p, names in rings.items() for v in names.split())
    throws = (game.board.point("F5"), game.board.point("C4"))
    record = Record(game, setup=stones, moves=throws)
    visit.follow(to_link(record))
    visit.click(game.board.point("F5"))
    words = "F5: this would recreate the board at the end of your turn 1."
    visit.wait_for_text("#message", words)
    wait_for_marked(visit, {game.board.point("C4")})
