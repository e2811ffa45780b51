"""Teaching material for Gardar: enclosures decide which stones die, loops which stones score."""

from linage_bot.drawing import Picture
from linage_bot.rules.game import PASS, Player, Position
from linage_bot.rules.gardar import Gardar, dead
from linage_bot.rules.loops import perimeter_loops
from linage_bot.teaching.diagrams import shown
from linage_bot.teaching.example import Example, marked
from linage_bot.teaching.lesson import Lesson, Step
from linage_bot.teaching.words import counted

AIM = (
    "Enclose empty points with rings of stones: the stones of your outer loops score, every "
    "other stone costs a point."
)


def _position(diagram: str, side: str = "4") -> Position:
    return shown(Gardar.configure(side), diagram)


def _enclosures(position: Position, player: Player) -> int:
    return sum(area.owner is player for area in position.areas())


def _loop(position: Position, player: Player) -> int:
    """Return the number of a player's loop stones."""
    stones = (position.first, position.second)[player]
    return perimeter_loops(position.game.board, stones).bit_count()


def _score(position: Position, player: Player) -> float:
    scores = position.scores()
    assert scores is not None
    return scores[player]


ENCLOSURE = Step(
    title="Enclosure",
    words="Black and White place stones of their own colour. An *enclosure* is a set of connected"
    " empty points, none of them on the board's edge. The player with more stones next to"
    " it *controls* it.",
    task="You play Black. Enclose D4.",
    position=_position(
        """
           O . . .
          . . . . .
         . . X X . .
        . . X . . X .
         . . X X X .
          . . . . .
           O . . .
        """
    ),
    wanted=lambda after: _enclosures(after, Player.FIRST) > 0,
    praise="All stones next to it are Black's: Black controls the enclosure.",
    missed="D4 still has a way out to the board's edge.",
)

DEAD = Step(
    title="Dead stones",
    words="With equal numbers an enclosure is *shared*. A stone is *dead* if it is next to an"
    " enclosure that the enemy controls, unless it is also next to an enclosure that is shared or"
    " that its own player controls. After a placement all dead enemy stones are taken off at once."
    " Around D4 there are three black stones, two white ones, and a gap.",
    task="Take off White's two stones beside D4.",
    position=_position(
        """
           O . . .
          . . . . .
         . . X . . .
        . . X . X . .
         . . O O . .
          . . . . .
           O . . .
        """
    ),
    wanted=lambda after: after.second.bit_count() == 2,
    praise="Four black stones to two white ones: Black controlled D4, and White's two stones are"
    " gone.",
    missed="D4 still has a way out to the edge: it is no enclosure, and nothing dies.",
)

LOOP = Step(
    title="Loop",
    words="A *group* is a set of connected stones of one colour. A *hole* of a group is a part of"
    " the board that the group cuts off from the edge. A group with a hole has a *loop*, the ring"
    " of its stones around the hole. Each loop stone scores a point; every other stone costs a"
    " point.",
    task="Close Black's loop.",
    position=_position(
        """
           O . . .
          . . . . .
         . . X X . .
        . . X . . . .
         . . X X . .
          . . . . .
           . . O O
        """
    ),
    wanted=lambda after: _loop(after, Player.FIRST) > 0,
    praise=lambda after: (
        f"{_loop(after, Player.FIRST)} loop stones: Black has"
        f" {counted(_score(after, Player.FIRST))} points, and had −5 before."
    ),
    missed=lambda after: (
        "No loop yet: every black stone costs a point, so Black has"
        f" {counted(_score(after, Player.FIRST))}."
    ),
)


def _after_throws() -> Position:
    """Return a position in which each side has put a stone into the other's ring."""
    before = _position(
        """
           . . . .
          . . . O O
         . X X O . O
        . X . X O O .
         . X X . . .
          . . . . .
           . . . .
        """
    )
    board = before.game.board
    return before.play(board.point("F5")).play(board.point("C4"))


REFUSED = Step(
    title="A refused stone",
    words="A placement may not recreate the board as it was after any of your own earlier turns."
    " Black put a stone into White's ring, on F5. White put a stone into Black's ring, on C4, and"
    " so took off the stone on F5.",
    task="Find the point where Black's stone is refused: it would take off C4 and recreate an"
    " earlier board.",
    position=_after_throws(),
    last="C4",
    wanted=None,
    praise="The frame shows the stone that would be taken off again.",
    missed="A stone is allowed here: the board would be a new one.",
)


def _count(position: Position) -> str:
    first, second = (_score(position, player) for player in Player)
    result = position.result()
    assert result.winner is not None
    assert result.margin is not None
    winner = position.game.players[result.winner]
    return (
        f"Black has {_loop(position, Player.FIRST)} loop stones and half a point for passing first:"
        f" {counted(first)}. White has {_loop(position, Player.SECOND)} minus one other stone:"
        f" {counted(second)}. {winner} wins by {counted(result.margin)}."
    )


END = Step(
    title="The end and the count",
    words="Two passes in a row end the game. The player who passed first gets half a point. You"
    " score your loop stones, minus all your other stones. White adds *komi*, points for moving"
    " second: 0 here.",
    task="Another stone would only cost you a point. Press Pass; White will pass too.",
    position=_position(
        """
           . . . .
          . . . O O
         . X X O . O
        . X . X O O .
         . X X . . .
          . . . . .
           . . . O
        """
    ),
    wanted=lambda after: getattr(after, "passes", 0) == 1,
    praise=_count,
    missed=lambda after: (
        f"With that stone Black would have {counted(_score(after, Player.FIRST))}, less than"
        " before: it is in no loop."
    ),
    replies=(PASS,),
)

LESSON = Lesson(Gardar, (ENCLOSURE, DEAD, LOOP, REFUSED, END))


def examples(_game: Gardar) -> tuple[Example, ...]:
    """Return the pictures for the rules."""
    return (_control(), _dead(), _ring(), _solid())


def _control() -> Example:
    """Return an example of an enclosure that Black controls, and a shared one."""
    position = _position(
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
        "5",
    )
    return Example(
        name="control",
        after="*enclosure*",
        picture=Picture(position, "Four to two, and three to three"),
        words="The enclosure on the left, C5, has four black stones next to it and two white ones:"
        " Black controls it. The one on the right, G5, has three of each: it is shared.",
    )


def _dead() -> Example:
    """Return an example of a dead stone, and one that a shared enclosure saves."""
    position = _position(
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
        "5",
    )
    board = position.game.board
    doomed = dead(board, position.second, position.first)
    marks = marked(cross=doomed, triangle=1 << board.point("D5"))
    return Example(
        name="dead",
        after="*dead*",
        picture=Picture(position, "The cross is dead, the triangle is kept", marks=marks),
        words="Black controls C5, four stones to two, and E5 is shared. The white stone on C4 is"
        " next to Black's enclosure only, so it is dead. The white stone on D5 is next to Black's"
        " enclosure, but also to the shared one, so it is not dead. When Black next places a stone,"
        " anywhere, the stone on C4 is taken off.",
    )


def loops(position: Position) -> int:
    """Return the loop stones of both players."""
    board = position.game.board
    return perimeter_loops(board, position.first) | perimeter_loops(board, position.second)


def _ring() -> Example:
    """Return an example of six loop stones."""
    position = _position(
        """
           . . . .
          . . . . .
         . . X X . .
        . . X . X . .
         . . X X . .
          . . . . .
           . . . .
        """
    )
    marks = marked(circle=loops(position))
    return Example(
        name="ring",
        after="You score",
        picture=Picture(position, "Six loop stones: 6 points", marks=marks),
        words="The ring has six loop stones and no other stones, so it scores 6.",
    )


def _solid() -> Example:
    """Return an example of twelve loop stones and six surplus stones."""
    position = _position(
        """
           . . . .
          . X X X .
         . X X X X .
        . X X . X X .
         . X X X X .
          . X X X .
           . . . .
        """
    )
    marks = marked(circle=loops(position))
    return Example(
        name="solid",
        after="You score",
        picture=Picture(position, "Twelve loop stones, six others: 6 points", marks=marks),
        words="The solid hexagon has 18 stones: the 12 circled ones are loop stones, the six inside"
        " are not, so it scores 12 − 6 = 6. Twelve more stones than the ring earned nothing.",
    )
