"""What the rules of Linage and of Two-color Linage show alike, for any length of line."""

from linage_bot.drawing import Picture
from linage_bot.rules.boards import bits
from linage_bot.rules.game import Game, Player
from linage_bot.rules.line_games import LineGame
from linage_bot.teaching.example import (
    Example,
    marked,
    others,
    owned_by,
    pocket,
    refused,
    three_regions,
)
from linage_bot.teaching.words import COUNT, listed, points


def regions(game: LineGame) -> Example:
    """One region of each kind."""
    position = three_regions(game, game.line)
    first, second = (owned_by(position, player).bit_count() for player in Player)
    wide = COUNT[game.line]
    return Example(
        name="regions",
        after="*free*",
        picture=Picture(position, "Vertical's, Horizontal's, and a free region"),
        words=f"The region on the left is nowhere {wide} points wide, so it has no horizontal line:"
        f" Vertical owns its {points(first)}. The one at the top right is nowhere {wide} points"
        f" high, so it has no vertical line: Horizontal owns its {points(second)}. The third has"
        " lines of both kinds and is free. Owned regions stay owned, since stones never leave the"
        " board and no line comes back.",
    )


def stranding(game: Game, line: int) -> Example:
    """Points where a stone would leave a region without a line."""
    position = pocket(game, line - 1)
    board = position.game.board
    crossed = refused(position)
    point = max(bits(crossed & ((1 << board.columns) - 1)))  # the way out of the corner
    obstacle = position.obstacle(point)
    assert obstacle is not None
    left = listed(board.vertices(obstacle.points))
    return Example(
        name="stranding",
        after="On your turn",
        picture=Picture(position, "No stone on a cross", marks=marked(cross=crossed)),
        words=f"A stone on {board.vertex(point)} would cut off {left}, a region without a line of"
        f" {COUNT[line]}. So it is refused, whoever places it{others(crossed)}.",
    )
