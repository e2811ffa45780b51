"""Draw every diagram of the documentation into `docs/images`.

    python docs/draw.py            # rewrites them all
    python docs/draw.py FOLDER     # draws them elsewhere

A drawing is a position with marks and a caption. The drawings of the rules come from
`linage_bot.teaching`, as in the help of the web page; the others are defined here, as diagrams or
moves. Marks are computed by the rules if possible, so that they cannot be wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from linage_bot.drawing import Picture
from linage_bot.rules import GAMES
from linage_bot.rules.boards import bits
from linage_bot.rules.game import PASS, Player, Position
from linage_bot.rules.two_color_linage import TwoColorLinagePosition
from linage_bot.teaching import examples_of
from linage_bot.teaching.diagrams import shown
from linage_bot.teaching.example import marked, refused, territories
from linage_bot.teaching.gardar import loops

IMAGES = Path(__file__).parent / "images"


def _with_the_rules(picture: Picture) -> Callable[[], Picture]:
    return lambda: picture


DRAWINGS: dict[str, Callable[[], Picture]] = {
    f"{id_}-{example.name}": _with_the_rules(example.picture)
    for id_, kind in GAMES.items()
    for example in examples_of(kind.configure())
}


def drawing(draw: Callable[[], Picture]) -> Callable[[], Picture]:
    """Name a drawing after the function that makes it."""
    DRAWINGS[draw.__name__.replace("_", "-")] = draw
    return draw


def diagram(id_: str, size: str, text: str, **options: str) -> Position:
    """Return the position of a diagram, with First to move."""
    return shown(GAMES[id_].configure(size, None, options), text)


def played(id_: str, size: str, moves: str, **options: str) -> Position:
    """Return the position after moves."""
    game = GAMES[id_].configure(size, None, options)
    position = game.start()
    for move in moves.split():
        position = position.play(PASS if move == "pass" else game.board.point(move))
    return position


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
    """Draw a game of Linage in which both players own regions and others are still free."""
    position = played("linage", "13", MIDGAME)
    return Picture(position, last=position.game.board.point(MIDGAME.split()[-1]))


@drawing
def linage() -> Picture:
    """Draw the end of a short game."""
    return Picture(played("linage", "6x5", SHORT_GAME), "Vertical 6, Horizontal 10 and komi")


@drawing
def linage_two_color() -> Picture:
    """Draw the end of a game, with circles on the stones that score."""
    position = diagram(
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
    assert isinstance(position, TwoColorLinagePosition)
    first, second = (position.scoring(player) for player in Player)
    return Picture(position, "Circled stones score", marks=marked(circle=first | second))


@drawing
def linage_parity() -> Picture:
    """Draw the end of a game, with the regions numbered."""
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
def linage_parity_crowding() -> Picture:
    """Draw the points where a stone would leave a region of two points or fewer."""
    position = diagram(
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
    """Draw the territories in the middle of a game of the engine against itself."""
    moves = """F3 F5 G3 C3 E4 D3 J8 B3 F6 D6 H7 A1 H9 C6 E7 E5 B7 H4 J5 G5 G8 G6 B5 D5 J2 H5 J6 D4
    B1 D2 F8 J4 G7 H3 A4 C7"""
    position = played("leblin", "9", moves)
    last = position.game.board.point(moves.split()[-1])
    return Picture(position, last=last, areas=territories(position))


# ------------------------------------------------------------------------- Gardar


@drawing
def gardar() -> Picture:
    """Draw the loops in a game of the engine against itself."""
    position = diagram(
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


def main(folder: Path) -> None:
    """Write every drawing."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, draw in DRAWINGS.items():
        (folder / f"{name}.svg").write_text(draw().svg(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES)
