"""Puzzles and the position editor, as a learner uses them."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route

from linage_bot.engine.puzzles.puzzle import Puzzle, shipped_puzzles
from linage_bot.rules.game import PASS
from linage_bot.rules.linage import Linage
from tests.e2e.test_web_two import coming_and_going
from tests.e2e.web_server import ONE_SIZE, SIZES, Visit

pytestmark = pytest.mark.thorough

PUZZLES = list(shipped_puzzles().values())


@pytest.fixture(params=ONE_SIZE)
def learner(browser: Browser, web_address: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A page on a desktop and on a phone, with a game at hand."""
    with Visit(browser, web_address, **SIZES[request.param]) as visit:
        visit.new_game("linage", "5", ("", ""))
        visit.place(12)
        yield visit


def a_puzzle(game: str = "linage", steps: int = 1, *, passing: bool = False) -> Puzzle:
    """Return a puzzle with the given properties, in which the best move wins without komi too."""
    return next(
        each
        for each in PUZZLES
        if each.game.id == game
        and len(each.steps) == steps
        and (each.steps[0].best == PASS) is passing
        and each.without_komi().steps[0].lead > 0
    )


def set_puzzle(visit: Visit, puzzle: Puzzle) -> None:
    """Choose a puzzle by the lists beside the board."""
    page = visit.page
    if not page.is_visible("#guest"):
        page.get_by_role("button", name="Puzzles").click()
    page.select_option("#puzzle-game", puzzle.game.id)
    page.select_option("#puzzle-grades", "")
    names = [each.name for each in PUZZLES if each.game.id == puzzle.game.id]
    page.select_option("#puzzle-number", str(names.index(puzzle.name)))
    page.wait_for_function(
        "name => JSON.parse(localStorage.getItem('puzzles')).at === name", arg=puzzle.name
    )
    page.wait_for_selector("#puzzle-said[aria-busy='false']")
    wait_for_board(visit, puzzle)


def wait_for_board(visit: Visit, puzzle: Puzzle) -> None:
    """Wait until exactly the puzzle's stones are drawn."""
    visit.page.wait_for_function(
        "points => points.every(point => document.querySelector(`[data-stone='${point}']`))"
        " && document.querySelectorAll('[data-stone]').length === points.length",
        arg=sorted(puzzle.stones | puzzle.second),
    )


def kept(visit: Visit) -> dict[str, str]:
    """Return the solved puzzles that the browser remembers."""
    return json.loads(visit.page.evaluate("localStorage.getItem('puzzles')"))["solved"]


def said(visit: Visit, words: str) -> str:
    visit.wait_for_text("#puzzle-said", words)
    return visit.page.inner_text("#puzzle-said")


@pytest.mark.parametrize(
    ("learner", "game"), [("phone", "linage"), ("desktop", "linage-parity")], indirect=["learner"]
)
def test_a_wrong_move_is_refuted_and_the_right_one_solves(learner: Visit, game: str) -> None:
    """A wrong move shows its loss and the refutation; solved puzzles are remembered."""
    page, puzzle = learner.page, a_puzzle(game)
    set_puzzle(learner, puzzle)
    mover = puzzle.game.players[puzzle.to_move]
    step = puzzle.without_komi().steps[0]
    task = f"wins by {step.lead:g} or more" if game == "linage" else "wins"
    assert page.inner_text("#puzzle-goal") == f"{mover} to move. Find the only move that {task}."
    name_of = puzzle.game.start().name_of
    wrong = next(
        move for move, each in step.wrong.items() if move != PASS and PASS not in each.line[:1]
    )
    learner.click(wrong)
    told = said(learner, name_of(wrong))
    lead = step.wrong[wrong].lead
    result = f"wins by only {lead:g}" if lead > 0 else f"loses by {-lead:g}"
    result = (result if lead else "only draws") if game == "linage" else "loses"
    assert f"{name_of(wrong)} {result}" in told
    assert f"answers {name_of(step.wrong[wrong].line[0])}" in told
    numbers = page.locator(".line .number").all_text_contents()
    line = step.wrong[wrong].line
    assert numbers == [str(at) for at, move in enumerate(line, 1) if move != PASS]
    assert wrong in learner.stones()
    page.get_by_role("button", name="Try again").click()
    page.wait_for_function("() => !document.querySelector('.line .number')")
    assert set(learner.stones()) == puzzle.stones
    learner.click(step.best)
    said(learner, "Solved")
    assert kept(learner) == {puzzle.name: "later"}
    assert "Solved 1 of" in page.inner_text("#puzzle-progress")
    assert page.evaluate("document.activeElement.id") == "puzzle-next"
    page.reload()
    page.wait_for_selector("body.ready")
    page.get_by_role("button", name="Puzzles").click()
    page.wait_for_selector("#puzzle-goal")
    learner.wait_for_text("#puzzle-progress", "Solved 1 of")
    assert "Solved after a wrong move" in page.inner_text("#puzzle-title")


def test_what_comes_late_is_not_drawn(learner: Visit) -> None:
    """Puzzles are chosen faster than they come; no click counts in the meantime."""
    page, (one, two) = learner.page, PUZZLES[:2]
    set_puzzle(learner, one)
    held: list[Route] = []
    page.route("**/api/positions", lambda route: held.append(route))
    for name, puzzle in (("Next", two), ("Previous", one)):
        page.get_by_role("button", name=name).click()
        page.wait_for_function(
            "name => JSON.parse(localStorage.getItem('puzzles')).at === name", arg=puzzle.name
        )
    learner.click(one.steps[0].best)
    while len(held) < 2:
        page.wait_for_timeout(20)
    for late in reversed(held):
        with page.expect_response("**/api/positions"):
            late.continue_()
        wait_for_board(learner, one)
    assert page.inner_text("#puzzle-said") == ""
    assert kept(learner) == {}


def is_not_answered(visit: Visit) -> None:
    """Wait for the page's message about the server, and clear it."""
    visit.wait_for_text("#message", "the server does not answer")
    visit.page.evaluate("() => { document.querySelector('#message').textContent = ''; }")


def test_a_puzzle_goes_on_when_the_connection_is_back(learner: Visit) -> None:
    """While offline the page says so, changes nothing, and lets the player try again."""
    puzzle = a_puzzle(steps=2)
    set_puzzle(learner, puzzle)
    first, last = puzzle.steps
    away, page = learner.context.set_offline, learner.page
    with coming_and_going(learner):
        for point in (first.best, next(move for move in first.wrong if move != PASS)):
            away(True)
            learner.click(point)
            is_not_answered(learner)
        for name in ("Solution", "Next"):
            page.get_by_role("button", name=name).click()
            is_not_answered(learner)
        assert kept(learner) == {}
        away(False)
        learner.click(first.best)
        said(learner, "is right")
        page.hover(f'[data-point="{last.best}"]', force=True)
        page.wait_for_selector("#board.may-play")
        away(True)
        page.get_by_role("button", name="Try again").click()
        is_not_answered(learner)
        away(False)
        learner.click(last.best)  # shows the beginning, as Try again should have
        wait_for_board(learner, puzzle)
        for step in puzzle.steps:
            page.hover(f'[data-point="{step.best}"]', force=True)
            page.wait_for_selector("#board.may-play")
            learner.click(step.best)
            page.wait_for_selector(f'[data-stone="{step.best}"]')
        said(learner, "Solved")


def test_a_puzzle_goes_on_as_long_as_it_is_forced(learner: Visit) -> None:
    """The opponent answers by themselves; found without a mistake it counts as such."""
    puzzle = a_puzzle(steps=3)
    set_puzzle(learner, puzzle)
    for step in puzzle.steps:
        # A pale stone under the pointer says that it is the learner's turn.
        learner.page.hover(f'[data-point="{step.best}"]', force=True)
        learner.page.wait_for_selector("#board.may-play")
        learner.click(step.best)
        learner.page.wait_for_selector(f'[data-stone="{step.best}"]')
        if step.reply is not None:
            assert f"answers {puzzle.game.start().name_of(step.reply)}" in said(learner, "is right")
            if step.reply != PASS:
                learner.page.wait_for_selector(f'[data-stone="{step.reply}"]')
    said(learner, "At the first attempt.")
    assert kept(learner) == {puzzle.name: "first"}


def test_the_solution_is_shown_and_not_counted_as_solved(learner: Visit) -> None:
    """All moves of the line, numbered; the next puzzle and the one before are a key away."""
    page, puzzle = learner.page, a_puzzle(steps=2)
    set_puzzle(learner, puzzle)
    page.get_by_role("button", name="Solution").click()
    told = said(learner, "Solution: ")
    name_of = puzzle.game.start().name_of
    first, second = puzzle.steps
    assert first.reply is not None
    line = [first.best, first.reply, second.best]
    moves = ", ".join("a pass" if move == PASS else name_of(move) for move in line)
    assert told.startswith(f"Solution: {moves}. ")
    lead = puzzle.without_komi().steps[-1].lead
    assert told.endswith(f" wins by {lead:g} with best play.")
    assert kept(learner) == {puzzle.name: "shown"}
    assert "Solved 0 of" in page.inner_text("#puzzle-progress")
    number = page.locator("#puzzle-number")
    before = number.input_value()
    page.keyboard.press("]")
    page.wait_for_function(
        "before => document.querySelector('#puzzle-number').value !== before", arg=before
    )
    page.keyboard.press("[")
    page.wait_for_function(
        "before => document.querySelector('#puzzle-number').value === before", arg=before
    )


def rating(visit: Visit) -> dict:
    """Return the rating that the browser remembers."""
    return json.loads(visit.page.evaluate("localStorage.getItem('puzzles')")).get("rating")


def test_a_mixed_run_has_a_rating(learner: Visit) -> None:
    """A mixed run shows puzzles of all games, and only the first try changes the own rating."""
    page = learner.page
    page.get_by_role("button", name="Puzzles").click()
    page.wait_for_selector("#puzzle-goal")
    page.select_option("#puzzle-game", "mixed")
    learner.wait_for_text("#puzzle-progress", "Only the first try counts.")
    assert not page.is_visible("#puzzle-number")
    found, before = [], 1200
    other_games = {puzzle.game.id for puzzle in shipped_puzzles().values()}
    for right in (True, False):
        page.wait_for_selector("#puzzle-said[aria-busy='false']")
        puzzle = shipped_puzzles()[json.loads(page.evaluate("localStorage.puzzles"))["at"]]
        found.append(puzzle.name)
        other_games.discard(puzzle.game.id)
        wait_for_board(learner, puzzle)
        if right:
            for step in puzzle.steps:
                if step.best == PASS:
                    page.click("#puzzle-pass:not([disabled])")
                else:
                    page.hover(f'[data-point="{step.best}"]', force=True)
                    page.wait_for_selector("#board.may-play")
                    learner.click(step.best)
                    page.wait_for_selector(f'[data-stone="{step.best}"]')
            said(learner, "At the first attempt.")
        else:
            learner.click(next(move for move in puzzle.steps[0].wrong if move != PASS))
            page.wait_for_selector("#puzzle-said.wrong")
            page.get_by_role("button", name="Try again").click()
            page.get_by_role("button", name="Solution").click()
            said(learner, "Solution: ")
        after = rating(learner)
        assert (after["value"] > before) is right
        assert after["count"] == len(found)
        assert f"Your rating: {after['value']}" in page.inner_text("#puzzle-progress")
        before = after["value"]
        page.get_by_role("button", name="Next").click()
        page.wait_for_function(
            "name => JSON.parse(localStorage.getItem('puzzles')).at !== name", arg=puzzle.name
        )
    page.reload()
    page.wait_for_selector("body.ready")
    page.get_by_role("button", name="Puzzles").click()
    page.wait_for_selector("#puzzle-goal")
    learner.wait_for_text("#puzzle-progress", f"Your rating: {before}")
    page.select_option("#puzzle-game", min(other_games))
    learner.wait_for_text("#puzzle-progress", "Solved 0 of")


@pytest.mark.parametrize("game", ["linage-two-color", "leblin"])
def test_games_of_two_colours_have_puzzles(learner: Visit, game: str) -> None:
    """A puzzle of a game with two colours has stones of both, and is solved like the others."""
    puzzle = a_puzzle(game)
    set_puzzle(learner, puzzle)
    colours = set(learner.stones().values())
    assert colours == {"first", "second"}
    learner.click(puzzle.steps[0].best)
    said(learner, "At the first attempt.")


def test_a_pass_may_be_the_solution(learner: Visit) -> None:
    """A pass can be played by button and key."""
    set_puzzle(learner, a_puzzle("linage-parity", passing=True))
    learner.page.locator("#puzzle-goal").focus()
    learner.page.keyboard.press("p")
    said(learner, "Solved: with a pass")


def test_a_puzzle_is_solved_with_keys_alone(learner: Visit) -> None:
    """A puzzle can be solved by keyboard, from opening it to returning to the game."""
    page = learner.page
    page.get_by_role("button", name="Puzzles").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#puzzle-goal")
    learner.wait_for_text("#puzzle-goal", "Find the only move")
    puzzle = shipped_puzzles()[json.loads(page.evaluate("localStorage.puzzles"))["at"]]
    wait_for_board(learner, puzzle)
    page.focus("#board")
    columns = puzzle.game.board.columns
    page.keyboard.press("ArrowLeft")  # the cursor comes to the middle
    row, column = divmod(puzzle.steps[0].best, columns)
    for _ in range(columns):
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowDown")
    for _ in range(column):
        page.keyboard.press("ArrowRight")
    for _ in range(row):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    said(learner, "Solved")
    page.keyboard.press("Escape")
    page.wait_for_selector("#guest", state="hidden")
    assert learner.moves() == ["C3"]


def test_the_game_at_hand_is_left_alone(browser: Browser, web_address: str) -> None:
    """The current game keeps its state and its engine's reply; puzzle keys do not affect it."""
    with Visit(browser, web_address) as visit:
        page = visit.page
        visit.new_game("linage", "5", ("", "1"))
        before = page.url
        visit.click(0)
        page.get_by_role("button", name="Puzzles").click()
        page.wait_for_selector("#puzzle-goal")
        visit.wait_for_text("#puzzle-goal", "Find the only move")
        page.keyboard.press("u")
        page.keyboard.press("r")
        page.wait_for_selector("#puzzle-solution:not([disabled])")
        page.keyboard.press("s")
        said(visit, "Solution")
        page.get_by_role("button", name="Back to the game").click()
        page.wait_for_selector('#moves [data-move="2"]', state="attached")
        visit.wait_for_turn()
        assert page.url == before
        assert visit.moves()[0] == "A1"
        point = Linage.configure("5").board.point
        assert sorted(visit.stones()) == sorted(map(point, visit.moves()))
        assert page.inner_text("#title") == "Linage"
        page.get_by_role("button", name="Puzzles").click()
        page.wait_for_selector("#puzzle-goal")
        visit.new_game("leblin", "5", ("", ""))
        assert page.is_hidden("#guest")
        assert page.inner_text("#title") == "Leblin"


def test_a_move_that_the_rules_forbid_is_no_answer(learner: Visit) -> None:
    """An illegal move shows the rule and does not count as an attempt."""
    puzzle = a_puzzle()
    set_puzzle(learner, puzzle)
    point = min(puzzle.stones)
    learner.click(point)
    learner.wait_for_text("#message", "there is a stone on this point")
    assert kept(learner) == {}
    learner.click(puzzle.steps[0].best)
    said(learner, "At the first attempt.")


def test_a_set_up_that_cannot_be_says_why(learner: Visit) -> None:
    """An impossible set-up shows the reason; a possible one starts a new game."""
    page, before = learner.page, learner.page.url
    learner.tab("moves")
    page.get_by_role("button", name="Edit position").click()
    page.wait_for_selector("#edit-said")
    assert learner.stones() == {12: "shared"}
    page.fill("#edit-size", "3")
    page.keyboard.press("Tab")
    learner.wait_for_text("#subtitle", "3 × 3")
    for point in (1, 3):
        learner.click(point)
        page.wait_for_selector(f'[data-stone="{point}"]')
    learner.wait_for_text(
        "#edit-said", "This position is impossible: a region has no line of 3 points."
    )
    page.mouse.move(0, 0)
    assert page.locator("#board .about .inside").count() == 1  # the corner is framed
    assert page.is_disabled("#edit-play")
    assert page.is_disabled("#edit-analyse")
    learner.click(3)
    learner.wait_for_text("#edit-said", "are open")
    page.get_by_role("radio", name="Horizontal").check()
    learner.wait_for_text("#edit-said", "Horizontal to move")
    page.get_by_role("button", name="Play from here").click()
    page.wait_for_function("before => location.href !== before", arg=before)
    page.wait_for_selector("#guest", state="hidden")
    learner.wait_for_text("#status", "Horizontal to move.")
    assert learner.state()["position"]["toMove"] == 1
    assert sorted(learner.stones()) == [1, 8]  # C3 of the game at hand is on this board, too
    learner.place(learner.state()["position"]["legal"][0])
    page.go_back()
    page.wait_for_selector('[data-stone="12"]')
    assert learner.moves() == ["C3"]


def test_no_button_of_the_editor_moves_under_the_pointer(learner: Visit) -> None:
    """The editor's buttons stay in place when the rules answer, so no click hits another one."""
    page = learner.page
    held: list[Route] = []
    page.route("**/api/positions", lambda route: held.append(route))
    learner.tab("moves")
    page.get_by_role("button", name="Edit position").click()
    clear = page.get_by_role("button", name="Clear")
    before = clear.bounding_box()
    while not held:
        page.wait_for_timeout(20)
    held.pop().continue_()
    learner.wait_for_text("#edit-said", "are open")
    assert clear.bounding_box() == before


def test_two_colours_are_set_up_and_analysed(learner: Visit) -> None:
    """A solved board with a stone set up is proven at once."""
    page = learner.page
    learner.tab("moves")
    page.get_by_role("button", name="Edit position").click()
    page.select_option("#edit-game", "leblin")
    learner.wait_for_text("#title", "Leblin")
    page.get_by_role("button", name="Clear").click()
    page.wait_for_function("() => !document.querySelector('[data-stone]')")
    tools = page.get_by_role("group", name="Stones")
    learner.click(0)
    tools.get_by_label("White").check()
    learner.click(24)
    learner.click(0)
    page.wait_for_function("() => document.querySelectorAll('.stone.second').length === 2")
    learner.click(0)
    page.wait_for_function("() => document.querySelectorAll('[data-stone]').length === 1")
    page.select_option("#edit-game", "linage")
    learner.wait_for_text("#title", "Linage")
    page.wait_for_selector("#edit-analyse:not([disabled])")
    page.get_by_role("radio", name="Horizontal").check()
    learner.wait_for_text("#edit-said", "Horizontal to move")
    page.get_by_role("button", name="Analyse").click()
    learner.wait_for_text("#verdict", "Exact: Horizontal wins by 7.5")
    assert list(learner.stones()) == [24]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_puzzles_and_editor_are_legible_and_named(
    browser: Browser, web_address: str, scheme: str
) -> None:
    """Puzzles and the editor pass all audits on the smallest phone."""
    audits = [Path(__file__).with_name(f"web_{name}.js").read_text() for name in _AUDITS]
    small = {"width": 320, "height": 568}
    with Visit(browser, web_address, color_scheme=scheme, viewport=small) as visit:
        page, puzzle = visit.page, a_puzzle()
        set_puzzle(visit, puzzle)
        visit.click(next(move for move in puzzle.steps[0].wrong if move != PASS))
        visit.page.wait_for_selector("#puzzle-said.wrong")
        for opener in ("#edit", None):
            found = [page.evaluate(audit) for audit in audits]
            assert found == [[], []]
            assert page.evaluate("() => document.documentElement.scrollWidth") == small["width"]
            page.keyboard.press("Escape")
            if opener:
                visit.tab("moves")
                page.click(opener)
                page.wait_for_selector("#edit-said")


_AUDITS = ("names", "contrast")
