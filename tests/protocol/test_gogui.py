"""What GoGui draws."""

import pytest

from protocol import gogui


def test_board_sizes_are_written_as_gogui_reads_them():
    """One number for a square, two for a rectangle, a word more for hexagons."""
    assert gogui.board_size(15, 15) == "15"
    assert gogui.board_size(9, 13) == "9 13"
    assert gogui.board_size(17, 17, hexagonal=True) == "17 hex"


def test_boards_of_texts_are_rows_from_the_top():
    """Spaces and empty cells are written so that GoGui still finds every column."""
    assert gogui.sboard([["1st move", None], [" ", "x"]]) == '1st_move ""\n"" x'


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (gogui.gfx_color("#a0B1c2", ["A1", "B2"]), "COLOR #a0B1c2 A1 B2"),
        (
            gogui.gfx_label([("A1", "best"), ("B2", "12 %"), ("C3", "")]),
            "LABEL A1 best B2 12_% C3 _",
        ),
        (gogui.gfx_influence([("A1", 0.5), ("B2", -0.00001)]), "INFLUENCE A1 0.5 B2 0"),
        (gogui.gfx_variation([("b", "A1"), ("w", "pass")]), "VAR b A1 w pass"),
        (gogui.gfx_mark("CIRCLE", ["A1"]), "CIRCLE A1"),
        (gogui.gfx_text("two\n\nlines"), "TEXT two lines"),
        (gogui.gfx_mark("MARK", []), ""),
    ],
)
def test_graphics_are_one_line_each_and_none_when_there_is_nothing_to_show(line, text):
    """A space in a label or a newline in a text would be read as something else."""
    assert line == text


def test_graphics_are_joined_for_an_answer_and_for_a_running_command():
    """Empty ones are left out; those of a running command stand between GoGui's marks."""
    lines = [gogui.gfx_mark("MARK", ["A1"]), "", gogui.gfx_text("x")]
    assert gogui.gfx(lines) == "MARK A1\nTEXT x"
    assert gogui.live_gfx(lines) == "gogui-gfx:\nMARK A1\nTEXT x\n\n"
