"""Illustrations of the rules: positions on small boards that match a game's options."""

from typing import TypeVar

import attrs

from linage_bot.drawing import Mark, Picture
from linage_bot.rules.boards import Points, SquareBoard, bits
from linage_bot.rules.game import Area, Game, Player, Position
from linage_bot.teaching.words import listed

AnyGame = TypeVar("AnyGame", bound=Game)


@attrs.frozen(kw_only=True)
class Example:
    """A picture that illustrates a paragraph of `Game.rules`."""

    name: str  # of its file, after the game's id
    after: str  # text that occurs in its paragraph only
    picture: Picture  # with a short caption
    words: str  # the explanation of the picture


@attrs.frozen
class Paragraph:
    """A paragraph of the rules with its pictures."""

    text: str
    examples: tuple[Example, ...] = ()


def marked(**kinds: Points) -> dict[int, Mark]:
    """Return the mark of each point, from a set of points for each name of a mark."""
    return {point: kind for kind, points in kinds.items() for point in bits(points)}  # type: ignore[misc]


def refused(position: Position) -> Points:
    """Return the empty points on which the player to move may not place."""
    return position.empty & ~position.placements()


def owned_by(position: Position, player: Player | None) -> Points:
    """Return the points of the areas with this owner."""
    return sum(area.points for area in position.areas() if area.owner is player)


def territories(position: Position) -> tuple[Area, ...]:
    """Return the coloured areas, without those shown as dots, which both players may share."""
    return tuple(area for area in position.areas() if area.shown != "dots")


def others(crossed: Points) -> str:
    """Return the end of a sentence about one cross, or an empty string if there is only one."""
    return ", and so are stones on the other crosses" if crossed & (crossed - 1) else ""


def on_board(game: AnyGame, columns: int, rows: int) -> AnyGame:
    """Return the game with the same options on a board of this size."""
    return attrs.evolve(game, board=SquareBoard.of(columns, rows))


def with_stones(game: Game, first: Points, second: Points = 0) -> Position:
    """Return the position with these stones and First to move."""
    position: Position = attrs.evolve(game.start(), first=first, second=second)
    return position


def three_regions(game: Game, line: int) -> Position:
    """Return a position with regions of Vertical (left) and Horizontal (top), and a free one.

    In games of two colours black stones are next to Vertical's, white ones next to Horizontal's.
    """
    side = 2 * line + 1
    game = on_board(game, side, side)
    wall = sum(1 << row * side + line - 1 for row in range(side))
    beam = sum(1 << (side - line) * side + column for column in range(line, side))
    return with_stones(game, wall, beam)


def cut_off(game: Game, size: int, name: str, words: str) -> Example:
    """Return an example of a corner of `size` points with one exit, which no stone may close.

    `words` is a template with the fields `{stone}` for the exit, `{left}` for the points that would
    be cut off, and `{others}` for the other forbidden points.
    """
    columns = size + 4
    game = on_board(game, columns, max(4, size + 2))
    position = with_stones(game, sum(1 << columns + column for column in range(size)))
    crossed = refused(position)
    point = max(bits(crossed & ((1 << columns) - 1)))  # the exit
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
