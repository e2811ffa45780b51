import pytest

from linage_bot.drawing import as_text
from linage_bot.rules.game import PASS
from tests.linage_bot.drawing.positions import position_of

TEXTS = [
    (
        position_of("linage", "3", "A1", "C3"),
        None,
        """\
  3 . . X
  2 . . .
  1 X . .
    A B C""",
    ),
    (
        position_of("linage-two-color", "4x3", "A1 B2", "D3 C2"),
        "D3",
        """\
  3 . . .(O)
  2 . X O .
  1 X . . .
    A B C D""",
    ),
    (
        position_of("linage-two-color", "3x10", "A10", "B1"),
        "A10",
        """\
 10(X). .
  9 . . .
  8 . . .
  7 . . .
  6 . . .
  5 . . .
  4 . . .
  3 . . .
  2 . . .
  1 . O .
    A B C""",
    ),
    (
        position_of("gardar", "3", "A1 C5", "E3 D2"),
        "D2",
        """\
    5 X . .
   4 . . . .
  3 . . . . O
   2 . . .(O)E
    1 X . . D
       A B C""",
    ),
]


@pytest.mark.parametrize(("position", "last", "text"), TEXTS)
def test_text(position, last, text):
    """A board in text shows every point where a reader expects it."""
    point = None if last is None else position.game.board.point(last)
    assert as_text(position, point) == text


def test_a_pass_is_not_marked():
    """After a pass the text is the board alone."""
    position = position_of("leblin", "3", "B2")
    assert as_text(position, PASS) == as_text(position)


def test_starred_points_stand_out():
    """Best moves, say; the rest is as ever."""
    position = position_of("leblin", "3", "B2")
    points = [position.game.board.point(name) for name in ("A1", "C3")]
    assert as_text(position, starred=points) == "  3 . . *\n  2 . X .\n  1 * . .\n    A B C"
