"""Draws every diagram of the documentation into `docs/images`.

    python docs/draw.py            # rewrites them all
    python docs/draw.py FOLDER     # draws them elsewhere

A drawing is a position with what is to be said about it. Most positions stand here as diagrams,
rows from the top: `X` First's stone, `O` Second's, `.` empty, other signs labels on empty points.
What a drawing marks is asked of the rules wherever they know it, so that it cannot be wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import attrs

from linage_bot.drawing import Mark, Picture
from linage_bot.rules import GAMES
from linage_bot.rules.boards import Board, Points, bits
from linage_bot.rules.game import PASS, Area, Player, Position
from linage_bot.rules.gardar import dead
from linage_bot.rules.loops import perimeter_loops

IMAGES = Path(__file__).parent / "images"


DRAWINGS: dict[str, Callable[[], Picture]] = {}


def drawing(draw: Callable[[], Picture]) -> Callable[[], Picture]:
    """Name a drawing after the function that makes it."""
    DRAWINGS[draw.__name__.replace("_", "-")] = draw
    return draw


def shown(id_: str, size: str, diagram: str, **options: str) -> tuple[Position, dict[int, str]]:
    """The position that a diagram shows, First to move, and the labels in it."""
    game = GAMES[id_].configure(size, None, options)
    board, found, labels = game.board, {"X": 0, "O": 0}, {}
    rows = zip(reversed(range(board.rows)), diagram.strip().split("\n"), strict=True)
    for row, line in rows:
        points = [board.at(column, row) for column in range(board.columns)]
        for point, sign in zip((p for p in points if p is not None), line.split(), strict=True):
            if sign in found:
                found[sign] |= 1 << point
            elif sign != ".":
                labels[point] = sign
    position: Position = attrs.evolve(game.start(), first=found["X"], second=found["O"])  # type: ignore[misc]  # the contract is abstract
    return position, labels


def played(id_: str, size: str, moves: str, **options: str) -> Position:
    """The position after moves."""
    game = GAMES[id_].configure(size, None, options)
    position = game.start()
    for move in moves.split():
        position = position.play(PASS if move == "pass" else game.board.point(move))
    return position


def marked(**kinds: Points) -> dict[int, Mark]:
    """Sets of points with a mark each, by the mark's name."""
    return {point: kind for kind, points in kinds.items() for point in bits(points)}  # type: ignore[misc]


# ------------------------------------------------------------------------- Linage

# `linage-bot gtp --size 13 --visits 2000 --seed 1` against itself, komi 6.5.
MIDGAME = """
J8 G7 C13 K4 N6 N12 H11 D4 C8 J5 A5 M12 C12 J10 C2 M11 C9 E12 M5 N7 J6 N3 F6 M2 M10 L2 C3 F11 D2 H6
F13 H8 G1 K10 J12 E1 A1 K9 C11 G11 N5 G10 C7 L4 H1 A2 K6 B3 N4 E4 L10 B6 C10 F3 F5 M7 N13 N11 E9 L8
L9 K12 G8 L12 D10 K2 K8 E8 N2 J2 D3 G3
"""

# The same engine on 6x5, seed 1, komi 0.5; both then passed.
SHORT_GAME = "C5 E3 E1 F3 F1 D3 D1 C4 F2 C3 E2 B2 D2 A2 pass pass"


@drawing
def position() -> Picture:
    """A game of Linage late enough that both players own regions, early enough to fight on."""
    position = played("linage", "13", MIDGAME)
    return Picture(position, last=position.game.board.point(MIDGAME.split()[-1]))


@drawing
def linage() -> Picture:
    """The end of a short game."""
    return Picture(played("linage", "6x5", SHORT_GAME), "Vertical 6, Horizontal 10 and komi")


@drawing
def linage_regions() -> Picture:
    """One region of each kind."""
    position, _ = shown(
        "linage",
        "7",
        """
        . . X . . . .
        . . X . . . .
        . . X X X X X
        . X . . . . .
        . . X . . . .
        . . X . . X .
        . . X . . . .
        """,
    )
    return Picture(position, "Vertical's, Horizontal's, and a free region")


@drawing
def linage_stranding() -> Picture:
    """Points of a free region where a stone would leave a region without a line."""
    position, _ = shown(
        "linage",
        "6",
        """
        . . . . . .
        . . . X . .
        . . . . . .
        . . . . X .
        . X . . . .
        . . X . . .
        """,
    )
    return Picture(position, "No stone on a cross", marks=marked(cross=refused(position)))


def refused(position: Position) -> Points:
    """The empty points on which the player to move may not place."""
    return position.empty & ~position.placements()


@drawing
def linage_two_color() -> Picture:
    """The end of a game: the stones that score."""
    position, _ = shown(
        "linage-two-color",
        "7",
        """
        X X O O . . .
        O X X O O O O
        X O X X . O O
        . X X X . O X
        . O X X . O O
        . O X X X X O
        O X X O . . .
        """,
    )
    return Picture(position, "Circled stones score", marks=marked(circle=scoring(position)))


def scoring(position: Position) -> Points:
    """The stones of groups next to a region that their player owns."""
    board, points = position.game.board, 0
    for player, stones in ((Player.FIRST, position.first), (Player.SECOND, position.second)):
        owned = sum(area.points for area in position.areas() if area.owner is player)
        points |= board.flood(board.neighbours(owned), stones)
    return points


@drawing
def linage_parity() -> Picture:
    """The end of a game: the regions counted."""
    position = played(
        "linage-parity",
        "6",
        "A3 F5 F1 E2 F2 E5 B4 C6 F6 B5 E6 D4 B1 E4 D3 D6 C2 D5 B3 C1 A4 pass pass",
        n="2",
    )
    numbers = {
        min(bits(area.points)): str(number) for number, area in enumerate(position.areas(), 1)
    }
    return Picture(position, f"{len(numbers)} regions", labels=numbers)


@drawing
def linage_parity_refused() -> Picture:
    """Points where a stone would leave a region of two points or fewer."""
    position, _ = shown(
        "linage-parity",
        "5",
        """
        . . . . .
        . . . X .
        . . X . .
        . X . . .
        . . X . .
        """,
        n="2",
    )
    return Picture(position, "No stone on a cross", marks=marked(cross=refused(position)))


# ------------------------------------------------------------------------- Leblin


@drawing
def leblin() -> Picture:
    """A game of the engine against itself, in the middle: its territories."""
    moves = """F3 F5 G3 C3 E4 D3 J8 B3 F6 D6 H7 A1 H9 C6 E7 E5 B7 H4 J5 G5 G8 G6 B5 D5 J2 H5 J6 D4
    B1 D2 F8 J4 G7 H3 A4 C7"""
    position = played("leblin", "9", moves)
    last = position.game.board.point(moves.split()[-1])
    return Picture(position, last=last, areas=territories(position))


def territories(position: Position) -> tuple[Area, ...]:
    """The areas without the lifelines, which may belong to both players at once."""
    return tuple(area for area in position.areas() if area.kind == "territory")


@drawing
def leblin_lifelines() -> Picture:
    """The lifelines of one group."""
    position, _ = shown(
        "leblin",
        "7",
        """
        . . . . . . .
        . . . X . . .
        . . . . . . .
        . . . X X O .
        . . . O . . .
        . . . . O . .
        . . . . . . .
        """,
    )
    board = position.game.board
    group = sum(1 << board.point(vertex) for vertex in ("D4", "E4"))
    lines = Area("lifeline", lifelines_of(board, group, position), Player.FIRST)
    cut = 1 << board.point("E3")
    marks = marked(triangle=group, cross=cut)
    return Picture(position, "Three lifelines of one group", marks=marks, areas=(lines,))


def lifelines_of(board: Board, group: Points, position: Position) -> Points:
    """The points of the lifelines of one group of First's."""
    lines = 0
    for stone in bits(group):
        row, column = divmod(stone, board.columns)
        for across, up in board.STEPS:
            run, x, y = 0, column + across, row + up
            while (point := board.at(x, y)) is not None and position.empty >> point & 1:
                run |= 1 << point
                x, y = x + across, y + up
            if point is None or position.first >> point & 1:
                lines |= run
    return lines


CAPTURE = """
. . X . .
. X O X .
. . . . .
. O . . .
. . 1 . .
"""


@drawing
def leblin_capture() -> Picture:
    """A group whose only lifeline a stone far away can cut."""
    position, labels = shown("leblin", "5", CAPTURE)
    return Picture(position, "Black plays 1", labels=labels, areas=())


@drawing
def leblin_captured() -> Picture:
    """After the cut."""
    position, labels = shown("leblin", "5", CAPTURE)
    (point,) = labels
    return Picture(position.play(point), "The stone on C4 is gone", last=point, areas=())


INCURSION = """
X 1 X X X
. X O O .
. . . X O
. . X X .
. . X . .
"""


def incursion() -> tuple[Position, int]:
    """White to move, and the point of a minimal incursion."""
    position, labels = shown("leblin", "5", INCURSION)
    (point,) = labels
    turned: Position = attrs.evolve(position, to_move=Player.SECOND, turns=12)  # type: ignore[misc]  # the contract is abstract
    return turned, point


@drawing
def leblin_incursion() -> Picture:
    """A minimal incursion."""
    position, point = incursion()
    areas = territories(position)
    return Picture(position, caption="White plays 1", labels={point: "1"}, areas=areas)


@drawing
def leblin_no_retaking() -> Picture:
    """After it: where Black may not answer with a minimal incursion."""
    position, point = incursion()
    position = position.play(point)
    refused = sum(
        1 << answer
        for answer in bits(position.empty)
        if "minimal" in (position.why_illegal(answer) or "")
    )
    marks, areas = marked(cross=refused), territories(position)
    return Picture(position, "Black may not play a cross", last=point, marks=marks, areas=areas)


# ------------------------------------------------------------------------- Gardar


@drawing
def gardar() -> Picture:
    """A game of the engine against itself: the loops."""
    position, _ = shown(
        "gardar",
        "5",
        """
            X X O O O
           X . X X . O
          X . O . O . O
         X X X X O . O .
        X . X . X O O X .
         . . X X O . O O
          O X . X O O O
           O X X O . O
            . O O O .
        """,
    )
    return Picture(position, "Circled stones score a point", marks=marked(circle=loops(position)))


def loops(position: Position) -> Points:
    """The loop stones of both players."""
    board = position.game.board
    return perimeter_loops(board, position.first) | perimeter_loops(board, position.second)


@drawing
def gardar_control() -> Picture:
    """An enclosure of Black's, and a shared one."""
    position, _ = shown(
        "gardar",
        "5",
        """
            . . . . .
           . . . . . .
          . . . . . . .
         . X X . . O X .
        . X . O . O . X .
         . X O . . O X .
          . . . . . . .
           . . . . . .
            . . . . .
        """,
    )
    return Picture(position, "Four to two, and three to three")


@drawing
def gardar_dead() -> Picture:
    """A dead stone, and one that a shared enclosure keeps."""
    position, _ = shown(
        "gardar",
        "5",
        """
            . . . . .
           . . . . . .
          . . . . . . .
         . X X X X . . .
        . X . O . X . . .
         . X O O O . . .
          . . . . . . .
           . . . . . .
            . . . . .
        """,
    )
    board = position.game.board
    doomed = dead(board, position.second, position.first)
    kept = 1 << board.point("D5")
    marks = marked(cross=doomed, triangle=kept)
    return Picture(position, "The cross is dead, the triangle is kept", marks=marks)


@drawing
def gardar_ring() -> Picture:
    """Six loop stones."""
    position, _ = shown(
        "gardar",
        "4",
        """
           . . . .
          . . . . .
         . . X X . .
        . . X . X . .
         . . X X . .
          . . . . .
           . . . .
        """,
    )
    return Picture(position, "Six loop stones: 6 points", marks=marked(circle=loops(position)))


@drawing
def gardar_solid() -> Picture:
    """Twelve loop stones, six surplus stones."""
    position, _ = shown(
        "gardar",
        "4",
        """
           . . . .
          . X X X .
         . X X X X .
        . X X . X X .
         . X X X X .
          . X X X .
           . . . .
        """,
    )
    marks = marked(circle=loops(position))
    return Picture(position, "Twelve loop stones, six surplus: 6 points", marks=marks)


def main(folder: Path) -> None:
    """Write every drawing."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in DRAWINGS.items():
        (folder / f"{name}.svg").write_text(draw().svg(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES)
