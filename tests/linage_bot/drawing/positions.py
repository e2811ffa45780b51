"""Positions to draw."""

import attrs

from linage_bot.rules import GAMES


def position_of(game, size, first="", second="", **options):
    """A position with these stones."""
    made = GAMES[game].configure(size, None, options)
    stones = [
        sum(1 << made.board.point(vertex) for vertex in side.split()) for side in (first, second)
    ]
    return attrs.evolve(made.start(), first=stones[0], second=stones[1])
