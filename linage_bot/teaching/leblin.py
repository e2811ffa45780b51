"""Teaching material for Leblin: groups live by their lifelines."""

from linage_bot.drawing import Picture
from linage_bot.rules.boards import Board, Points, bits
from linage_bot.rules.game import Area, Player, Position
from linage_bot.rules.leblin import Leblin
from linage_bot.teaching.diagrams import labels, shown, size_of
from linage_bot.teaching.example import Example, marked, territories
from linage_bot.teaching.lesson import Lesson, Step

AIM = (
    "Keep each group alive by a straight line of empty points to the edge or to your own stones, "
    "and capture groups that have none: a player who cannot place a stone loses."
)


def _position(diagram: str, to_move: Player = Player.FIRST, turns: int = 12) -> Position:
    return shown(Leblin.configure(size_of(diagram)), diagram, to_move, turns=turns)


def _groups(position: Position, stones: Points) -> int:
    return len(list(position.game.board.components(stones)))


def _territory(position: Position, player: Player) -> int:
    return sum(
        area.points.bit_count()
        for area in position.areas()
        if area.kind == "territory" and area.owner is player
    )


GROUP = Step(
    title="Group",
    words="Black and White place stones of their own colour. A *group* is a set of stones of one"
    " colour that are connected along rows and columns. Black has two groups here.",
    task="You play Black. Join your two groups.",
    position=_position(
        """
        . . . . .
        . . . . .
        . X . X .
        . . O . .
        . . O . .
        """
    ),
    wanted=lambda after: _groups(after, after.first) == 1,
    praise="One group now: its stones live and die together.",
    missed="Black's stones on B3 and D3 are not connected yet.",
)

LIFELINE = Step(
    title="Lifeline",
    words="A *lifeline* is a straight run of empty points, at least one, in a row or column from a"
    " stone to the board's edge or to another stone of its colour; small dots mark them. A group"
    " without a lifeline is taken off the board. White's stone on C4 has one: C3, C2, C1.",
    task="Cut that lifeline.",
    position=_position(
        """
        . . X . .
        . X O X .
        . . . . .
        . O . . .
        . . . . .
        """
    ),
    wanted=lambda after: not after.second >> after.game.board.point("C4") & 1,
    praise="The lifeline is cut and the stone on C4 is taken off. Any point of the line would do.",
    missed="White's stone on C4 still has its lifeline to the edge: C3, C2, C1.",
)

TERRITORY = Step(
    title="Territory",
    words="A *territory* is a set of connected empty points. It is yours if there are stones next"
    " to it and all of them are yours.",
    task="Close off the corner at the bottom left, so that it becomes Black's territory.",
    position=_position(
        """
        . . . . .
        . . . O .
        X . . . O
        . . . O .
        . . X . .
        """
    ),
    wanted=lambda after: _territory(after, Player.FIRST) > 0,
    praise=lambda after: (
        f"The blue corner is Black's territory, {_territory(after, Player.FIRST)} points,"
        " as only black stones are next to it."
    ),
    missed="The corner is still connected with the rest, which is next to White's stones, too.",
)


_BEFORE_INCURSION = """
    X 1 X X X
    . X O O .
    . . . X O
    . . X X .
    . . X . .
    """


def incursion() -> tuple[Position, int]:
    """Return a position with White to move, and the point of a minimal incursion."""
    position = _position(_BEFORE_INCURSION, Player.SECOND)
    (point,) = labels(position.game.board, _BEFORE_INCURSION)
    return position, point


def _after_incursion() -> Position:
    before, point = incursion()
    return before.play(point)


REFUSED = Step(
    title="A refused stone",
    words="No stone may leave a group of its own colour without a lifeline. Another rule forbids"
    " some recaptures. A placement into the opponent's territory is an *incursion*; an incursion"
    " that takes off exactly one group is *minimal*. The turn after a minimal incursion may not be"
    " a minimal incursion. White has just made one on B5.",
    task="Find a point where Black's stone is refused.",
    position=_after_incursion(),
    last="B5",
    wanted=None,
    praise="The frame marks the points that the rule is about.",
    missed="A stone is allowed here. Look at the row where White has just taken three stones.",
)

END = Step(
    title="The end",
    words="There is no passing and no score. From the end of White's first turn on, a player wins"
    " when the opponent has no stones on the board. A player who has no legal placement on their"
    " turn loses.",
    task="You play Black. Win the game.",
    position=_position(
        """
        . . X . .
        . X O X .
        . . . . .
        . . . . .
        . . . . .
        """
    ),
    wanted=lambda after: after.over and after.result().winner is Player.FIRST,
    praise="White has no stone left, so Black has won.",
    missed="White's stone on C4 still has its lifeline down column C.",
)

LESSON = Lesson(Leblin, (GROUP, LIFELINE, TERRITORY, REFUSED, END))


def examples(_game: Leblin) -> tuple[Example, ...]:
    """Return the pictures for the rules."""
    return (_lifelines(), *_capture(), *_incursion())


def _lifelines() -> Example:
    """Return an example of the lifelines of one group."""
    position = _position(
        """
        . . . . . . .
        . . . X . . .
        . . . . . . .
        . . . X X O .
        . . . O . . .
        . . . . O . .
        . . . . . . .
        """
    )
    board = position.game.board
    group = sum(1 << board.point(vertex) for vertex in ("D4", "E4"))
    lines = Area("lifeline", _lifelines_of(board, group, position), Player.FIRST)
    cut = 1 << board.point("E3")
    marks = marked(triangle=group, cross=cut)
    return Example(
        name="lifelines",
        after="*lifeline*",
        picture=Picture(position, "Three lifelines of one group", marks=marks, areas=(lines,)),
        words="The group D4 E4 has three lifelines: to the left edge, from E4 up to the edge, and"
        " from D4 to the friendly stone on D6. The run down from E4 is not a lifeline: after E3,"
        " the cross, it ends at a white stone. One lifeline is enough: it does not matter that"
        " there is a stone below D4.",
    )


def _lifelines_of(board: Board, group: Points, position: Position) -> Points:
    """Return the points of the lifelines of one of First's groups."""
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


_CAPTURE = """
    . . X . .
    . X O X .
    . . . . .
    . O . . .
    . . 1 . .
    """


def _capture() -> tuple[Example, Example]:
    """Return examples of a group whose only lifeline a distant stone can cut, before and after."""
    position = _position(_CAPTURE)
    numbers = labels(position.game.board, _CAPTURE)
    (point,) = numbers
    after = position.play(point)
    return (
        Example(
            name="capture",
            after="On your turn",
            picture=Picture(position, "Black plays 1", labels=numbers, areas=()),
            words="The only lifeline of the white stone on C4 is C3, C2, C1. Black's stone on C1"
            " cuts it, although it is far away. A stone on C2 or C3 would cut it, too.",
        ),
        Example(
            name="captured",
            after="On your turn",
            picture=Picture(after, "The stone on C4 is gone", last=point, areas=()),
            words="So the stone on C4 is taken off at once. The one on B2 still has lifelines to"
            " the left, to the right and down.",
        ),
    )


def _incursion() -> tuple[Example, Example]:
    """Return examples of a minimal incursion, and of the points where no other may follow it."""
    before, point = incursion()
    after = before.play(point)
    forbidden = sum(
        1 << answer
        for answer in bits(after.empty)
        if "minimal" in (after.why_illegal(answer) or "")
    )
    return (
        Example(
            name="incursion",
            after="*incursion*",
            picture=Picture(
                before, "White plays 1", labels={point: "1"}, areas=territories(before)
            ),
            words="B5 is in Black's territory, so a white stone there is an incursion. It takes"
            " off exactly one group, the stones on C5, D5 and E5, so it is minimal.",
        ),
        Example(
            name="no-retaking",
            after="*incursion*",
            picture=Picture(
                after,
                "Black may not play a cross",
                last=point,
                marks=marked(cross=forbidden),
                areas=territories(after),
            ),
            words="A black stone on any of the crosses would take off the stone on B5. Each would"
            " be a minimal incursion right after a minimal incursion, so they are refused for this"
            " turn. E4 is allowed: a stone there takes nothing off.",
        ),
    )
