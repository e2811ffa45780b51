"""Teaching material for Parity Linage: only the parity of the number of regions counts."""

import attrs

from linage_bot.drawing import Picture
from linage_bot.rules.boards import SquareBoard
from linage_bot.rules.game import PASS, Player, Position
from linage_bot.rules.parity_linage import LINE, ParityLinage
from linage_bot.teaching.diagrams import shown, size_of
from linage_bot.teaching.example import (
    Example,
    cut_off,
    marked,
    on_board,
    refused,
    with_stones,
)
from linage_bot.teaching.lesson import Lesson, Step
from linage_bot.teaching.lines import stranding
from linage_bot.teaching.words import points

AIM = (
    "Cut the board into regions: First wins if their number is odd in the end, Second if it "
    "is even."
)


def _position(diagram: str, to_move: Player = Player.FIRST) -> Position:
    return shown(ParityLinage.configure(size_of(diagram)), diagram, to_move)


def _counted(position: Position) -> str:
    """Return a sentence with the number of regions, and the player whom its parity favours."""
    count = len(position.areas())
    parity, name = ("odd", "First") if count % 2 else ("even", "Second")
    number = "1 region" if count == 1 else f"{count} regions"
    return f"{number}: {parity}, so {name} is ahead."


REGION = Step(
    title="Region",
    words="A *region* is a set of empty points that are connected along rows and columns. Here all"
    " empty points are one region: its halves are joined at D4. It does not matter who placed a"
    " stone; only the number of regions at the end counts.",
    task="Cut the board into two regions.",
    position=_position(
        """
        . . . X . . .
        . . . X . . .
        . . . X . . .
        . . . . . . .
        . . . X . . .
        . . . X . . .
        . . . X . . .
        """
    ),
    wanted=lambda after: len(after.areas()) == 2,
    praise="Two regions. Stones never leave the board, so the regions stay separate.",
    missed="That leaves one region: its halves are still joined at D4.",
)

PARITY = Step(
    title="Odd and even",
    words="First wins if the number of regions is odd at the end, Second if it is even. Here are"
    " two regions: columns A and B, and the rest, whose two parts are joined at F3.",
    task="You play First. Make the number of regions odd.",
    position=_position(
        """
        . . X . . X .
        . . X . . X .
        . . X . . . .
        . . X . . X .
        . . X . . X .
        """
    ),
    wanted=lambda after: len(after.areas()) % 2 == 1,
    praise=_counted,
    missed=_counted,
)

OWNER = Step(
    title="Shared regions",
    words="Regions have no owner: every empty point is open to both players. A stone in the middle"
    " of a narrow region cuts it in two. A stone at its end only makes it shorter.",
    task="You play First, and three regions are good for you. Place a stone that does not change"
    " their number.",
    position=_position(
        """
        . X . X .
        . X . X .
        . X . X .
        . X . X .
        . X . X .
        """
    ),
    wanted=lambda after: len(after.areas()) == 3 and after.stones.bit_count() == 11,
    praise=lambda after: f"Still {_counted(after)} The turn is Second's now.",
    missed=lambda after: f"That cuts a region in two. {_counted(after)}",
)

REFUSED = Step(
    title="A refused stone",
    words="A stone may never decrease the number of regions, so the last point of a region stays"
    " empty. Some options require more: several points, or a line, in every region.",
    task="Find a point where a stone is refused.",
    position=_position(
        """
        . . . . .
        . X X . .
        . . X . .
        X . . . .
        . X . . .
        """
    ),
    wanted=None,
    praise="It is the last point of its region.",
    missed="A stone is allowed here: its region would have points left. Look for a point without"
    " an empty point next to it.",
)

END = Step(
    title="The end and the count",
    words="Two passes in a row end the game; then the regions are counted. Here every region is"
    " down to its last point, so no stone can be placed.",
    task="Count the regions, then press Pass; Second will pass too.",
    position=_position(
        """
        . X .
        X . X
        . X .
        """
    ),
    wanted=lambda after: getattr(after, "passes", 0) == 1,
    praise="5 regions: the number is odd, so First has won. The size of the regions does not"
    " matter.",
    missed="No stone can be placed any more: press Pass.",
    replies=(PASS,),
)

LESSON = Lesson(ParityLinage, (REGION, PARITY, OWNER, REFUSED, END))

_MOST = 4  # the largest `n` for which a small board has an example


def examples(game: ParityLinage) -> tuple[Example, ...]:
    """Return the pictures for the rules, with the game's condition; a large `n` becomes 2."""
    small = game if game.n <= _MOST else attrs.evolve(game, board=SquareBoard.of(9, 9), n=2)
    if game.condition == "line":
        forbidden = stranding(small, LINE)
    else:
        forbidden = _crowding(small) if small.n else _last_point(small)
        if small.n != game.n:
            here = f"On this small board {points(small.n + 1)} are enough. "
            forbidden = attrs.evolve(forbidden, words=here + forbidden.words)
    return (forbidden, _count(small))


def _last_point(game: ParityLinage) -> Example:
    position = with_stones(on_board(game, 4, 4), 1 << 1 | 1 << 4)
    return Example(
        name="refused",
        after="On your turn",
        picture=Picture(position, "No stone on the cross", marks=marked(cross=refused(position))),
        words="A1 is a region of one point. A stone there would decrease the number of regions, so"
        " it is refused.",
    )


def _crowding(game: ParityLinage) -> Example:
    words = (
        "A stone on {stone} would leave {left} as a region of"
        f" {points(game.n)}, but {points(game.n + 1)} are needed. It is refused{{others}}."
    )
    return cut_off(game, game.n, "refused", words)


def _count(game: ParityLinage) -> Example:
    """Return an example of three numbered regions."""
    columns, rows = 8, 5
    walls = sum(1 << row * columns + column for row in range(rows) for column in (2, 5))
    position = with_stones(on_board(game, columns, rows), walls)
    return Example(
        name="count",
        after="If the number of regions",
        picture=Picture(position, f"{len(position.areas())} regions"),
        words="3 regions: the number is odd, so First would have won if the game ended here.",
    )
