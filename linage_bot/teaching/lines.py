"""Illustrations shared by Linage and Two-color Linage, for any length of line."""

from linage_bot.drawing import Picture
from linage_bot.rules.game import Game, Player
from linage_bot.rules.line_games import LineGame
from linage_bot.teaching.example import Example, cut_off, owned_by, three_regions
from linage_bot.teaching.words import COUNT, points


def regions(game: LineGame) -> Example:
    """Return an example with one region of each kind."""
    position = three_regions(game, game.line)
    first, second = (owned_by(position, player).bit_count() for player in Player)
    wide = COUNT[game.line]
    return Example(
        name="regions",
        after="*free*",
        picture=Picture(position, "Vertical's, Horizontal's, and a free region"),
        words=f"The region on the left is nowhere {wide} points wide, so it has no horizontal line:"
        f" Vertical owns its {points(first)}. The region at the top right is nowhere {wide} points"
        f" high, so it has no vertical line: Horizontal owns its {points(second)}. The third region"
        " has lines of both kinds and is free. Owned regions stay owned, because stones never leave"
        " the board and so no new lines appear.",
    )


def stranding(game: Game, line: int) -> Example:
    """Return an example of points where a stone would leave a region without a line."""
    words = (
        "A stone on {stone} would cut off {left}, a region without a line of"
        f" {COUNT[line]}. So it is refused for both players{{others}}."
    )
    return cut_off(game, line - 1, "stranding", words)
