"""Teaching material for Two-color Linage: regions as in Linage, but adjacent stones score."""

import attrs

from linage_bot.drawing import Picture
from linage_bot.rules.game import PASS, Player, Position
from linage_bot.rules.lines import horizontal_lines
from linage_bot.rules.two_color_linage import TwoColorLinage, TwoColorLinagePosition
from linage_bot.teaching.diagrams import shown, size_of
from linage_bot.teaching.example import Example, marked, owned_by, three_regions
from linage_bot.teaching.lesson import Lesson, Step
from linage_bot.teaching.lines import regions, stranding
from linage_bot.teaching.words import counted, points

AIM = (
    "As in Linage, each player cuts off regions in which the other has no line, but what "
    "scores are one's own stones beside one's own regions."
)


def _position(diagram: str, to_move: Player = Player.FIRST) -> Position:
    return shown(TwoColorLinage.configure(size_of(diagram)), diagram, to_move)


def _score(position: Position, player: Player) -> float:
    """Return a player's score without komi."""
    scores = position.scores()
    assert scores is not None
    return scores[player] - (position.game.komi if player else 0)


REGION = Step(
    title="Region",
    words="Vertical places black stones, Horizontal white ones. A *region* is a set of empty points"
    " that are connected along rows and columns; the colour of the stones around it does not"
    " matter. Here all empty points are one region: its halves are joined at D4.",
    task="You play Vertical, with the black stones. Cut the board into two regions.",
    position=_position(
        """
        . . . X . . .
        . . . O . . .
        . . . X . . .
        . . . . . . .
        . . . O . . .
        . . . X . . .
        . . . O . . .
        """
    ),
    wanted=lambda after: len(after.areas()) == 2,
    praise="Two regions. Stones never leave the board, so the regions stay separate.",
    missed="That leaves one region: its halves are still joined at D4.",
)

LINE = Step(
    title="Line",
    words="A *line* is three empty points side by side in one row or one column. In this region"
    " every column has a line, but only one row has one: A3 B3 C3. A region without a horizontal"
    " line is owned by Vertical, a region without a vertical line by Horizontal.",
    task="Make the region Vertical's: leave no row with a line.",
    position=_position(
        """
        X . .
        O . .
        . . .
        . . X
        . . O
        """
    ),
    wanted=lambda after: not horizontal_lines(after.game.board, after.empty, 3),
    praise="No row has a line any more, so the region is Vertical's and shown in blue."
    " Horizontal's regions are orange.",
    missed="A3, B3 and C3 are still empty: that is a line in a row.",
)

OWNER = Step(
    title="Owner",
    words="A *group* is a set of connected stones of one colour. A group that is next to a region"
    " that you own scores a point for each of its stones. The three black stones in column C are"
    " next to Vertical's region, the two in row 3 are not.",
    task="Place a black stone so that all black stones score.",
    position=_position(
        """
        . . X . . . .
        . . X . . . .
        . . X . X X .
        . . O . . . .
        . . O . . . .
        """
    ),
    wanted=lambda after: _score(after, Player.FIRST) == after.first.bit_count(),
    praise=lambda after: (
        "Now all black stones are one group next to Vertical's region:"
        f" {points(int(_score(after, Player.FIRST)))}. It was 3 before."
    ),
    missed=lambda after: (
        f"That makes {points(int(_score(after, Player.FIRST)))}: E3 and F3 are not yet in a group"
        " next to Vertical's region."
    ),
)

REFUSED = Step(
    title="A refused stone",
    words="Every empty point is open to both players, no matter who owns its region. But after a"
    " placement every region must contain a line. A stone that would leave a region without a line"
    " is refused.",
    task="Find a point where a stone is refused.",
    position=_position(
        """
        . . . . .
        . . . . .
        . . . . .
        X O . . .
        . . . . .
        """
    ),
    wanted=None,
    praise="The frame marks the points that this stone would leave without a line.",
    missed="A stone is allowed here: every region would still contain a line. Look for a few"
    " points with only one way out.",
)


def _count(position: Position) -> str:
    first, second = (_score(position, player) for player in Player)
    result = position.result()
    assert result.winner is not None
    assert result.margin is not None
    winner = position.game.players[result.winner]
    return (
        f"Vertical scores {counted(first)} stones, Horizontal {counted(second)} and komi"
        f" {counted(position.game.komi)}: {winner} wins by {counted(result.margin)}."
    )


END = Step(
    title="The end and the count",
    words="Two passes in a row end the game. A stone scores if its group is next to a region of"
    " its player. Horizontal adds *komi*, points for moving second: 0.5 here. The black stone on G4"
    " and the white one on A1 are next to no region of their players, so they score nothing.",
    task="Any stone would leave a region without a line, so no stone can be placed. Press Pass;"
    " Horizontal will pass too.",
    position=_position(
        """
        X X O O . . .
        O X X O O O O
        X O X X . O O
        . X X X . O X
        . O X X . O O
        . O X X X X O
        O X X O . . .
        """
    ),
    wanted=lambda after: getattr(after, "passes", 0) == 1,
    praise=_count,
    missed="No stone can be placed any more: press Pass.",
    replies=(PASS,),
)

LESSON = Lesson(TwoColorLinage, (REGION, LINE, OWNER, REFUSED, END))


def examples(game: TwoColorLinage) -> tuple[Example, ...]:
    """Return the pictures for the rules, with the game's line length and `count_regions`."""
    return (regions(game), stranding(game, game.line), _scoring(game))


def _scoring(game: TwoColorLinage) -> Example:
    """Return an example of the stones that score."""
    walls = three_regions(game, game.line)
    board = walls.game.board
    lone = board.columns - 1  # at the bottom right
    position = attrs.evolve(walls, second=walls.second | 1 << lone)
    assert isinstance(position, TwoColorLinagePosition)
    scoring = [position.scoring(player) for player in Player]
    first, second = position.scores()
    counts = [points(stones.bit_count()) for stones in scoring]
    if game.count_regions:
        for player in Player:
            counts[player] += f" and {owned_by(position, player).bit_count()} for its region"
        counts[Player.FIRST] += f", so {counted(first)}"
    return Example(
        name="scoring",
        after="*group*",
        picture=Picture(
            position, "Circled stones score", marks=marked(circle=scoring[0] | scoring[1])
        ),
        words="The black stones are one group next to Vertical's region. The white stones next to"
        " Horizontal's region score, too. The white stone on"
        f" {board.vertex(lone)} touches only the free region. Vertical has {counts[0]};"
        f" Horizontal has {counts[1]}, with komi {counted(second)}.",
    )
