"""Linage: regions, owners, editions, the button, against diagrams and a slow second reading."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.rules.boards import SquareBoard
from linage_bot.rules.game import PASS, Player
from linage_bot.rules.linage import Linage
from linage_bot.rules.lines import every_region_has_a_line, regions, stranding
from linage_bot.rules.options import BadOption
from tests.linage_bot.rules.diagrams import dedented, draw, place, played
from tests.linage_bot.rules.slow_rules import SQUARE, cells, owner, parts, strands


@pytest.mark.parametrize(
    ("size", "moves", "diagram", "scores"),
    [
        ("3", "", ". . .\n. . .\n. . .", (0, 0.5)),
        ("3", "C1 C2 C3", ". . X\n. . O\n. . X", (6, 0.5)),
        ("3", "A3 B3 C3", "X O X\n. . .\n. . .", (0, 6.5)),
        ("7x3", "D1 D2 D3", ". . . X . . .\n. . . O . . .\n. . . X . . .", (0, 0.5)),
        ("6x3", "C1 C2 C3", ". . X . . .\n. . O . . .\n. . X . . .", (6, 0.5)),
        ("3x6", "A4 B4 C4", ". . .\n. . .\nX O X\n. . .\n. . .\n. . .", (0, 6.5)),
        ("4", "D1 D2 D3 D4 C1", ". . . O\n. . . X\n. . . O\n. . X X", (0, 0.5)),
        ("4", "D1 D2 D3 D4 B4 pass B2", ". X . O\n. . . X\n. X . O\n. . . X", None),
    ],
    ids=[
        "an empty board is free",
        "two columns are Vertical's",
        "two rows are Horizontal's",
        "Free regions score nothing",
        "Vertical owns one side, the other is free",
        "Horizontal owns one side, the other is free",
        "one region with lines both ways is free",
        "a stone amid the columns",
    ],
)
def test_positions(size: str, moves: str, diagram: str, scores: tuple[float, float] | None) -> None:
    """The moves lead to the diagram, and the regions score as they are owned."""
    position = played(Linage.configure(size), moves)
    assert draw(position) == dedented(diagram)
    if scores is not None:
        assert position.scores() == scores


def test_the_first_player_has_nine_placements_on_3x3() -> None:
    """The smallest board is open everywhere."""
    assert Linage.configure("3").start().placements() == 0b111_111_111


EDITIONS = """
    . . O . . .
    . . X . . .
    . . O . . .
"""


@pytest.mark.parametrize(
    ("edition", "to_move", "open_"),
    [
        ("current", Player.FIRST, "D1 E1 F1 D2 E2 F2 D3 E3 F3"),
        ("current", Player.SECOND, "D1 E1 F1 D2 E2 F2 D3 E3 F3"),
        ("2016", Player.FIRST, "A1 B1 D1 E1 F1 A2 B2 D2 E2 F2 A3 B3 D3 E3 F3"),
        ("2016", Player.SECOND, "D1 E1 F1 D2 E2 F2 D3 E3 F3"),
    ],
)
def test_editions_differ_in_the_own_region(edition: str, to_move: Player, open_: str) -> None:
    """Only the 2016 edition lets Vertical fill the region on the left, which is Vertical's."""
    position = place(Linage.configure("6x3", options={"edition": edition}), EDITIONS, to_move)
    assert " ".join(position.game.board.vertices(position.placements())) == open_


STRANDED = "a region would be left without a line of 3 points"


@pytest.mark.parametrize(
    ("diagram", "to_move", "vertex", "reason"),
    [
        (EDITIONS, Player.FIRST, "C2", "there is a stone on this point"),
        (
            EDITIONS,
            Player.SECOND,
            "A1",
            "stones go into free regions only; this one is owned by Vertical",
        ),
        (
            "X X X X\n. . . .\n. . . .",
            Player.FIRST,
            "A1",
            "stones go into free regions only; this one is owned by Horizontal",
        ),
        (". . . .\n. . . X\n. X . .", Player.FIRST, "A3", None),
        (". . .\n. . .\n. X .", Player.FIRST, "B3", None),
        (
            ". . .\n. X .\nX . .",
            Player.FIRST,
            "B3",
            "a region would be left without a line of 3 points",
        ),
    ],
)
def test_every_rule_has_its_own_words(
    diagram: str, to_move: Player, vertex: str, reason: str | None
) -> None:
    """The error names the rule that forbids the move."""
    size = f"{len(dedented(diagram).splitlines()[0].split())}x3"
    position = place(Linage.configure(size), diagram, to_move)
    assert position.why_illegal(position.game.board.point(vertex)) == reason


def test_the_edition_of_2016_words_its_own_rule() -> None:
    """The 2016 edition says that only the enemy's regions are closed."""
    game = Linage.configure("6x3", options={"edition": "2016"})
    position = place(game, EDITIONS, Player.SECOND)
    reason = "stones may not go into the enemy's regions; this one is owned by Vertical"
    assert position.why_illegal(game.board.point("A1")) == reason


def test_two_passes_in_succession_end_the_game() -> None:
    """A placement between passes resets the count."""
    game = Linage.configure("5")
    assert not played(game, "pass A1 pass").over
    assert not played(game, "pass A1 pass B3").over
    over = played(game, "pass A1 pass pass")
    assert over.over
    assert over.why_illegal(PASS) == over.why_illegal(7) == "the game is over"


def test_the_button_is_the_first_pass() -> None:
    """The button takes half a point, ends the turn, and is not one of the two passes."""
    game = Linage.configure("5", komi=0.5, options={"button": "on"})
    assert played(game, "pass").scores() == (0.5, 0.5)
    assert played(game, "A1 pass").scores() == (0.0, 1.0)
    assert not played(game, "pass pass").over
    assert played(game, "pass pass pass").over
    assert played(game, "pass A1 pass").scores() == (0.5, 0.5)
    assert str(played(game, "pass pass pass").result()) == "0"


def test_komi_goes_to_horizontal() -> None:
    """A negative komi helps Vertical."""
    assert Linage.configure("5", komi=-2.5).start().scores() == (0, -2.5)
    assert str(Linage.configure("5", komi=-2.5).start().result()) == "B+2.5"


boards = st.builds(SquareBoard.of, st.integers(3, 7), st.integers(3, 7))


@given(boards, st.integers(2, 5), st.data())
def test_owners_agree_with_the_slow_rules(
    board: SquareBoard, line: int, data: st.DataObject
) -> None:
    """On any set of empty points, regions are found and owned as the words of the rule say."""
    empty = data.draw(st.integers(0, board.points))
    found = regions(board, empty, line)
    for part in parts(cells(board, empty), SQUARE):
        points = {"vertical": found.vertical, "horizontal": found.horizontal, "free": found.free}
        assert part <= cells(board, points[owner(part, line)])
    assert found.free | found.vertical | found.horizontal == empty
    assert sum(area.points for area in found.areas) == empty


@given(boards, st.integers(2, 5), st.data())
def test_stranding_agrees_with_the_slow_rules(
    board: SquareBoard, line: int, data: st.DataObject
) -> None:
    """If every region has a line, the fast search finds exactly the stranding points."""
    empty = board.points
    for point in data.draw(st.lists(st.integers(0, board.count - 1), max_size=30)):
        fewer = empty & ~(1 << point)
        if every_region_has_a_line(board, fewer, line):
            empty = fewer
    if not every_region_has_a_line(board, empty, line):
        return  # no line of this length fits on the board
    expected = {xy for xy in cells(board, empty) if strands(cells(board, empty), xy, line)}
    assert cells(board, stranding(board, empty, empty, line)) == expected


def test_a_line_must_fit_on_the_board() -> None:
    """A line that fits in one direction only is a fair game; one that fits in none is refused."""
    position = Linage.configure("3x5", options={"line": "5"}).start()
    assert position.scores() == (15, 0.5)
    with pytest.raises(BadOption):
        Linage.configure("3x4", options={"line": "5"})
