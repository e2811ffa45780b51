"""Gardar: enclosures, the dead, coming back, and loops."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.rules import loops
from linage_bot.rules.boards import HexBoard
from linage_bot.rules.game import PASS, Player
from linage_bot.rules.gardar import Gardar, GardarPosition
from linage_bot.rules.history import History
from tests.linage_bot.rules.diagrams import dedented, draw, place, played
from tests.linage_bot.rules.slow_rules import HEXAGON, cells, gardar_turn, parts, perimeter_loop

RING = """
     . . . .
    . . X X .
   . . X . X .
  . . . X X . .
   . . . . . .
    . . . . .
     . . . .
"""
SOLID = """
      . . . . .
     . . . . . .
    . . X X X . .
   . . X X X X . .
  . . X X . X X . .
   . . X X X X . .
    . . X X X . .
     . . . . . .
      . . . . .
"""
EDGE = """
     . X X .
    . X . X .
   . . X X . .
  . . . . . . .
   . . . . . .
    . . . . .
     . . . .
"""
OPEN_AT_THE_EDGE = """
     X . X .
    . X X . .
   . . . . . .
  . . . . . . .
   . . . . . .
    . . . . .
     . . . .
"""
CORNER = """
     X X X .
    X . . X .
   X . X X . .
  . X X . . . .
   . . . . . .
    . . . . .
     . . . .
"""
STAGGERED = """
      . . . . .
     . X X . . .
    . X . X X . .
   . . X X . X . .
  . . . . X X . . .
   . . . . . . . .
    . . . . . . .
     . . O . . .
      . . . . .
"""
WALL = """
      . . . . .
     . . . . . .
    . X X X X . .
   . X . X . X . .
  . . X X X X . . .
   . . . . . . . .
    . . . . . . .
     . . O . . .
      . . . . .
"""


@pytest.mark.parametrize(
    ("diagram", "scores"),
    [
        (RING, (6, 0)),
        (SOLID, (6, 0)),
        (EDGE, (6, 0)),
        (OPEN_AT_THE_EDGE, (-4, 0)),
        (CORNER, (10, 0)),
        (STAGGERED, (10, -1)),
        (WALL, (9, -1)),
        (". .\n. X .\n. .", (-1, 0)),
        ("X X\nX . X\nX X", (6, 0)),
        ("X X\nX O X\nX X", (6, -1)),
        ("X X\nX X X\nX X", (-7, 0)),
    ],
    ids=[
        "a ring of six",
        "a solid hexagon of side 3: 12 in the loop, 6 surplus",
        "a ring may use the edge",
        "the edge closes no ring",
        "a long ring in the corner",
        "two rings that share two stones, both on the outside",
        "two rings that share one stone, which is inside: surplus",
        "a lone stone",
        "the whole rim of the smallest board",
        "what is in the hole is the hole's affair",
        "no hole, no loop",
    ],
)
def test_loop_and_surplus_stones(diagram: str, scores: tuple[int, int]) -> None:
    """Loop stones count one, all others minus one."""
    side = (len(dedented(diagram).splitlines()) + 1) // 2
    game = Gardar.configure(str(side))
    assert place(game, diagram).scores() == scores
    mirrored = diagram.replace("X", "-").replace("O", "X").replace("-", "O")
    assert place(game.with_komi(3), mirrored).scores() == (scores[1], scores[0] + 3)


# White's stone lies inside; Black's next stone closes the ring around it.
CLOSING = """
     . . . .
    . . X X .
   . . X O X .
  . . . X . . .
   . . . . . .
    . . . . .
     . . . .
"""
OUTSIDE = """
     . . . .
    . . X X .
   . . X . X .
  . . . X . O .
   . . . . . .
    . . . . .
     . . . .
"""
SHARED = """
     . . . .
    . . X O .
   . . X . O .
  . . . . O . .
   . . . . . .
    . . . . .
     . . . .
"""


@pytest.mark.parametrize(
    ("before", "vertex", "removed"),
    [(CLOSING, "E4", "E5"), (OUTSIDE, "E4", ""), (SHARED, "D4", ""), (SHARED, "A1", "")],
    ids=["smothered", "outside", "shared", "not closed"],
)
def test_the_dead_are_removed(before: str, vertex: str, removed: str) -> None:
    """Closing a ring removes the smothered stones, but none beside a shared enclosure."""
    position = place(Gardar.configure("4"), before)
    after = position.play(position.game.board.point(vertex))
    gone = position.second & ~after.second
    assert " ".join(position.game.board.vertices(gone)) == removed


def test_who_bounds_an_enclosure_with_more_stones_takes_the_others() -> None:
    """Five against one: the one is dead; three against three: shared, all stay."""
    game = Gardar.configure("2")
    position = place(game, "X X\nX . O\nX .")
    after = position.play(game.board.point("B1"))
    assert draw(after) == dedented(" X X\nX . .\n X X")
    (area,) = place(game, "X X\nX . X\nX O").areas()
    assert (area.kind, area.owner) == ("enclosure", Player.FIRST)
    (area,) = place(game, "X X\nX . O\nO O").areas()
    assert area.owner is None
    assert place(game, "X X\nX . O\nO .").areas() == ()


def test_edge_points_fence_nothing() -> None:
    """A region with a point on the edge is no enclosure, however small."""
    assert place(Gardar.configure("2"), ". X\nX X X\nX X").areas() == ()


def test_ones_own_dead_stones_stay_until_the_opponent_places() -> None:
    """A stone put into the enemy's enclosure is removed by the enemy's next stone, not a pass."""
    game = Gardar.configure("4")
    inside = place(game, RING.replace("X", "O")).play(game.board.point("E5"))
    assert inside.first
    assert inside.play(PASS).first
    assert not inside.play(game.board.point("A1")).first


def test_the_board_may_not_come_back() -> None:
    """A placement may not recreate the board at the end of one's own earlier turn."""
    game = Gardar.configure("4")
    start = place(game, CLOSING)
    assert isinstance(start, GardarPosition)
    closed = start.play(game.board.point("E4"))
    before = attrs.evolve(start, boards=((closed.first, closed.second), (0, 0)))
    words = before.why_illegal(game.board.point("E4"))
    assert words == "this would recreate the board at the end of your turn 1"
    assert not before.placements() >> game.board.point("E4") & 1
    others = attrs.evolve(start, boards=((0, 0), (closed.first, closed.second)))
    assert others.why_illegal(game.board.point("E4")) is None


def test_passing_is_never_forbidden() -> None:
    """Two passes end the game, and the first passer has half a point."""
    game = Gardar.configure("3")
    over = played(game, "A1 pass pass")
    assert over.over
    assert over.scores() == (-1.0, 0.5)
    assert str(over.result()) == "W+1.5"
    assert over.why_illegal(PASS) == over.why_illegal(3) == "the game is over"
    assert not played(game, "pass A1 pass").over
    assert played(game, "pass A1 pass").scores() == (0.5, -1.0)


def test_an_occupied_point() -> None:
    """Stones are placed on empty points only."""
    assert played(Gardar.configure("3"), "A1").why_illegal(0) == "there is a stone on this point"


boards = st.builds(HexBoard.of, st.integers(2, 5))


@given(boards, st.data())
def test_loops_agree_with_the_slow_rules(board: HexBoard, data: st.DataObject) -> None:
    """On any set of stones, the perimeter loops are those of the words of the rule."""
    few = data.draw(st.integers(0, board.points)) & data.draw(st.integers(0, board.points))
    stones = board.points & ~few  # many stones, or there would be no loops
    slow = {
        xy for group in parts(cells(board, stones), HEXAGON) for xy in perimeter_loop(board, group)
    }
    assert cells(board, loops.perimeter_loops(board, stones)) == slow


@given(boards, st.data())
def test_removal_agrees_with_the_slow_rules(board: HexBoard, data: st.DataObject) -> None:
    """On any board a placement removes the same stones as by the slow rules."""
    signs = data.draw(st.lists(st.sampled_from("XXXOOO.."), min_size=91, max_size=91))
    stones = {"X": 0, "O": 0, ".": 0}
    for point, sign in zip(range(board.columns * board.rows), signs, strict=False):
        stones[sign] |= board.points & (1 << point)
    start = Gardar(board, 0).start()
    for player in Player:
        position = attrs.evolve(start, first=stones["X"], second=stones["O"], to_move=player)
        for column, row in cells(board, position.empty):
            own, enemy = gardar_turn(position, (column, row))
            after = position.after(row * board.columns + column)
            now = cells(board, after.first), cells(board, after.second)
            assert now == ((enemy, own) if player else (own, enemy))


@given(
    st.sampled_from([2, 3]),
    st.sampled_from(Player),
    st.lists(st.integers(0, 2**20), max_size=120),
)
def test_placements_agree_with_the_slow_rules(
    side: int, begins: Player, choices: list[int]
) -> None:
    """A point is closed exactly if it would repeat a board after an own turn."""
    position = History(Gardar.configure(str(side)), begins=begins).position
    board = position.game.board
    own_boards: tuple[list[object], list[object]] = ([], [])
    for choice in choices:
        moves = position.moves()
        # Passes are rare, for games that come back to old boards.
        move = PASS if choice % 40 == 0 or len(moves) == 1 else moves[choice % (len(moves) - 1)]
        mover = position.to_move
        position = position.after(move)
        own_boards[mover].append((position.first, position.second))
        if position.over:
            return
    legal = set()
    for column, row in cells(board, position.empty):
        after = position.after(row * board.columns + column)
        if (after.first, after.second) not in own_boards[position.to_move]:
            legal.add((column, row))
    assert cells(board, position.placements()) == legal
