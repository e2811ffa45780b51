"""Positions and games in a terminal and in a notebook."""

from xml.etree import ElementTree

import pytest

from linage_bot import Picture, Record, as_text, from_fen
from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Player
from linage_bot.rules.history import History


@pytest.mark.parametrize("name", GAMES)
def test_a_position_is_shown_as_the_call_that_makes_it(name):
    """The short form of a position is Python that returns the position."""
    position = History(GAMES[name].configure("5")).play("B2").position
    assert len(repr(position)) < 100
    assert eval(repr(position), {"from_fen": from_fen}) == position


def test_a_position_and_a_game_are_printed_as_a_board():
    """Printing shows the stones, and of a game the last move, too."""
    so_far = History(GAMES["linage"].configure("5")).play("B2").play("C4")
    assert str(so_far.position) == as_text(so_far.position)
    assert str(so_far) == as_text(so_far.position, so_far.moves[-1])
    assert "(X)" in str(so_far)


def test_a_game_in_short_names_its_last_moves():
    """The short form of a game has its number of moves and the last ones, of any length."""
    game = GAMES["linage"].configure("9x7", options={"line": "4"})
    assert repr(History(game)) == "<History of linage 9x7>"
    so_far = History(game, setup=[(Player.FIRST, 0)])
    assert repr(so_far) == "<History of linage 9x7, 1 stones set up>"
    for move in range(1, 9):
        so_far = so_far.play(move)
    assert repr(so_far).endswith(", 8 moves: ... D1 E1 F1 G1 H1 J1>")
    assert repr(History(game).play(PASS)) == "<History of linage 9x7, 1 moves: pass>"


def test_a_notebook_shows_positions_games_and_pictures_as_svg():
    """The last value of a cell is drawn, a game with a dot on its last move."""
    so_far = History(GAMES["gardar"].configure("3")).play("B2").play("A1")
    position = so_far.position
    assert position._repr_svg_() == Picture(position)._repr_svg_() == Picture(position).svg()
    assert (
        so_far._repr_svg_()
        == Picture(position, last=so_far.moves[-1]).svg()
        != Picture(position).svg()
    )
    ElementTree.fromstring(so_far._repr_svg_())
    ElementTree.fromstring(so_far.play("pass")._repr_svg_())
    ElementTree.fromstring(so_far.back(2)._repr_svg_())


def test_points_to_draw_are_named_by_vertices_too():
    """Each addition to a picture takes vertices and numbers alike; a wrong one is refused."""
    position = History(GAMES["linage"].configure("5"), "C3 B2").position
    assert Picture(
        position,
        last="b2",
        marks={"C3": "circle"},
        labels={"A1": "a"},
        line="A2 A3",
        arrows=[("A1", "B1")],
    ) == Picture(
        position, last=6, marks={12: "circle"}, labels={0: "a"}, line=(5, 10), arrows=((0, 1),)
    )
    assert as_text(position, "B2", "A1 C1") == as_text(position, 6, {0, 2})
    with pytest.raises(ValueError, match="'F9' is not a point of the 5x5 board"):
        Picture(position, last="F9")


def test_a_notebook_shows_a_record_with_its_names_as_text():
    """Names and results from a file are never markup; a record that cannot be played has none."""
    so_far = History(GAMES["linage"].configure("5")).play("C3")
    record = Record.of(so_far, players=("<b>Ann", ""), result="B+1", event="A & B")
    root = ElementTree.fromstring(record._repr_svg_())
    assert "<b>Ann – Horizontal, B+1, A & B" in root.itertext()
    assert Record(so_far.game)._repr_svg_()
    assert Record(so_far.game, moves=(3, 3))._repr_svg_() is None
