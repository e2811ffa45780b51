"""Parity Linage: conditions, the number of regions, and playing without passes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.rules.boards import SquareBoard
from linage_bot.rules.game import PASS
from linage_bot.rules.options import BadOption
from linage_bot.rules.parity_linage import ParityLinage
from tests.linage_bot.rules.diagrams import place, played
from tests.linage_bot.rules.slow_rules import cells, parity_allows, strands


@pytest.mark.parametrize(
    ("diagram", "result"),
    [
        (". . .\n. . .\n. . .", "B+"),
        (". X .\n. X .\n. X .", "W+"),
        (". X .\nX . X\n. X .", "B+"),
        (". X .\nX X X\n. X .", "W+"),
    ],
    ids=["one region", "two regions", "five regions", "four regions"],
)
def test_an_odd_number_of_regions_is_first(diagram: str, result: str) -> None:
    """First wins with one, three, five regions; there are no scores."""
    position = place(ParityLinage.configure("3"), diagram)
    assert str(position.result()) == result
    assert position.scores() is None


@pytest.mark.parametrize(
    ("options", "diagram", "vertex", "reason"),
    [
        ({}, ". X .\nX . .\n. . .", "A3", "this would decrease the number of regions"),
        ({}, ". X .\nX . .\n. . .", "A2", "there is a stone on this point"),
        ({}, ". X .\nX . .\n. . .", "B1", None),
        ({"n": "1"}, ". . .\nX . .\n. . .", "B3", "a region would be left with no more than 1 p"),
        ({"n": "1"}, ". . .\n. . .\n. . .", "B3", None),
        ({"n": "7"}, ". . .\nX . .\n. . .", "C1", "a region would be left with no more than 7 p"),
        ({"condition": "line"}, ". . .\nX . .\n. X .", "C3", "a region would be left without a li"),
        ({"condition": "line"}, ". . .\n. . .\n. X .", "C3", None),
    ],
)
def test_every_rule_has_its_own_words(
    options: dict[str, str], diagram: str, vertex: str, reason: str | None
) -> None:
    """The error names the rule that forbids the placement."""
    position = place(ParityLinage.configure("3", options=options), diagram)
    answer = position.why_illegal(position.game.board.point(vertex))
    assert (answer or "").startswith(reason or "")
    assert (answer is None) is (reason is None)


@pytest.mark.parametrize(("size", "n"), [("3", "90"), ("3", "9"), ("25", "625"), ("5x4", "20")])
def test_a_board_too_small_for_the_condition_is_refused(size: str, n: str) -> None:
    """One clear line says that the empty board breaks the condition already."""
    with pytest.raises(BadOption) as caught:
        ParityLinage.configure(size, options={"n": n})
    assert caught.value.name == "n"
    assert "\n" not in str(caught.value)


def test_a_board_just_large_enough_has_no_placement() -> None:
    """Nine points are more than eight, and any stone would leave eight."""
    position = ParityLinage.configure("3", options={"n": "8"}).start()
    assert position.moves() == (PASS,)


def test_without_passing_the_game_ends_with_the_placements() -> None:
    """A pass is refused in words; the last placement ends the game."""
    game = ParityLinage.configure("3", options={"passing": "off", "n": "7"})
    assert game.start().why_illegal(PASS) == "this game is played without passing"
    over = played(game, "A1")
    assert over.over
    assert over.moves() == ()
    assert over.why_illegal(PASS) == over.why_illegal(1) == "the game is over"
    assert str(over.result()) == "B+"


def test_with_passing_two_passes_end_the_game() -> None:
    """Even where placements are left; and never before, even where none is."""
    assert played(ParityLinage.configure("3"), "A1 pass pass").over
    game = ParityLinage.configure("3", options={"n": "8"})
    assert not played(game, "pass").over


@given(st.integers(3, 6), st.integers(3, 6), st.integers(-1, 8), st.data())
def test_agrees_with_the_slow_rules(columns: int, rows: int, n: int, data: st.DataObject) -> None:
    """Placements in random games are those of the slow rules; n of -1 means the line condition."""
    condition = "line" if n < 0 else "size"
    game = ParityLinage(SquareBoard.of(columns, rows), 0, condition=condition, n=max(n, 0))
    position = game.start()
    for choice in data.draw(st.lists(st.integers(0, 2**20), max_size=30)):
        legal = [move for move in position.moves() if move >= 0]
        if not legal:
            break
        position = position.after(legal[choice % len(legal)])
    empty = cells(game.board, position.empty)
    if n < 0:
        allowed = {xy for xy in empty if not strands(empty, xy, 3)}
    else:
        allowed = {xy for xy in empty if parity_allows(empty, xy, n)}
    assert cells(game.board, position.placements()) == allowed
