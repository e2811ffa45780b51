"""`linage-bot picture`: its drawings, and one line for each mistake."""

import os
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from linage_bot.cli import main
from linage_bot.drawing import INKS, Picture, text_width
from linage_bot.records.reading import from_sgf
from linage_bot.records.record import Record
from linage_bot.records.writing import to_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.boards import Board
from tests.linage_bot.html_pages import Page

SVG = "{http://www.w3.org/2000/svg}"
BOARD: Board = GAMES["leblin"].configure("5").board
MOVES = tuple(map(BOARD.point, ("C3", "B2", "D4", "A5")))


def draw(*arguments, stdin=None):
    return CliRunner().invoke(main, ["picture", *map(str, arguments)], input=stdin)


def texts(result):
    assert (result.exit_code, result.stderr) == (0, "")
    return [text.text for text in ET.fromstring(result.stdout).iter(f"{SVG}text")]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "game.sgf"
    path.write_text(to_sgf(Record(GAMES["leblin"].configure("5"), MOVES)), encoding="utf-8")
    return path


def test_the_last_position_is_drawn_unless_a_move_is_named(file):
    """`picture` draws the last position, or the one after the given move."""
    positions = from_sgf(file.read_bytes()).history().positions
    assert draw(file).stdout == draw(file, 4).stdout
    for number in range(5):
        last = MOVES[number - 1] if number else None
        assert draw(file, number).stdout == Picture(positions[number], last=last).svg()


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_game_is_drawn(game):
    """Every game can be drawn as well-formed SVG."""
    record = Record(GAMES[game].configure(), (0, 1))
    stdin = to_sgf(record)
    assert texts(draw("-", "--no-coordinates", "--numbers", stdin=stdin)) == ["1", "2"]


def test_letters_for_the_terminal(file):
    """`--text` prints the board as text."""
    result = draw(file, 2, "--text")
    assert result.stdout.splitlines()[2:4] == ["  3 . . X . .", "  2 .(O). . ."]


def test_everything_that_can_be_asked_for_is_drawn(file):
    """Numbers, following moves, labels, marks and captions are drawn."""
    options = ("--numbers", "--label", "E5=x", "--caption", "Now", "--no-coordinates")
    got = texts(draw(file, 2, "--follow", 9, *options))
    assert sorted(got) == ["1", "1", "2", "2", "Now", "x"]
    line = texts(draw(file, 0, "--line", "a1 c1 B1", "--no-coordinates"))
    assert line == ["1", "2", "3"]
    plain = draw(file).stdout
    for more in (("--mark", "E1"), ("--mark", "e1=cross"), ("--arrow", "A1:B4"), ("--no-owners",)):
        assert draw(file, *more).stdout != plain, more
    assert draw(file, "--mark", "E1").stdout == draw(file, "--mark", "E1=circle").stdout


def test_a_line_may_hold_a_pass_where_the_game_has_one():
    """A pass in `--line` takes a number and leaves no mark."""
    stdin = "(;SZ[5]RU[linage];B[aa])"
    assert texts(draw("-", "--line", "a1 pass B1", "--no-coordinates", stdin=stdin)) == ["1", "3"]


@pytest.mark.parametrize("label", ["x", "12", "abc", "abcdefgh", "WWWWWWWW", "対局中了"])
def test_a_label_stays_on_its_point(file, label):
    """A long label is written smaller, so that it stays on its point."""
    (text,) = (
        text
        for text in ET.fromstring(draw(file, "--label", f"E5={label}").stdout).iter(f"{SVG}text")
        if text.text == label
    )
    letters = text_width(label)
    assert 0.63 * letters * float(text.get("font-size")) <= 32
    assert float(text.get("font-size")) >= 5.5


def test_the_image_can_go_to_a_file(file, tmp_path):
    """`-o` writes the picture to a file and replaces an earlier one."""
    for number in (1, 2):
        assert draw(file, number, "-o", tmp_path / "out.svg").stdout == ""
        written = (tmp_path / "out.svg").read_text(encoding="utf-8")
        assert written == draw(file, number).stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.sgf", "out.svg"]


def test_a_picture_may_be_png(file, tmp_path):
    """`-o` with a name that ends in `.png` writes a PNG at twice the size."""
    assert draw(file, 2, "-o", tmp_path / "out.PNG", "--caption", "対局 1").stdout == ""
    (tmp_path / "out.svg").write_text(draw(file, 2, "--caption", "対局 1").stdout)
    svg = ET.parse(tmp_path / "out.svg").getroot()
    with Image.open(tmp_path / "out.PNG") as image:
        assert image.format == "PNG"
        wanted = [2 * float(svg.get(side)) for side in ("width", "height")]
        assert image.size == pytest.approx(wanted, abs=1)


def test_a_game_may_be_an_animation(file, tmp_path):
    """`-o` with a name that ends in `.gif` writes an animation up to the given move."""
    for number in (2, 4):
        assert draw(file, number, "-o", tmp_path / "out.gif").exit_code == 0
        with Image.open(tmp_path / "out.gif") as image:
            assert (image.format, image.n_frames) == ("GIF", number + 1)


def test_a_game_may_be_a_page(file, tmp_path):
    """`-o` with a name that ends in `.html` writes a page of the game up to the given move."""
    for number in (2, 4):
        assert draw(file, number, "-o", tmp_path / "out.html").exit_code == 0
        page = Page((tmp_path / "out.html").read_text(encoding="utf-8"))
        assert page.ids == [f"move-{each}" for each in range(1, number + 1)]


def test_a_search_colours_the_points_it_looked_at(file):
    """`--search` colours the searched moves and shows win rates, the same every time."""
    one, two = (draw(file, "--search", 200, "--no-coordinates").stdout for _ in range(2))
    assert one == two
    cells = [p for p in ET.fromstring(one).iter(f"{SVG}path") if p.get("opacity")]
    assert cells
    rates = [text.text for text in ET.fromstring(one).iter(f"{SVG}text")]
    assert 0 < len(rates) <= len(cells)
    assert all(0 <= int(rate) <= 100 for rate in rates)


def test_random_games_tell_who_will_own_what():
    """`--expect` shows the expected owner of each point, and owned regions keep theirs."""
    sgf = "(;SZ[5]RU[linage]AB[ba][bb][bc][bd][be])"
    root = ET.fromstring(draw("-", "--expect", 100, stdin=sgf).stdout)
    squares = list(root.iter(f"{SVG}rect"))[1:]  # after the sheet
    blue, largest = INKS["first-strong"].light, "18"
    settled = [s for s in squares if s.get("width") == largest and s.get("fill") == blue]
    assert len({square.get("x") for square in settled}) == 1
    assert len(settled) == 5


def test_a_device_is_written_to_and_stays_a_device(file):
    """`-o` with a device writes to it and does not replace it."""
    assert draw(file, "-o", os.devnull).exit_code == 0
    assert not Path(os.devnull).is_file()


GO = "(;GM[1]SZ[9];B[aa])"


def test_a_record_of_go_is_drawn_as_the_game_named():
    """A Go record is drawn as the game given by `--game`."""
    assert texts(draw("-", "--game", "leblin", "--numbers", "--no-coordinates", stdin=GO)) == ["1"]


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["-", "--search", "9"], "(;SZ[5]RU[linage];B[];W[])", "--search: the game is over"),
        (["-"], "what?", "stdin: SGF: no SGF data found"),
        (["-"], GO, "stdin: RU: names none of our games"),
        (["-"], "(;GM[1]SZ[99]RU[linage])", "stdin: SZ[99]: "),
        (["-"], "(;GM[1]SZ[5]RU[linage];B[aa];W[aa])", "stdin: move 2: white A5: there is a stone"),
        (["-"], "(;GM[1]SZ[5]RU[linage];B[zz])", "stdin: move 1: [zz] is not a point"),
        (["-", "3"], "(;SZ[5]RU[linage];B[aa])", "MOVE: 3 is too large; the game has 1 moves"),
        (["-", "--game", "chess"], GO, "--game: there is no game 'chess'"),
        (["-", "--mark", "Z9"], "(;SZ[5]RU[linage])", "--mark: 'Z9' is not a point"),
        (
            ["-", "--mark", "A1=heart"],
            "(;SZ[5]RU[linage])",
            "--mark: there is no mark 'heart'; the marks are circle",
        ),
        (["-", "--label", "A1"], "(;SZ[5]RU[linage])", "--label: expected D4=TEXT, not 'A1'"),
        (["-", "--arrow", "A1"], "(;SZ[5]RU[linage])", "--arrow: expected D4:E5, not 'A1'"),
        (["-", "--line", "A1 B"], "(;SZ[5]RU[linage])", "--line: 'B' is not a point"),
        (
            ["-", "--line", "A1 A1"],
            "(;SZ[5]RU[linage])",
            "--line: move 2, A1: there is a stone",
        ),
        (
            ["-", "--line", "pass"],
            "(;SZ[5]RU[leblin])",
            "--line: move 1, pass: this game is played without passing",
        ),
        (["-", "--line", "A1"], "(;SZ[5]RU[linage];B[];W[])", "--line: move 1, A1: the game is"),
        (["-", "--label", "E5=a long text"], "(;SZ[5]RU[linage])", "--label: 'a long text' is too"),
        (["-", "--label", "E5=対局中了終"], "(;SZ[5]RU[linage])", "--label: '対局中了終' is too"),
        (
            ["-", "--line", "A1", "--follow", "1"],
            "(;SZ[5]RU[linage])",
            "--line: cannot be used with --follow",
        ),
        (
            ["-", "--search", "5", "--seed", "9" * 20],
            "(;SZ[5]RU[linage])",
            "Invalid value for '--seed': 9999",
        ),
        (["/no/such.sgf"], None, "/no/such.sgf: No such file or directory"),
        (["/dev/zero"], None, "/dev/zero: not a regular file"),
        (["-"], " " * (5 << 20), "stdin: longer than 4 MiB"),
        (
            ["-", "-o", "no.gif", "--mark", "A1"],
            "(;SZ[5]RU[linage])",
            "--mark: not available for a whole game",
        ),
        (
            ["-", "-o", "no.html", "--numbers"],
            "(;SZ[5]RU[linage])",
            "--numbers: not available for a whole game",
        ),
        (["-", "-o", "no.jpg"], "(;SZ[5]RU[linage])", "-o: no.jpg: pictures end in .svg, .png, "),
        (["-", "-o", "no.png", "--text"], "(;SZ[5]RU[linage])", "--text: no.png is no text; "),
        (["-", "-o", "/no/such.gif"], "(;SZ[5]RU[linage])", "/no/such.gif: No such file"),
        (["-", "-o", "/no/such.svg"], "(;SZ[5]RU[linage])", "/no/such.svg: No such file"),
    ],
)
def test_a_mistake_is_one_line_and_status_2(arguments, stdin, message):
    """A mistake is reported in one line on stderr, with status 2."""
    result = draw(*arguments, stdin=stdin)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"linage-bot: {message}"), result.stderr
    assert result.stderr.count("\n") == 1
