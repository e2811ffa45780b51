"""Two-color Linage: which groups score, and that every empty point is open."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.rules.boards import SquareBoard
from linage_bot.rules.game import Player
from linage_bot.rules.two_color_linage import TwoColorLinage
from tests.linage_bot.rules.diagrams import place, played
from tests.linage_bot.rules.slow_rules import SQUARE, around, cells, owner, parts, strands


@pytest.mark.parametrize(
    ("diagram", "stones", "with_regions"),
    [
        (". . .\n. . .\n. . .", (0, 0), (0, 0)),
        (". . X\n. . X\n. . X", (3, 0), (9, 0)),
        (". . O\n. . O\n. . O", (0, 0), (6, 0)),
        (". . X\n. . O\n. . X", (2, 0), (8, 0)),
        ("O X O\n. . .\n. . .", (0, 2), (0, 8)),
        ("O O O\nO X X\n. . .", (0, 4), (0, 7)),
        (". . . X X\n. . . X O\n. . . X X", (0, 0), (0, 0)),
        (". . X . .\n. . X . .\n. . X . .", (3, 0), (15, 0)),
    ],
    ids=[
        "a free board scores nothing",
        "a wall beside Vertical's columns",
        "the wrong colour",
        "a broken wall scores group by group",
        "Horizontal's rows",
        "a group scores whole, far stones too",
        "a free region scores nothing",
        "one group between two owned regions counts once",
    ],
)
def test_scores(diagram: str, stones: tuple[int, int], with_regions: tuple[int, int]) -> None:
    """Stones of groups next to owned regions count, and with the option the regions too."""
    size = f"{len(diagram.splitlines()[0].split())}x3"
    for counted, scores in (("off", stones), ("on", with_regions)):
        game = TwoColorLinage.configure(size, 0, {"count_regions": counted})
        assert place(game, diagram).scores() == scores
        assert place(game.with_komi(2.5), diagram).scores() == (scores[0], scores[1] + 2.5)


def test_every_region_is_open_to_both() -> None:
    """Own and enemy regions may be entered as long as a line is left."""
    game = TwoColorLinage.configure("3")
    for player in Player:
        position = place(game, ". . X\n. . X\n. . X", player)
        vertices = " ".join(game.board.vertices(position.placements()))
        assert vertices == "A1 B1 A2 B2 A3 B3"
    position = place(game, ". O X\n. . X\n. . X")
    reason = "a region would be left without a line of 3 points"
    assert position.why_illegal(game.board.point("A1")) == reason
    assert position.why_illegal(game.board.point("B3")) == "there is a stone on this point"
    assert position.why_illegal(game.board.point("B2")) is None


def test_the_button_is_the_first_pass() -> None:
    """The button gives half a point, and is not one of the two passes, as in Linage."""
    game = TwoColorLinage.configure("5", 0, {"button": "on"})
    assert played(game, "A1 pass").scores() == (0, 0.5)
    assert not played(game, "pass pass").over
    assert played(game, "pass pass pass").over
    assert played(game, "pass pass pass").why_illegal(0) == "the game is over"


@given(st.integers(3, 6), st.integers(3, 6), st.integers(2, 4), st.data())
def test_agrees_with_the_slow_rules(
    columns: int, rows: int, line: int, data: st.DataObject
) -> None:
    """Placements and scores of random games are those of the slow reading of the rules."""
    if line > max(columns, rows):
        return
    game = TwoColorLinage(SquareBoard.of(columns, rows), 0.0, line=line)
    position = game.start()
    for choice in data.draw(st.lists(st.integers(0, 2**20), max_size=30)):
        legal = [move for move in position.moves() if move >= 0]
        if not legal:
            break
        position = position.after(legal[choice % len(legal)])
    empty = cells(game.board, position.empty)
    assert cells(game.board, position.placements()) == {
        xy for xy in empty if not strands(empty, xy, line)
    }
    slow = []
    for stones, name in ((position.first, "vertical"), (position.second, "horizontal")):
        owned = {xy for part in parts(empty, SQUARE) if owner(part, line) == name for xy in part}
        groups = parts(cells(game.board, stones), SQUARE)
        near = [g for g in groups if any(around(stone, SQUARE) & owned for stone in g)]
        slow.append(sum(map(len, near)))
    assert position.scores() == tuple(slow)
