"""Leblin: lifelines, removal, minimal incursions and the three ways a game ends."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.rules.game import PASS, Player
from linage_bot.rules.history import History
from linage_bot.rules.leblin import Leblin, LeblinPosition, lifeless
from tests.linage_bot.rules.diagrams import dedented, draw, place, played
from tests.linage_bot.rules.slow_rules import cells, leblin_turn


def leblin(diagram: str, to_move: Player = Player.FIRST, **past: object) -> LeblinPosition:
    """A square position in the middle of a game."""
    size = str(len(dedented(diagram).splitlines()))
    position = place(Leblin.configure(size), diagram, to_move)
    assert isinstance(position, LeblinPosition)
    return attrs.evolve(position, **{"turns": 10, **past})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("diagram", "lives"),
    [
        ("X . .\n. . .\n. . .", True),
        ("X O .\nO . .\n. . .", False),
        ("X O .\n. . .\nO . .", False),
        ("X O .\n. . .\nX . .", True),
        ("X O .\nX O .\nO . .", False),
        ("X O .\nX . .\nO . .", True),
        ("X . O\nO . .\n. . .", False),
        (". O .\nO X O\n. O .", False),
        (". O .\nO X .\n. O .", True),
        (". O .\nO X O\n. X .", True),
        ("X X X\nX . X\nX X X", True),
    ],
    ids=[
        "along the edge to the next edge",
        "between enemies",
        "a run that ends at an enemy is none",
        "a run to a friendly stone",
        "a group between enemies",
        "a group shares the line of one stone",
        "both runs end at enemies",
        "surrounded",
        "one way out",
        "no line towards the own edge, but along it",
        "a hole of one point joins its own",
    ],
)
def test_lifelines(diagram: str, lives: bool) -> None:
    """Black's group lives while one of its stones sees the edge or a friend over empty points."""
    position = leblin(diagram)
    assert (lifeless(position.game.board, position.first, position.second) == 0) is lives


def test_an_edge_stone_has_no_lifeline_towards_its_edge() -> None:
    """The run would be empty: a corner with both ways blocked is dead."""
    position = leblin("X O .\nO O .\n. . .")
    assert lifeless(position.game.board, position.first, position.second) == position.first


@pytest.mark.parametrize(
    ("before", "vertex", "after"),
    [
        ("O . .\nX . .\n. . X", "B3", "\n. X .\nX . .\n. . X"),
        ("O O . .\nX X . .\n. . . .\n. . . X", "C4", ". . X .\nX X . .\n. . . .\n. . . X"),
        ("O X . O\nX . X .\n. . . .\n. . . X", "C4", ". X X .\nX . X .\n. . . .\n. . . X"),
    ],
    ids=["one stone", "a group of two", "two groups at once"],
)
def test_removal(before: str, vertex: str, after: str) -> None:
    """Enemy groups without a lifeline leave the board at once."""
    position = leblin(before)
    played_on = position.play(position.game.board.point(vertex))
    assert draw(played_on) == dedented(after)


# A1 is White's territory; a black stone there takes exactly one white group.
INCURSION = """
    . . . . .
    . . . . .
    X X X . .
    O O X . .
    . O X . .
"""


@pytest.mark.parametrize(
    ("vertex", "after_minimal", "reason"),
    [
        ("A1", False, None),
        ("A1", True, "a minimal incursion may not follow a minimal incursion"),
        ("D4", True, None),
    ],
)
def test_a_minimal_incursion_may_not_follow_one(
    vertex: str, after_minimal: bool, reason: str | None
) -> None:
    """Only the placement that would be minimal too is forbidden, and only right after one."""
    position = leblin(INCURSION, after_minimal=after_minimal)
    move = position.game.board.point(vertex)
    assert position.why_illegal(move) == reason
    assert bool(position.placements() >> move & 1) is (reason is None)
    if reason is None:
        assert position.play(move).after_minimal is (vertex == "A1")


def test_words_of_the_other_rules() -> None:
    """Passing, occupied points and suicide are refused in words of their own."""
    position = leblin("O . X .\nO X . .\n. O . .\nO . . .", Player.SECOND)
    assert position.why_illegal(PASS) == "this game is played without passing"
    assert position.why_illegal(position.game.board.point("A4")) == "there is a stone on this point"
    trapped = leblin("O . O .\n. O . .\n. . . .\n. . . X")
    words = "a friendly group would be left without a lifeline"
    assert trapped.why_illegal(trapped.game.board.point("B4")) == words


def test_alone_on_the_board_wins_from_seconds_first_turn_on() -> None:
    """Black's first stone does not win; a White left without stones loses."""
    game = Leblin.configure("5")
    first = played(game, "A1")
    assert not first.over
    assert not played(game, "A1 A2").over
    over = leblin("X . .\n. . .\n. . .", Player.SECOND, turns=2)
    assert over.over
    assert str(over.result()) == "B+"
    assert over.moves() == ()
    assert over.why_illegal(5) == over.why_illegal(PASS) == "the game is over"


def test_where_white_begins_nobody_is_alone_before_both_have_had_a_turn() -> None:
    """White's first stone does not win either, nor does a capture by it."""
    empty = History(Leblin.configure("5"), begins=Player.SECOND)
    assert not empty.play("C3").position.over
    lone = ((Player.FIRST, 0), (Player.SECOND, 5))
    captured = History(Leblin.configure("5"), setup=lone, begins=Player.SECOND).play("B1")
    assert not captured.position.first
    assert not captured.position.over
    assert captured.play("E5").play("C5").position.over is False


def test_who_cannot_move_has_lost() -> None:
    """Black's only empty points would leave a black group without a lifeline."""
    position = leblin("O . O\nO O O\nX . X")
    assert position.why_illegal(PASS) == "the game is over"
    assert position.over
    assert str(position.result()) == "W+"


def test_a_long_game_is_a_draw() -> None:
    """After 20 turns a point one more makes a draw, not before."""
    longest = 20 * 25
    running = attrs.evolve(played(Leblin.configure("5"), "A1 E5"), turns=longest)  # type: ignore[type-var]
    assert not running.over
    over = running.play(running.moves()[0])
    assert over.over
    assert str(over.result()) == "0"
    assert over.moves() == ()


def test_areas_are_territories_and_lifelines() -> None:
    """Each territory has its owner; the lifelines are the points a player's stones look along."""
    position = leblin(". X . . .\nX . . . .\n. . . . .\n. . . . O\n. . . . .")
    areas = {
        (area.kind, area.owner): position.game.board.vertices(area.points)
        for area in position.areas()
    }
    assert areas["territory", Player.FIRST] == ["A5"]
    assert ("territory", Player.SECOND) not in areas
    assert len(areas["territory", None]) == 21
    assert areas["lifeline", Player.SECOND] == ["E1", "A2", "B2", "C2", "D2", "E3", "E4", "E5"]
    assert areas["lifeline", Player.FIRST] == (
        ["A1", "B1", "A2", "B2", "A3", "B3", "B4", "C4", "D4", "E4", "A5", "C5", "D5", "E5"]
    )


@given(st.sampled_from(["3", "4", "5", "3x6"]), st.lists(st.integers(0, 2**20), max_size=60))
def test_agrees_with_the_slow_rules(size: str, choices: list[int]) -> None:
    """Every placement at a random position has the legality and effect of the slow rules."""
    position = Leblin.configure(size).start()
    board = position.game.board
    for choice in choices:
        if position.over:
            return
        position = position.after(position.moves()[choice % len(position.moves())])
    legal = set()
    for column, row in cells(board, position.empty):
        own, enemy, minimal, lives = leblin_turn(position, (column, row))
        if lives and not (minimal and position.after_minimal):
            legal.add((column, row))
            after = position.after(row * board.columns + column)
            stones = cells(board, after.first), cells(board, after.second)
            assert stones == ((enemy, own) if position.to_move else (own, enemy))
            assert after.after_minimal is minimal
    if not position.over:
        assert cells(board, position.placements()) == legal
    elif position.first and position.second:
        assert not legal
