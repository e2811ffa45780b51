"""Wrong input in the page: the page names the fault and continues."""

import pytest
from playwright.sync_api import Browser

from tests.e2e.cgos_crowd import free_port
from tests.e2e.web_server import Visit, web_server

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize(
    ("field", "typed", "words"),
    [
        ("#new-size", "", "size: '' is not a board size"),
        ("#new-size", "99", "size: a 99x99 board does not exist"),
        ("#new-komi", "99999", "komi must be between -10000 and 10000"),
    ],
)
def test_a_new_game_that_cannot_be_is_refused_in_its_form(
    visit: Visit, field: str, typed: str, words: str
) -> None:
    """The form stays open, so that the rest need not be filled in again."""
    page, before = visit.page, visit.page.url
    page.click("#new")
    page.fill(field, typed)
    page.click("#start")
    visit.wait_for_text("#new-dialog .error", words)
    assert page.is_visible("#start")
    assert page.url == before


def test_a_komi_left_empty_is_not_zero(visit: Visit) -> None:
    """An empty komi is refused by the browser, for a new game and for an offer."""
    page, before = visit.page, visit.page.url
    page.click("#new")
    page.fill("#new-komi", "")
    page.click("#start")
    assert page.evaluate("() => document.activeElement.id") == "new-komi"
    assert (page.is_visible("#start"), page.url) == (True, before)
    page.check("#new-pie")
    page.select_option("#seat-0", "")
    page.click("#start")
    page.fill("#offer", "")
    page.click("#make-offer")
    assert page.evaluate("() => document.activeElement.id") == "offer"
    assert visit.state()["pie"]["offered"] is False


def test_the_words_about_an_offer_have_room(visit: Visit) -> None:
    """The text about an offer is above the number, not squeezed in beside it."""
    page = visit.page
    visit.new_game("linage", "5", ("", "1"), pie=True)
    assert page.evaluate(
        "() => { const [words, number] = ['#status', '#offer']"
        ".map(each => document.querySelector(each).getBoundingClientRect());"
        " return words.bottom <= number.top; }"
    )


def test_an_offer_that_is_being_typed_stays(visit: Visit) -> None:
    """Other changes keep a typed offer; another table starts with the usual one."""
    page = visit.page
    visit.new_game("linage", "5", ("", "1"), pie=True)
    usual = page.input_value("#offer")
    page.fill("#offer", "3.5")
    page.evaluate("document.querySelector('#analyse').click()")
    page.wait_for_function("() => Object.values(sessionStorage).join().includes('\"analyse\":1')")
    assert page.input_value("#offer") == "3.5"
    assert page.evaluate("() => document.activeElement.id") == "offer"
    visit.new_game("linage", "5", ("", "1"), pie=True)
    assert page.input_value("#offer") == usual


def test_a_file_far_too_long_is_refused_at_once(visit: Visit) -> None:
    """A huge file is refused without being read, so that the browser does not hang."""
    page = visit.page
    page.click("#load")
    long = {"name": "film.sgf", "mimeType": "text/plain", "buffer": b"x" * 5_000_000}
    page.set_input_files("#load-file", files=[long])
    visit.wait_for_text("#load-dialog .error", "film.sgf is too long")
    page.click("#load-dialog button.primary")
    visit.wait_for_text("#load-dialog .error", "film.sgf is too long")
    page.fill("#load-text", "(;FF[4]SZ[5]RU[linage]C[" + "x" * 300_000 + "])")
    page.click("#load-dialog button.primary")
    visit.wait_for_text("#load-dialog .error", "The text is too long")


def test_an_sgf_may_have_a_space_where_it_begins(visit: Visit) -> None:
    """An SGF with a leading space is not taken for a link."""
    visit.load("( ;FF[4]SZ[7]RU[linage];B[aa])")
    assert visit.moves() == ["A7"]


def test_a_broken_link_opens_the_start_screen_and_says_so(
    browser: Browser, web_address: str
) -> None:
    """A broken link shows the error and the start screen."""
    with Visit(browser, web_address) as visit:
        page = visit.context.new_page()
        page.goto(f"{visit.origin}/#game=linage&size=99")
        page.wait_for_selector("#start-said:not(:empty)")
        assert page.inner_text("#start-said").startswith("link: size: a 99x99 board")
        assert page.is_visible("#doors")


def test_a_switch_that_cannot_be_obeyed_goes_back(visit: Visit) -> None:
    """A switch returns to its state if the server does not answer."""
    page = visit.page
    page.route("**/analyse", lambda route: route.abort())
    visit.tab("analysis")
    page.click("#analyse", force=True)
    visit.wait_for_text("#message", "the server does not answer")
    assert not page.is_checked("#analyse")
    visit.faults.clear()  # the browser reports the failed request


def test_a_server_started_again_says_that_it_has_another_address(browser: Browser) -> None:
    """The page would try the old token again for ever."""
    port = str(free_port())
    with web_server("--port", port) as address:
        visit = Visit(browser, address)
    with web_server("--port", port):
        visit.wait_for_text("#message", "open the full link that was printed")
    visit.context.close()


_SEEN = """hidden => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
_TAKE_ALL_TABLES = """async () => {
  const headers = { "Content-Type": "application/json" };
  const asked = { method: "POST", headers, body: JSON.stringify({ game: "gardar", size: "3" }) };
  for (let count = 0; count < 64; count++) await fetch("/api/games", asked);
}"""


def test_a_game_that_was_put_aside_comes_back_whole(visit: Visit) -> None:
    """A game removed from memory is restored with its variations when its page is used again."""
    page = visit.page
    visit.new_game("leblin", "5", ("", ""))
    visit.place(12, 6)
    page.click("#undo")
    page.wait_for_selector('#moves [data-move="2"].undone', state="attached")
    visit.click(8)
    page.wait_for_selector("#moves .branch", state="attached")
    before = page.url
    page.evaluate(_SEEN, True)
    page.evaluate(_TAKE_ALL_TABLES)
    page.evaluate(_SEEN, False)
    visit.place(18)
    assert (visit.moves(), page.url) == (["C3", "D2", "D4"], before)
    assert page.locator("#moves .branch").count() == 1


def test_an_address_without_a_game_opens_the_start_screen(visit: Visit) -> None:
    """An unknown game's address opens the start screen with a message."""
    page = visit.page
    page.goto(f"{visit.origin}/g/no-such-game")
    visit.wait_for_text("#start-said", "That game is not on the server any more")
    assert page.is_visible("#doors")
    assert not page.url.endswith("no-such-game")
    visit.faults.clear()  # the browser reports the refused request
