"""Teaching material for Linage: the line that a region lacks decides its owner."""

from linage_bot.drawing import Picture
from linage_bot.rules.game import PASS, Player, Position
from linage_bot.rules.linage import Linage
from linage_bot.rules.lines import horizontal_lines
from linage_bot.teaching.diagrams import shown, size_of
from linage_bot.teaching.example import Example, marked, owned_by, refused, three_regions
from linage_bot.teaching.lesson import Lesson, Step
from linage_bot.teaching.lines import regions, stranding
from linage_bot.teaching.words import counted, points

AIM = (
    "Place stones to cut the board into regions: a region without a horizontal line of three "
    "empty points is Vertical's, one without a vertical line is Horizontal's, and the player who "
    "owns more points wins."
)


def _position(diagram: str, to_move: Player = Player.FIRST) -> Position:
    return shown(Linage.configure(size_of(diagram)), diagram, to_move)


def _no_row_has_a_line(position: Position) -> bool:
    return not horizontal_lines(position.game.board, position.empty, 3)


def _owned(position: Position, player: Player) -> int:
    return owned_by(position, player).bit_count()


REGION = Step(
    title="Region",
    words="A *region* is a set of empty points that are connected along rows and columns. Here all"
    " empty points are one region: its halves are joined at D4.",
    task="You play Vertical. Cut the board into two regions.",
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

LINE = Step(
    title="Line",
    words="A *line* is three empty points side by side in one row or one column. In this region"
    " every column has a line, but only one row has one: A3 B3 C3.",
    task="Place a stone so that no row has a line any more.",
    position=_position(
        """
        X . .
        X . .
        . . .
        . . X
        . . X
        """
    ),
    wanted=_no_row_has_a_line,
    praise="No row has three empty points side by side any more; the columns still do.",
    missed="A3, B3 and C3 are still empty: that is a line in a row.",
)

OWNER = Step(
    title="Owner",
    words="A region without a horizontal line is owned by Vertical and shown in blue. A region"
    " without a vertical line is owned by Horizontal and shown in orange. Any other region is"
    " *free*: both players may place stones there, and only there.",
    task="You play Horizontal now. Make a region yours.",
    position=_position(
        """
        . . . . .
        . . . . .
        . . . . .
        X X . X X
        . . . . .
        . . . . .
        """,
        Player.SECOND,
    ),
    wanted=lambda after: _owned(after, Player.SECOND) > 0,
    praise=lambda after: (
        "The region at the bottom has no vertical line left: Horizontal owns its"
        f" {points(_owned(after, Player.SECOND))} to the end of the game."
    ),
    missed="No region is yours: each still has a vertical line. Cut off the two rows at the"
    " bottom.",
)

REFUSED = Step(
    title="A refused stone",
    words="After a placement every region must contain a line. A stone that would leave a region"
    " without a line is refused, no matter who places it.",
    task="Find a point where a stone is refused.",
    position=_position(
        """
        . . . . .
        . . . . .
        . . . . .
        X X . . .
        . . . . .
        """
    ),
    wanted=None,
    praise="The frame marks the points that this stone would leave without a line.",
    missed="A stone is allowed here: every region would still contain a line. Look for a few"
    " points with only one way out.",
)


def _count(position: Position) -> str:
    first, second = (_owned(position, player) for player in Player)
    scores, result = position.scores(), position.result()
    assert scores is not None
    assert result.winner is not None
    assert result.margin is not None
    winner = position.game.players[result.winner]
    return (
        f"Vertical has {points(first)}, Horizontal {second} and komi {counted(position.game.komi)},"
        f" {counted(scores[1])} in all: {winner} wins by {counted(result.margin)}."
    )


END = Step(
    title="The end and the count",
    words="Two passes in a row end the game. You score the points of the regions that you own."
    " Free regions score nothing. Horizontal adds *komi*, points for moving second: 0.5 here.",
    task="No region is free any more, so no stone can be placed. Press Pass; Horizontal will"
    " pass too.",
    position=_position(
        """
        . . X . . .
        . . X . . .
        . . X X X X
        X X . X X X
        . . . X X X
        """
    ),
    wanted=lambda after: getattr(after, "passes", 0) == 1,
    praise=_count,
    missed="No stone can be placed any more: press Pass.",
    replies=(PASS,),
)

LESSON = Lesson(Linage, (REGION, LINE, OWNER, REFUSED, END))


def examples(game: Linage) -> tuple[Example, ...]:
    """Return the pictures for the rules, with the game's line length and edition."""
    return (regions(game), _closed(game), stranding(game, game.line))


def _closed(game: Linage) -> Example:
    """Return an example of Vertical's forbidden points, with one region of each kind."""
    position = three_regions(game, game.line)
    crossed = refused(position)
    if game.edition == "2016":
        words = (
            "It is Vertical's turn. Horizontal's region is closed to Vertical. Vertical's own"
            " region is open, except for points where a stone would leave a part of it without a"
            " line."
        )
        if not crossed & owned_by(position, Player.FIRST):
            words = "It is Vertical's turn. Only Horizontal's region is closed to Vertical."
    else:
        words = "Both owned regions are closed to both players. Only the free region is open."
    return Example(
        name="closed",
        after="On your turn",
        picture=Picture(position, "Vertical may not play a cross", marks=marked(cross=crossed)),
        words=words,
    )
