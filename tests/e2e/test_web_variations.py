"""Variations in a real browser: made, walked through, commented, changed, loaded and saved."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator

from linage_bot.records.grammar import sgf
from linage_bot.records.reading import from_sgf
from tests.e2e.web_server import ONE_SIZE, SIZES, Visit

pytestmark = pytest.mark.thorough

STUDY = (
    "(;FF[4]GM[1]CA[UTF-8]SZ[5]RU[linage]KM[0.5]PB[Ann]PW[Bob]RE[B+R]DT[2020-02-02]EV[A \\] cup]"
    "C[<b>bold</b> & plain];B[cc]C[one]LB[aa:x][bb:y]"
    "(;W[aa];B[ee];W[])(;C[a note];W[dd]C[two](;B[bb])(;B[be]N[n]C[deep]))(;W[]))"
)


@pytest.fixture(params=ONE_SIZE)
def visit(browser: Browser, web_address: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """A page with the list of moves, in each size; nothing may have gone wrong on it."""
    with Visit(browser, web_address, **SIZES[request.param]) as visit:
        visit.tab("moves")
        yield visit


def saved(visit: Visit) -> bytes:
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="Save").or_(
            visit.page.get_by_role("link", name="Save")
        ).click()
    return Path(download.value.path()).read_bytes()


def outline(data: bytes) -> list[tuple[int, dict[str, list[bytes]]]]:
    """All nodes of a file as sgfmill reads them, but for who wrote it and all options of rules."""
    found, waiting = [], [sgf.Sgf_game.from_bytes(data).get_root()]
    while waiting:
        node = waiting.pop()
        names = set(node.properties()) - {"AP", "RU"}
        found.append((len(node), {name: node.get_raw_list(name) for name in names}))
        waiting += reversed(list(node))
    return found


def branches(visit: Visit) -> list[list[str]]:
    """The variations of the list, in words."""
    rows = visit.page.locator("#moves .branch").all()
    return [row.locator(".name").all_inner_texts() for row in rows]


def best_row(visit: Visit) -> Locator:
    """Return the first row of the candidates, which follows its move when the order changes."""
    rows = visit.page.locator("#candidates tbody tr")
    return rows.and_(visit.page.locator(f'[data-move="{rows.first.get_attribute("data-move")}"]'))


def wait_for(visit: Visit, name: str) -> None:
    """Wait until the move list, perhaps in a hidden tab, marks this move as the current one."""
    moves = visit.page.get_by_role("button", name=re.compile(name), include_hidden=True)
    moves.and_(visit.page.locator("[aria-current=step]")).wait_for(state="attached")


@pytest.mark.parametrize("visit", SIZES, indirect=True)
def test_another_move_at_an_earlier_position_makes_a_variation(visit: Visit) -> None:
    """Clicking another move makes a variation; the game itself is unchanged."""
    page = visit.page
    visit.new_game("leblin", "5", ("", ""))
    visit.place(6, 8, 16)
    page.get_by_role("button", name="1 B2, Black").click()
    wait_for(visit, "1 B2, Black")
    visit.click(18)
    wait_for(visit, "2 D4, White, in a variation")
    visit.click(0)
    wait_for(visit, "3 A1, Black, in a variation")
    visit.wait_for_text("#status", "In a variation, at move 3.")
    assert (visit.moves(), branches(visit)) == (["B2", "D2", "B4"], [["D4", "A1"]])
    assert sorted(visit.stones()) == [0, 6, 18]
    page.get_by_role("button", name="Back to game").click()
    visit.wait_for_text("#status", "White to move.")
    assert sorted(visit.stones()) == [6, 8, 16]
    page.get_by_role("button", name="2 D4, White").click()
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_selector("#moves .undone", state="attached")
    assert (visit.moves(), branches(visit)) == (["B2", "D4"], [["D2", "B4"]])


def test_what_is_taken_back_stays_as_a_variation(visit: Visit) -> None:
    """A move taken back stays as a variation, also against an engine."""
    page = visit.page
    visit.new_game("leblin", "5", ("", ""))
    visit.place(6, 8)
    page.get_by_role("button", name="Undo").click()
    page.wait_for_selector('#moves [data-move="2"].undone', state="attached")
    visit.click(18)
    page.wait_for_selector("#moves .branch", state="attached")
    assert (visit.moves(), branches(visit)) == (["B2", "D4"], [["D2"]])


def test_variations_are_walked_and_changed_by_keys(visit: Visit) -> None:
    """Back and forth, to the next variation and back; made the main line, and deleted."""
    page = visit.page
    visit.load(STUDY)
    page.wait_for_selector("#moves .branch", state="attached")
    assert branches(visit) == [["note", "D2", "B4"], ["B1"], ["pass"]]
    press = page.keyboard.press
    page.locator("#moves").focus()
    press("Home")
    visit.wait_for_text("#status", "Looking at move 0 of 4")
    for key, name in (
        ("]", "1 C3, Vertical"),
        ("ArrowRight", "2 A5, Horizontal"),
        (".", "note after move 1, in a variation, commented"),
        ("ArrowDown", "2 pass, Horizontal"),
        (",", "note after move 1"),
        ("]", "2 D2, Horizontal"),
        ("]", "3 B4, Vertical"),
        (".", "3 B1, Vertical"),
        ("ArrowLeft", "2 D2, Horizontal"),
    ):
        press(key)
        wait_for(visit, name)
    press("m")
    page.wait_for_selector('#moves > li > [aria-current="step"]', state="attached")
    assert visit.moves() == ["C3", "note", "D2", "B4"]
    visit.wait_for_text("#status", "Looking at move 2 of 3")
    page.on("dialog", lambda dialog: dialog.accept())
    press("Delete")
    wait_for(visit, "note after move 1")
    assert visit.moves() == ["C3", "note"]
    assert branches(visit) == [["A5", "E1", "pass"], ["pass"]]


def test_a_candidate_of_the_analysis_is_played(visit: Visit) -> None:
    """A candidate is played by a click or Enter; a touch first shows its line."""
    page = visit.page
    visit.new_game("leblin", "4", ("", ""))
    visit.place(5, 10)
    page.get_by_role("button", name="One move back").click()
    visit.wait_for_text("#status", "Looking at move 1")
    visit.analyse()
    row = best_row(visit)
    row.focus()
    page.wait_for_selector(".line .dream")
    move = row.locator("th").inner_text()
    row.press("Enter")
    wait_for(visit, f"2 {move}, White")
    page.get_by_role("button", name="First position").click()
    visit.wait_for_text("#status", "Looking at move 0")
    row = best_row(visit)
    move = row.locator("th").inner_text()
    if page.evaluate("() => matchMedia('(pointer: coarse)').matches"):
        row.tap()
        page.wait_for_selector(".line .dream")
        visit.wait_for_text("#status", "Looking at move 0")
        row.tap()
    else:
        row.get_by_role("button", name=f"Play {move}").click()
    wait_for(visit, f"1 {move}, Black")


def test_a_comment_is_written_and_kept(visit: Visit) -> None:
    """A comment is kept as plain text, through a reload and in the saved file."""
    page, words = visit.page, "<img src=x onerror=alert(1)> ] \\ & so on"
    visit.new_game("leblin", "5", ("", ""))
    visit.place(6, 8)
    field = page.get_by_role("textbox", name="Comment on this position")
    field.fill(words)
    field.press("Escape")
    page.wait_for_selector('#moves [data-move="2"] .noted', state="attached")
    page.get_by_role("button", name="One move back").click()
    visit.wait_for_text("#status", "Looking at move 1")
    assert field.input_value() == ""
    page.reload()
    page.wait_for_selector('#moves [data-move="2"] .noted', state="attached")
    page.get_by_role("button", name="2 D2, White, commented").click()
    page.wait_for_function("words => document.querySelector('#comment').value === words", arg=words)
    assert from_sgf(saved(visit)).comments == {2: words}


def test_a_file_with_variations_is_saved_as_it_was_loaded(visit: Visit) -> None:
    """Viewing variations changes nothing: sgfmill reads the same tree from the saved file."""
    visit.load(STUDY)
    visit.wait_for_text("#status", "Horizontal resigned: Vertical wins.")
    assert visit.moves() == ["C3", "A5", "E1", "pass"]
    visit.page.get_by_role("button", name="3 B1, Vertical").click()
    visit.wait_for_text("#status", "In a variation, at move 3.")
    assert visit.page.get_by_role("textbox", name="Comment").input_value() == "deep"
    assert outline(saved(visit)) == outline(STUDY.encode())
    visit.page.get_by_role("button", name="First position").click()
    visit.wait_for_text("#status", "Looking at move 0")
    assert visit.page.get_by_role("textbox", name="Comment").input_value() == "<b>bold</b> & plain"


def test_a_variation_that_nobody_can_play_is_kept(visit: Visit) -> None:
    """The page says why, and it can be looked at."""
    page = visit.page
    text = "(;FF[4]GM[1]CA[UTF-8]SZ[5]RU[linage]KM[0.5];B[cc](;W[aa])(;W[cc]C[no]))"
    visit.load(text)
    page.get_by_role("button", name="not playable: a variation of the file").click()
    visit.wait_for_text("#status", "cannot be played: move 2 of a variation: white C3: there is a")
    assert page.get_by_role("textbox", name="Comment").is_disabled()
    assert page.get_by_role("button", name="Play on from here").count() == 0
    assert outline(saved(visit)) == outline(text.encode())


def test_the_engine_takes_no_part_in_variations(visit: Visit) -> None:
    """In a variation a person moves for both sides; the game can be continued afterwards."""
    page = visit.page
    visit.new_game("linage", "5", ("", "1"))
    visit.click(12)
    page.wait_for_selector('#moves [data-move="2"]', state="attached")
    visit.wait_for_turn()
    played = visit.moves()
    page.get_by_role("button", name="First position").click()
    visit.wait_for_text("#status", "Looking at move 0")
    for point in (0, 4, 20):
        visit.click(point)
        page.wait_for_selector(f'[data-stone="{point}"]')
    assert (visit.moves(), branches(visit)) == (played, [["A1", "E1", "A5"]])
    visit.wait_for_text("#status", "In a variation, at move 3: you play both sides.")
    page.get_by_role("button", name="Back to game").click()
    visit.wait_for_text("#status", "to move.")
    visit.click(next(iter(visit.state()["position"]["legal"])))
    page.wait_for_selector('#moves [data-move="4"]', state="attached")
