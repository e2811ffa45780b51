"""The points that a refusal marks, checked point by point against slow rules."""

from collections.abc import Callable

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linage_bot.rules import GAMES
from linage_bot.rules.boards import Points
from linage_bot.rules.game import PASS, IllegalityReason, IllegalMove, Move, Player, Position
from linage_bot.rules.gardar import Gardar, GardarPosition
from linage_bot.rules.leblin import Leblin
from linage_bot.rules.line_games import LineGame
from linage_bot.rules.parity_linage import ParityLinage
from tests.linage_bot.rules import slow_rules as slow
from tests.linage_bot.rules.diagrams import place
from tests.linage_bot.rules.slow_rules import SQUARE, XY
from tests.linage_bot.rules.test_every_game import variants

Told = Callable[[Position, XY, Move | None], set[XY]]


def about_lines(position: Position, xy: XY, _last: Move | None) -> set[XY]:
    """The region that is owned; or else the parts that would have no line."""
    game = position.game
    assert isinstance(game, LineGame)
    _, _, empty = slow.own_enemy_empty(position)
    (region,) = (part for part in slow.parts(empty, SQUARE) if xy in part)
    owner = slow.owner(region, game.line)
    edition = getattr(game, "edition", None)  # two-colour stones go anywhere
    enemy = game.players[position.to_move.other].lower()
    if (edition == "current" and owner != "free") or (edition == "2016" and owner == enemy):
        return region
    return without_lines(empty - {xy}, game.line)


def without_lines(empty: set[XY], line: int) -> set[XY]:
    """The points of the regions that have no line."""
    regions = slow.parts(empty, SQUARE)
    lacking = [
        region
        for region in regions
        if not slow.has_line(region, line, 1, 0) and not slow.has_line(region, line, 0, 1)
    ]
    return set().union(*lacking)


def about_parity(position: Position, xy: XY, _last: Move | None) -> set[XY]:
    """A region's last point; or else the parts that would break the condition."""
    game = position.game
    assert isinstance(game, ParityLinage)
    _, _, empty = slow.own_enemy_empty(position)
    if not slow.around(xy, SQUARE) & empty:
        return {xy}
    left = empty - {xy}
    if game.condition == "line":
        return without_lines(left, 3)
    return set().union(*(part for part in slow.parts(left, SQUARE) if len(part) <= game.n))


def about_leblin(position: Position, xy: XY, last: Move | None) -> set[XY]:
    """Return the groups left without a lifeline, or else the stone of the last incursion."""
    board = position.game.board
    own, enemy, _, _ = slow.leblin_turn(position, xy)
    empty = slow.cells(board, board.points) - own - enemy
    lifeless = slow.lifeless_groups(board, own, empty)
    if lifeless:
        return set().union(*lifeless)
    assert last is not None
    return slow.cells(board, 1 << last)


def about_gardar(position: Position, xy: XY, _last: Move | None) -> set[XY]:
    """The enemy stones that would be taken off again."""
    return slow.own_enemy_empty(position)[1] - slow.gardar_turn(position, xy)[1]


ABOUT: dict[str, Told] = {
    "linage": about_lines,
    "linage-two-color": about_lines,
    "linage-parity": about_parity,
    "leblin": about_leblin,
    "gardar": about_gardar,
}


def check(position: Position, last: Move | None) -> set[str]:
    """Every refusal of a stone on an empty point; returns the reasons there were."""
    board, reasons = position.game.board, set()
    for point in range(board.columns * board.rows):
        obstacle = position.obstacle(point)
        assert (None if obstacle is None else obstacle.reason) == position.why_illegal(point)
        if obstacle is None or position.over or not position.empty >> point & 1:
            continue
        xy = (point % board.columns, point // board.columns)
        about = ABOUT[position.game.id](position, xy, last)
        assert slow.cells(board, obstacle.points) == about
        assert obstacle.points or position.game.id == "gardar"
        reasons.add(obstacle.reason)
    return reasons


@given(st.sampled_from(variants()), st.lists(st.integers(0, 2**30), max_size=60))
def test_a_refusal_points_at_what_it_speaks_of(game: object, choices: list[int]) -> None:
    """Refusals mark the right points in random games of every variant."""
    position, last = game.start(), None  # type: ignore[attr-defined]
    for turn, choice in enumerate(choices):
        moves = position.moves()
        if not moves:
            break
        last = moves[choice % len(moves)]
        position = position.after(last)
        if turn % 5 == 4 or turn == len(choices) - 1:
            check(position, last)


@pytest.mark.parametrize(
    ("id_", "options", "diagram", "vertex", "about"),
    [
        ("linage", {}, ". . . .\n. . . .\nX X . .\n. . . .", "C1", ["A1", "B1"]),
        ("linage", {}, ". X . .\n. X . .\n. X . .\n. X . .", "A2", ["A1", "A2", "A3", "A4"]),
        ("linage-two-color", {}, ". . .\nO . .\n. . .", "B1", ["A1"]),
        ("linage-parity", {}, ". X .\nX . .\n. . .", "A3", ["A3"]),
        ("linage-parity", {"n": "2"}, ". X .\n. X .\n. X .", "A2", ["A1", "A3"]),
        ("linage-parity", {"condition": "line"}, ". X .\n. . .\n. . .", "A2", ["A3"]),
        ("leblin", {}, "O . O .\n. O . .\n. . . .\n. . . X", "B4", ["B4"]),
        ("leblin", {}, "X O . .\n. O . .\nX O . .\nO . . .", "A3", ["A2", "A3", "A4"]),
    ],
)
def test_a_refusal_in_a_diagram(
    id_: str, options: dict[str, str], diagram: str, vertex: str, about: list[str]
) -> None:
    """The parts that would be too small, the region that is owned, the group that would die."""
    columns, rows = len(diagram.split("\n")[0].split()), diagram.count("\n") + 1
    position = place(GAMES[id_].configure(f"{columns}x{rows}", None, options), diagram)
    board = position.game.board
    obstacle = position.obstacle(board.point(vertex))
    assert obstacle is not None
    if id_ == "linage-parity" and vertex == "A3" and not options:
        assert obstacle.reason == "this would decrease the number of regions"
    assert board.vertices(obstacle.points) == sorted(about, key=board.point)


def test_the_incursion_before_is_pointed_at() -> None:
    """After White's minimal incursion on B5 Black is shown that stone."""
    diagram = "X . X X X\n. X O O .\n. . . X O\n. . X X .\n. . X . ."
    position = place(Leblin.configure("5"), diagram, Player.SECOND)
    position = attrs.evolve(position, turns=12)  # type: ignore[type-var]
    board = position.game.board
    after = position.play(board.point("B5"))
    refused = {
        board.vertex(point): after.obstacle(point)
        for point in range(25)
        if "minimal" in (after.why_illegal(point) or "")
    }
    assert sorted(refused) == ["C5", "D5", "E5"]
    reason = "a minimal incursion may not follow a minimal incursion"
    assert set(refused.values()) == {IllegalityReason(reason, 1 << board.point("B5"))}
    assert check(after, board.point("B5")) >= {reason}


def test_a_board_that_would_come_back_shows_what_would_go() -> None:
    """The white stone that Black's stone would take off again."""
    diagram = ". . . .\n. . . . .\n. . X X . .\n. . X O . . .\n. . X X . .\n. . . . .\n. . . ."
    game = Gardar.configure("4")
    start = place(game, diagram)
    assert isinstance(start, GardarPosition)
    closing = game.board.point("E4")
    closed = start.play(closing)
    assert not closed.second
    before = attrs.evolve(start, boards=((closed.first, closed.second), (0, 0)))
    obstacle = before.obstacle(closing)
    assert obstacle == IllegalityReason(
        "this would recreate the board at the end of your turn 1", start.second
    )
    assert check(before, None) == {obstacle.reason}


def test_what_no_point_is_to_blame_for_points_at_none() -> None:
    """The end of the game, a pass, a point that is not there; a stone in the way is shown."""
    leblin = Leblin.configure("3").start()
    assert leblin.obstacle(PASS) == IllegalityReason("this game is played without passing")
    assert leblin.obstacle(99) == IllegalityReason("the board has no such point")
    assert leblin.obstacle(4) is None
    assert leblin.play(4).obstacle(4) == IllegalityReason("there is a stone on this point", 1 << 4)
    over = GAMES["linage"].configure("3").start().play(PASS).play(PASS)
    assert over.obstacle(0) == IllegalityReason("the game is over")
    with pytest.raises(IllegalMove):
        over.play(0)


def test_a_shown_incursion_decides_nothing() -> None:
    """Positions that differ in the shown incursion alone are equal and share cached facts."""
    points: Points = 1
    position = Leblin.configure("5").start()
    shown = attrs.evolve(position, incursion=points)
    assert (position, hash(position)) == (shown, hash(shown))
