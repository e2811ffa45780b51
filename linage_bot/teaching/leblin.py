"""Leblin taught: groups live by their lifelines."""

from linage_bot.rules.boards import Points
from linage_bot.rules.game import Player, Position
from linage_bot.rules.leblin import Leblin
from linage_bot.teaching.diagrams import shown, size_of
from linage_bot.teaching.lesson import Lesson, Step


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
    " without one is taken off the board. White's stone on C4 lives by one lifeline: C3, C2, C1.",
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
    praise="Cut, and the stone on C4 is taken off: from near or far makes no difference.",
    missed="White's stone on C4 still sees the edge along C3, C2, C1.",
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
    missed="The corner is still connected with the rest, which White's stones touch too.",
)


def _after_incursion() -> Position:
    before = _position(
        """
        X . X X X
        . X O O .
        . . . X O
        . . X X .
        . . X . .
        """,
        Player.SECOND,
    )
    return before.play(before.game.board.point("B5"))


REFUSED = Step(
    title="A refused stone",
    words="No stone may leave a group of its own colour without a lifeline. And there is a rule"
    " against taking back at once. A placement into the opponent's territory is an *incursion*,"
    " a *minimal* one if it takes off exactly one group; after it the next turn may not be a"
    " minimal incursion too. White has just made one on B5.",
    task="Find a point where Black's stone is refused.",
    position=_after_incursion(),
    last="B5",
    wanted=None,
    praise="The frame shows what the rule speaks of.",
    missed="Here a stone is allowed. Look at the row where White has just taken three stones.",
)

END = Step(
    title="The end",
    words="Nobody passes, and no points are counted. Whoever alone has stones on the board has won,"
    " from the end of White's first turn on; who has no placement left on their turn has lost.",
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
    praise="White has no stone left: Black alone is on the board and has won.",
    missed="White's stone on C4 still has its lifeline down column C.",
)

LESSON = Lesson(Leblin, (GROUP, LIFELINE, TERRITORY, REFUSED, END))
