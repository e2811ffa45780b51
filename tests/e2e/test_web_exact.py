"""Exact values in the page: shown at once on solved boards, explored by clicks and keys."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from linage_bot.engine.solver.proven_values import known
from linage_bot.engine.solver.solved_boards import solved_board
from linage_bot.rules import GAMES
from linage_bot.rules.game import Position
from tests.e2e.web_server import ONE_SIZE, SIZES, Visit, web_server

pytestmark = pytest.mark.thorough

_ASKED = """() => {
  document.querySelector("#analyse").click();
  return new Promise(resolve => {
    const look = () => {
      const verdict = document.querySelector("#verdict").textContent;
      const rows = document.querySelectorAll("#values-rows li").length;
      const marks = document.querySelectorAll(".mark").length;
      if (verdict.startsWith("Exact") && rows && marks) resolve();
      else requestAnimationFrame(look);
    };
    look();
  });
}"""


def explored(visit: Visit) -> dict[int, str]:
    """Return the explorer's value of each move."""
    rows = visit.page.eval_on_selector_all(
        "#values-rows li",
        """rows => rows.map(row => [
          row.querySelector(".value").textContent,
          [...row.querySelectorAll("button")].map(button => Number(button.dataset.play)),
        ])""",
    )
    return {move: value for value, moves in rows for move in moves}


def expected(position: Position) -> dict[int, str]:
    """Return the table's value of each move."""
    proven = known(position)
    assert proven is not None
    return {move: _worth(proven.of(move).low, points=proven.points) for move in proven.moves}


def _worth(lead: float, *, points: bool) -> str:
    if not points:
        return "wins" if lead > 0 else "loses"
    return f"{lead:+g}".replace("-", "−")


def wait_for_best(page: Page, count: int) -> None:
    """Wait until `count` moves are marked as best, after possible marks of the search."""
    marked = "count => document.querySelectorAll('.mark.best').length === count"
    page.wait_for_function(marked, arg=count)


@pytest.mark.parametrize(
    ("game", "points", "size"),
    [("linage", "5", "phone"), ("linage", "6", "desktop"), ("leblin", "4", "phone")],
)
def test_a_solved_board_is_told(
    browser: Browser, web_address: str, game: str, points: str, size: str
) -> None:
    """Verdict, marks and the value of every move, as the table has them."""
    with Visit(browser, web_address, **SIZES[size]) as visit:
        visit.new_game(game, points, ("", ""))
        visit.page.evaluate(_ASKED)
        start = GAMES[game].configure(points).start()
        assert explored(visit) == expected(start)
        solved = solved_board(start.game)
        assert solved is not None
        wait_for_best(visit.page, len([move for move in solved.best if move >= 0]))
        width = visit.page.evaluate("() => document.documentElement.scrollWidth")
        assert width <= SIZES[size]["viewport"]["width"]


@pytest.mark.parametrize("size", ONE_SIZE)
def test_a_move_of_the_explorer_is_played(browser: Browser, web_address: str, size: str) -> None:
    """After a move by click or key, the new position and its moves have exact values too."""
    with Visit(browser, web_address, **SIZES[size]) as visit:
        page = visit.page
        visit.new_game("linage", "5", ("", ""))
        visit.tab("analysis")
        page.evaluate(_ASKED)
        page.get_by_role("button", name="Play B1: −4.5").click()
        page.wait_for_selector('#moves [data-move="1"]', state="attached")
        visit.wait_for_text("#verdict", "Exact: Horizontal wins by 4.5")
        page.wait_for_function(  # the solver takes a moment
            "() => { const told = document.querySelector('#values-rows').textContent;"
            " return told && !told.includes('at most'); }"
        )
        values = explored(visit)
        assert max(float(each.replace("−", "-")) for each in values.values()) == 4.5
        best = page.locator("#values-rows .best button").first
        best.focus()
        name = best.inner_text()
        page.keyboard.press("Enter")
        page.wait_for_selector('#moves [data-move="2"]', state="attached")
        assert visit.moves() == ["B1", name]
        visit.wait_for_text("#verdict", "Exact: Horizontal wins by 4.5")


def test_a_solved_board_is_told_before_anything_is_compiled(
    browser: Browser, tmp_path: Path
) -> None:
    """Exact values are shown before compilation, on a machine without compiled code."""
    with (
        web_server("--size", "6", cache=tmp_path) as address,
        Visit(browser, address) as visit,
    ):
        visit.page.evaluate(_ASKED)
        assert explored(visit) == expected(GAMES["linage"].configure("6").start())
        visit.page.wait_for_selector("#compiling")


def test_a_proven_draw_is_no_estimate(visit: Visit) -> None:
    """The best moves say so, and the others by how much they lose."""
    page = visit.page
    page.evaluate("() => { location.hash = 'game=linage&size=6&komi=0'; }")
    visit.wait_for_text("#subtitle", "6")
    page.evaluate(_ASKED)
    assert page.inner_text("#verdict") == "Exact: a draw with best play."
    wait_for_best(page, 8)
    marks = page.locator(".mark.best .rate").all_text_contents()
    assert marks == ["draw"] * 8
    worse = page.locator(".mark.worse text").all_text_contents()
    assert sorted(set(worse)) == ["−1", "−2", "−3", "−4"]


def test_the_explorer_goes_with_what_is_proven(visit: Visit) -> None:
    """The explorer is hidden without analysis and in positions without proven values."""
    page = visit.page
    visit.new_game("linage", "9", ("", ""))
    visit.analyse()
    page.wait_for_selector("#candidates tbody tr")
    assert page.is_hidden("#values")
    visit.new_game("linage-parity", "4", ("", ""))
    page.evaluate(_ASKED)
    assert page.is_visible("#values")
    visit.analyse(on=False)
    page.wait_for_selector("#values", state="hidden")


def test_a_proven_value_without_proven_moves_is_explained(visit: Visit) -> None:
    """After the first move on 6x7 the page and a hint say that the moves' values are estimates."""
    page = visit.page
    page.evaluate("() => { location.hash = 'game=linage&size=6x7&komi=4.5'; }")
    visit.wait_for_text("#subtitle", "6 × 7")
    visit.click(2)
    visit.analyse()
    visit.wait_for_text("#verdict", "Exact: Horizontal wins by 0.5")
    visit.wait_for_text("#estimated", "Which move achieves this is not proven")
    assert page.inner_text("#candidates tbody tr:first-child td").startswith("≈")
    page.keyboard.press("h")
    visit.wait_for_text("#message", "an estimate: it is proven that Horizontal wins by 0.5")


def test_every_reply_to_a_first_move_is_shown_at_once(visit: Visit) -> None:
    """After any first move on 5x5 the value of every reply is there, and so is a proven hint."""
    page = visit.page
    visit.new_game("linage", "5", ("", ""))
    visit.click(6)
    page.evaluate(_ASKED)
    after = GAMES["linage"].configure("5").start()
    assert explored(visit) == expected(after.after(after.game.move("B2")))
    page.keyboard.press("h")
    visit.wait_for_text("#message", "proven")
