"""Pictures that go with the rules: positions on small boards, drawn for the options at hand."""

from typing import TypeVar

import attrs

from linage_bot.drawing import Mark, Picture
from linage_bot.rules.boards import Points, SquareBoard, bits
from linage_bot.rules.game import Area, Game, Player, Position
from linage_bot.teaching.words import listed

AnyGame = TypeVar("AnyGame", bound=Game)


@attrs.frozen(kw_only=True)
class Example:
    """A picture that stands with a paragraph of `Game.rules`."""

    name: str  # of its file, with the game's id before it
    after: str  # words that the paragraph has, and no other
    picture: Picture  # its caption says what it shows
    words: str  # what is to be seen in it


@attrs.frozen
class Paragraph:
    """A paragraph of the rules with its pictures."""

    text: str
    examples: tuple[Example, ...] = ()


def marked(**kinds: Points) -> dict[int, Mark]:
    """Sets of points with a mark each, by the mark's name."""
    return {point: kind for kind, points in kinds.items() for point in bits(points)}  # type: ignore[misc]


def refused(position: Position) -> Points:
    """The empty points on which the player to move may not place."""
    return position.empty & ~position.placements()


def owned_by(position: Position, player: Player | None) -> Points:
    """The points of the areas with this owner."""
    return sum(area.points for area in position.areas() if area.owner is player)


def territories(position: Position) -> tuple[Area, ...]:
    """The areas that are coloured, without dots that may belong to both players at once."""
    return tuple(area for area in position.areas() if area.shown != "dots")


def others(crossed: Points) -> str:
    """The end of a sentence about one cross, if there are more."""
    return ", and so are stones on the other crosses" if crossed & (crossed - 1) else ""


def on_board(game: AnyGame, columns: int, rows: int) -> AnyGame:
    """The game with its options on a board of this size."""
    return attrs.evolve(game, board=SquareBoard.of(columns, rows))


def with_stones(game: Game, first: Points, second: Points = 0) -> Position:
    """The position with these stones, First to move."""
    position: Position = attrs.evolve(game.start(), first=first, second=second)
    return position


def three_regions(game: Game, line: int) -> Position:
    """One region of each kind: Vertical's on the left, Horizontal's at the top, and a free one.

    In games of two colours black stones stand beside Vertical's, white ones beside Horizontal's.
    """
    side = 2 * line + 1
    game = on_board(game, side, side)
    wall = sum(1 << row * side + line - 1 for row in range(side))
    beam = sum(1 << (side - line) * side + column for column in range(line, side))
    return with_stones(game, wall, beam)


def cut_off(game: Game, size: int, name: str, words: str) -> Example:
    """A corner of so many points with one way out, which no stone may close.

    `words` tell of a `{stone}` there, of the points that would be `{left}` and of the `{others}`.
    """
    columns = size + 4
    game = on_board(game, columns, max(4, size + 2))
    position = with_stones(game, sum(1 << columns + column for column in range(size)))
    crossed = refused(position)
    point = max(bits(crossed & ((1 << columns) - 1)))  # the way out
    obstacle = position.obstacle(point)
    assert obstacle is not None
    name_of = position.game.board.vertex
    return Example(
        name=name,
        after="On your turn",
        picture=Picture(position, "No stone on a cross", marks=marked(cross=crossed)),
        words=words.format(
            stone=name_of(point),
            left=listed([name_of(each) for each in bits(obstacle.points)]),
            others=others(crossed),
        ),
    )
