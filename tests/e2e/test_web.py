"""`linage-bot web` in a real browser, as a player uses it.

No fixture of pytest-twisted here: Playwright runs an event loop of its own.
"""

import random
import re

import pytest

from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, Position
from linage_bot.settings.playing import FULL_STRENGTH
from tests.e2e.engine import run
from tests.e2e.web_server import Visit
from tests.examples import some_quick

CROSSED = """() => {
  window.crossed = false;
  const watch = new MutationObserver(changes => {
    const drawn = changes.flatMap(({ addedNodes }) => [...addedNodes]);
    window.crossed ||= drawn.some(each => each.classList.contains("refused"));
    if (window.crossed) watch.disconnect();
  });
  watch.observe(document.querySelector("#board .ghost"), { childList: true });
}"""
"""Remembers a cross that is drawn from then on: on a busy machine it is gone before one looks."""


def replayed(visit: Visit) -> Position:
    """The position after the moves that the page lists, by the readable rules."""
    game = visit.state()["game"]
    komi = game["komi"] if game["komiStep"] is not None else None
    position = GAMES[game["id"]].configure(game["size"], komi, game["options"]).start()
    for word in visit.moves():
        position = position.play(PASS if word == "pass" else position.game.board.point(word))
    return position


def check_board(visit: Visit) -> Position:
    """Check that the page shows the position after its listed moves; return that position."""
    position = replayed(visit)
    kinds = ("shared", "shared") if position.game.one_colour else ("first", "second")
    expected = dict.fromkeys(bits(position.first), kinds[0])
    expected |= dict.fromkeys(bits(position.second), kinds[1])
    assert visit.stones() == expected
    state = visit.state()["position"]
    assert state["legal"] == list(bits(position.placements()))
    assert visit.page.locator(".legal-points circle").count() == len(state["legal"])
    scores = position.scores()
    if scores is not None:
        shown = visit.page.locator("#score output").all_inner_texts()
        assert [float(text.replace("−", "-")) for text in shown] == list(scores)
    return position


def check_with_engine(visit: Visit) -> None:
    """The GTP engine, given the same moves, has the same stones on its board."""
    game, moves = visit.state()["game"], visit.moves()
    options = " ".join(f"{name}={value}" for name, value in game["options"].items())
    lines = [f"linage-game {game['id']} size={game['size']} {options}"]
    lines += [f"play {'bw'[n % 2]} {word}" for n, word in enumerate(moves)]
    lines += ["gogui-rules_board", "quit"]
    answers = run("\n".join(lines).encode(), "--visits", "1").stdout.decode().split("\n\n")
    board = [line.split() for line in answers[len(lines) - 2][2:].splitlines()]
    drawn = visit.stones()
    for row, signs in enumerate(reversed(board)):
        for column, sign in enumerate(signs):
            kind = drawn.get(row * game["columns"] + column)
            assert (kind or "empty") in {
                "X": ("first", "shared"),
                "O": ("second",),
            }.get(sign, ("empty",))


@pytest.mark.parametrize(
    ("game", "size", "options"),
    some_quick(
        [
            ("linage", "5", {}),
            ("linage-two-color", "5", {"count_regions": "on"}),
            ("linage-parity", "4", {}),
            ("leblin", "5", {}),
            ("gardar", "3", {}),
        ],
        "gardar",
    ),
)
def test_a_whole_game_is_played_by_clicks(
    visit: Visit, game: str, size: str, options: dict[str, str]
) -> None:
    """Against a weak engine, to the end, with the right stones on the board after every turn."""
    choice, page = random.Random(5), visit.page
    visit.new_game(game, size, ("", "1"), **options)
    visit.tab("play")
    page.check("#legal", force=True)
    for turn in range(200):
        visit.wait_for_turn()
        position = check_board(visit)
        if position.over:
            break
        legal = list(bits(position.placements()))
        if not legal or (turn > 9 and position.may_pass()):
            visit.pass_()
        else:
            visit.click(choice.choice(legal))
        page.wait_for_selector(f'#moves [data-move="{2 * turn + 1}"]', state="attached")
    assert position.over
    check_with_engine(visit)
    result = position.result()
    words = page.inner_text("#status")
    assert words.startswith("The game is over")
    if result.winner is not None:
        assert position.game.players[result.winner] in words


def test_a_refused_click_says_which_rule_forbids_it(visit: Visit) -> None:
    """A refused click shows the rule and changes nothing."""
    visit.new_game("linage", "3", ("", ""))
    for point in (4, 0):
        visit.click(point)
        visit.page.wait_for_selector(f'[data-stone="{point}"]')
    for point, words in (
        (4, "B2: there is a stone on this point."),
        (7, "B3: a region would be left without a line of 3 points."),
    ):
        visit.page.evaluate(CROSSED)
        visit.click(point)
        visit.page.wait_for_function("() => window.crossed")
        assert visit.message() == words
        visit.page.wait_for_selector(".ghost .refused", state="detached")
    assert visit.moves() == ["B2", "A1"]
    assert sorted(visit.stones()) == [0, 4]


def test_moves_are_taken_back_and_made_again(visit: Visit) -> None:
    """Against an engine its answer goes with the move, so that it is the person's turn."""
    page = visit.page
    visit.new_game("linage", "5", ("", "1"))
    visit.click(12)
    page.wait_for_selector('#moves [data-move="2"]', state="attached")
    visit.wait_for_turn()
    played = visit.moves()
    page.keyboard.press("u")
    page.wait_for_selector('#moves [data-move="1"].undone', state="attached")
    assert (visit.moves(), visit.stones()) == ([], {})
    page.keyboard.press("r")
    page.wait_for_selector('#moves [data-move="1"]:not(.undone)', state="attached")
    assert visit.moves() == played
    assert len(visit.stones()) == 2 - played.count("pass")


def test_one_steps_through_the_moves_and_plays_on_from_any(visit: Visit) -> None:
    """Looking changes nothing; another move there is the game from then on."""
    page = visit.page
    visit.new_game("leblin", "5", ("", ""))
    visit.place(6, 8, 16)
    page.click("#back")
    page.wait_for_selector('#moves [data-move="2"][aria-current]', state="attached")
    assert sorted(visit.stones()) == [6, 8]
    visit.tab("moves")
    page.click('#moves [data-move="1"]')
    page.wait_for_selector('#moves [data-move="1"][aria-current]', state="attached")
    page.click("#play-on")
    page.wait_for_selector('#moves [data-move="2"].undone', state="attached")
    visit.click(18)
    page.wait_for_selector('[data-stone="18"]')
    assert visit.moves() == ["B2", "D4"]


@pytest.mark.thorough
def test_looking_back_the_keys_change_nothing_and_say_why(visit: Visit) -> None:
    """U and R speak of the last position, which is not the one in sight."""
    page = visit.page
    visit.new_game("linage", "5", ("", ""))
    visit.place(12, 0, 24)
    page.keyboard.press("u")
    page.wait_for_selector('#moves [data-move="3"].undone', state="attached")
    page.keyboard.press("[")
    visit.wait_for_text("#status", "Looking at move 1 of 2")
    for key in "ur":
        page.keyboard.press(key)
        visit.wait_for_text("#message", "you are looking at move 1")
        assert visit.moves() == ["C3", "A1"]
        visit.wait_for_text("#status", "Looking at move 1 of 2")
        page.evaluate("() => { document.querySelector('#message').textContent = ''; }")
    page.keyboard.press("End")
    visit.wait_for_text("#status", "Vertical to move")
    page.keyboard.press("u")
    page.wait_for_selector('#moves [data-move="2"].undone', state="attached")


def test_the_level_of_an_engine_can_be_seen_and_changed(visit: Visit) -> None:
    """The level can be changed beside the board, from random play to the strongest."""
    page, seat = visit.page, "#score select >> nth=1"
    visit.new_game("linage", "5", ("", "12"))
    assert page.input_value(seat) == "12"
    for level in (0, FULL_STRENGTH, None):
        value = "" if level is None else str(level)
        chosen = page.locator(seat).element_handle()
        with page.expect_response("**/sit"):
            page.select_option(seat, value)
        assert visit.state()["players"] == [None, level]
        page.wait_for_function("chosen => !chosen.isConnected", arg=chosen)  # redrawn
        assert page.input_value(seat) == value


@pytest.mark.thorough
def test_a_reload_in_the_middle_of_a_game_loses_nothing(visit: Visit) -> None:
    """A reload during a game keeps it, even while the engine thinks."""
    page = visit.page
    visit.new_game("linage", "7", ("", "1"))
    with page.expect_response("**/play"):
        visit.click(24)
    page.reload()
    page.wait_for_selector('#moves [data-move="2"]', state="attached")
    visit.wait_for_turn()
    visit.click(next(iter(visit.state()["position"]["legal"])))
    page.wait_for_selector('#moves [data-move="4"]', state="attached")
    visit.wait_for_turn()
    before = (page.url, visit.moves(), visit.stones(), page.inner_text("#score"))
    page.reload()
    page.wait_for_selector('#moves [data-move="4"]', state="attached")
    assert (page.url, visit.moves(), visit.stones(), page.inner_text("#score")) == before


def test_analysis_comes_and_goes(visit: Visit) -> None:
    """Best moves on the board and in the table, lines as ghost stones, ownership, the graph."""
    page = visit.page
    visit.new_game("linage", "7", ("", ""))
    visit.place(24, 8, 40)
    visit.analyse("ownership")
    page.wait_for_selector(".mark.best")
    page.wait_for_selector(".heat rect")
    page.wait_for_function("() => document.querySelectorAll('#graph .dot').length === 4")
    row = page.locator("#candidates tbody tr").first
    assert re.fullmatch(r"[\d.]+ %|wins|loses|draw", row.locator("td").first.inner_text())
    row.focus()
    page.wait_for_selector(".line .dream")
    assert page.locator(".line .number").first.text_content() == "1"
    visit.analyse(on=False)
    page.wait_for_selector("#analysis", state="hidden")
    page.wait_for_selector(".mark", state="detached")
    assert page.locator(".heat rect").count() == 0


@pytest.mark.thorough
def test_small_positions_of_linage_get_exact_values(visit: Visit) -> None:
    """A small position gets exact values from the solver."""
    page = visit.page
    visit.new_game("linage", "4", ("", ""))
    visit.place(5)
    visit.analyse()
    visit.wait_for_text("#verdict", "Exact")
    page.wait_for_selector("#exact-head")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("game", "size", "verdict"),
    [
        ("linage", "5", "Exact: Vertical wins by 6.5 with best play."),
        ("linage", "6", "Exact: Horizontal wins by 0.5 with best play."),
        ("leblin", "4", "Exact: Black wins with best play."),
    ],
)
def test_solved_boards_are_judged_by_the_table(
    visit: Visit, game: str, size: str, verdict: str
) -> None:
    """On a solved board the best moves are listed first as proven, without estimates."""
    page = visit.page
    visit.new_game(game, size, ("", ""))
    visit.analyse()
    page.wait_for_selector("#candidates tbody tr")
    assert page.inner_text("#verdict") == verdict
    result = page.locator("#candidates tbody tr").first.locator("td").first.inner_text()
    assert result == ("loses" if "Horizontal" in verdict else "wins")
    assert page.is_visible("#exact-head") == (game == "linage")


def test_a_pie_is_offered_and_eaten(visit: Visit) -> None:
    """The engine names a komi, the person takes a side."""
    page = visit.page
    visit.new_game("linage", "4", ("1", ""), pie=True)
    page.click("#choose-1")
    page.wait_for_selector('#moves [data-move="1"]', state="attached")
    assert visit.state()["players"] == [1, None]


@pytest.mark.thorough
def test_a_stone_pie_is_a_stone(visit: Visit) -> None:
    """In Leblin's pie one player places the first stone and the other chooses a side."""
    page = visit.page
    visit.new_game("leblin", "5", ("", ""), pie=True)
    visit.wait_for_text("#status", "Pie")
    visit.click(12)
    page.wait_for_selector("#choose-0")
    page.click("#choose-0")
    page.wait_for_function(
        "() => document.querySelector('#status').textContent === 'White to move.'"
    )
    assert visit.moves() == ["C3"]


def test_the_board_is_played_with_keys(visit: Visit) -> None:
    """Arrow keys move a cursor that is announced, and Enter places a stone."""
    page = visit.page
    visit.new_game("gardar", "3", ("", ""))
    page.focus("#board")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    said = page.inner_text("#spoken")
    page.keyboard.press("Enter")
    page.wait_for_selector('#moves [data-move="1"]', state="attached")
    assert said.startswith(f"{visit.moves()[0]}, empty")
    page.keyboard.press("p")
    page.wait_for_selector('#moves [data-move="2"]', state="attached")
    assert visit.moves()[1] == "pass"
