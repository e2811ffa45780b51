"""Games on their way out of the page and into it: files, pasted text and links."""

from pathlib import Path

import pytest

from linage_bot.records.reading import from_sgf
from tests.e2e.web_server import Visit

pytestmark = pytest.mark.thorough


def test_a_game_is_saved_and_loaded_again(visit: Visit, tmp_path) -> None:
    """Saving and loading keeps the moves and stones."""
    page = visit.page
    visit.new_game("gardar", "3", ("", ""))
    visit.place(0, 12)
    with page.expect_download() as download:
        page.click("#save")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    record = from_sgf(file.read_bytes())
    assert (record.game.id, record.moves) == ("gardar", (0, 12))
    stones = visit.stones()
    page.click("#load")
    page.set_input_files("#load-file", file)
    visit.load_entered()
    assert visit.stones() == stones
    assert visit.moves() == ["A1", "C3"]


def test_a_file_is_loaded_in_the_charset_that_it_names(visit: Visit) -> None:
    """A file's encoding comes from its charset, byte order mark or letters."""
    page = visit.page
    for name, charset in [
        ("ISO-8859-1", "latin-1"),
        ("Shift_JIS", "shift_jis"),
        ("CP932", "shift_jis"),
        ("no-such", "utf-8"),
        ("no-such", "latin-1"),
        ("UTF-16", "utf-16"),
        ("ISO-8859-1", "utf-8-sig"),
    ]:
        said = f"{charset}: {'表ソ' if charset == 'shift_jis' else 'Jörg, café'}"
        sgf = f"(;FF[4]CA[{name}]SZ[5]RU[linage];B[cc]C[{said}])".encode(charset)
        page.click("#load")
        file = {"name": "game.sgf", "mimeType": "application/x-go-sgf", "buffer": sgf}
        page.set_input_files("#load-file", files=[file])
        visit.load_entered()
        page.wait_for_function(
            "said => document.querySelector('#comment').value === said", arg=said
        )
        if name == "no-such":
            visit.wait_for_text("#message", "CA[no-such]: unknown; read as")


def test_what_was_chosen_or_pasted_last_is_loaded(visit: Visit) -> None:
    """The last input is loaded; of several games the first, with a message."""
    page = visit.page
    file = {"name": "two.sgf", "mimeType": "", "buffer": b"(;SZ[5]RU[linage];B[aa])(;SZ[7]"}
    page.click("#load")
    page.fill("#load-text", "(;SZ[7]RU[linage];B[aa];W[bb])")
    page.set_input_files("#load-file", files=[file])
    visit.load_entered()
    visit.wait_for_text("#message", "SGF: 2 games; only the first is read.")
    assert visit.moves() == ["A5"]
    page.click("#load")
    page.set_input_files("#load-file", files=[file])
    page.fill("#load-text", "(;SZ[7]RU[linage];B[aa];W[bb])")
    visit.load_entered()
    assert visit.moves() == ["A7", "B6"]
    assert visit.message() == ""


def test_a_resigned_record_opens_finished(visit: Visit) -> None:
    """A resigned record opens as finished, also by its link, and keeps its result when saved."""
    page = visit.page
    visit.load("(;FF[4]SZ[5]RU[leblin]RE[W+Resign];B[cc];W[aa])")
    visit.wait_for_text("#status", "Black resigned: White wins.")
    assert page.locator(".player.turn").count() == 0
    page.select_option("#score select >> nth=0", "1")
    page.select_option("#score select >> nth=1", "1")
    visit.click(3)
    visit.wait_for_text("#message", "the game is over")
    assert visit.moves() == ["C3", "A5"]
    with page.expect_download() as download:
        page.click("#save")
    assert "RE[W+R]" in Path(download.value.path()).read_text()
    page.click("#share")
    link = page.input_value("#share-text")
    other = visit.context.new_page()
    other.goto(link)
    other.wait_for_function(
        "() => document.querySelector('#status').textContent === 'Black resigned: White wins.'"
    )


def test_a_file_that_is_no_record_is_refused_in_words(visit: Visit) -> None:
    """A file that is no record is refused, and the open game stays."""
    page, before = visit.page, visit.page.url
    page.click("#load")
    page.fill("#load-text", "(;FF[4]SZ[99]RU[linage])")
    page.click("#load-dialog button.primary")
    page.wait_for_function("() => document.querySelector('#load-dialog .error').textContent")
    assert "99" in page.inner_text("#load-dialog .error")
    assert page.url == before


def test_to_load_nothing_is_answered_in_words(visit: Visit) -> None:
    """The dialog says which input it needs."""
    page = visit.page
    page.click("#load")
    page.click("#load-dialog button.primary")
    assert "paste an SGF" in page.inner_text("#load-dialog .error")


def test_an_sgf_may_have_text_before_it(visit: Visit) -> None:
    """Text before the SGF, as in a copied letter, is skipped."""
    visit.load("From a letter:\n(;FF[4]SZ[7]RU[linage];B[aa])")
    assert visit.moves() == ["A7"]


def test_a_shared_link_opens_the_same_position(visit: Visit) -> None:
    """The link opens the position in another browser with access, and has no token."""
    page = visit.page
    visit.new_game("linage-two-color", "6x5", ("", ""))
    visit.place(8, 20, 3)
    stones = visit.stones()
    page.click("#share")
    link = page.input_value("#share-text")
    page.click("#share-dialog [data-close]")
    assert "token" not in link
    other = visit.context.new_page()
    other.goto(link)
    other.wait_for_selector('#moves [data-move="3"]', state="attached")
    assert other.locator("[data-stone]").count() == len(stones)
    assert other.inner_text("#title") == "Two-color Linage"
