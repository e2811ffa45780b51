"""The planes of an observation, and how to draw a position of the readable rules into them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from linage_bot.rules.boards import Points
from linage_bot.rules.game import PASS, Game, Player, Position

Planes = npt.NDArray[np.float32]

PLANES = (
    "First's stones; in games of one colour all stones",
    "Second's stones; in games of one colour none",
    "empty points",
    "points where the player to act may place a stone",
    "everywhere: Second is to move",
    "everywhere: a pass would end the game",
    "everywhere: First's pass was the game's first, where that is worth half a point",
    "everywhere: Second's pass was",
)
"""The meaning of each plane; row 0 of a plane is the board's row 1, at the bottom."""


def draw_position(
    position: Position, planes: Planes, placements: Points, *, pass_ends: bool
) -> None:
    """Write a position into the planes of `PLANES`, an array of planes, rows and columns.

    `placements` are the points where a stone may be placed, and `pass_ends` is whether a pass is
    allowed and would end the game.
    """
    game = position.game
    stones = (position.first, position.second)
    if game.one_colour:
        stones = (position.stones, 0)
    for plane, points in zip(planes, (*stones, position.empty, placements), strict=False):
        plane[:] = _marked(points, game)
    taker = _first_passer(position)
    everywhere = (
        position.to_move is Player.SECOND,
        pass_ends,
        taker is Player.FIRST,
        taker is Player.SECOND,
    )
    planes[4:] = np.array(everywhere, np.float32)[:, None, None]


def pass_would_end(position: Position) -> bool:
    """Return whether the player to move may pass and that would end the game."""
    return position.may_pass() and position.after(PASS).over


def points_of(game: Game) -> npt.NDArray[np.bool_]:
    """Return for each point of the board's array, row by row, whether the board has it."""
    return _marked(game.board.points, game).reshape(-1).astype(np.bool_)


def _marked(points: Points, game: Game) -> Planes:
    """Return a plane with ones on a set of points."""
    rows, columns = game.board.rows, game.board.columns
    words = np.frombuffer(points.to_bytes((rows * columns + 7) // 8, "little"), np.uint8)
    marks = np.unpackbits(words, count=rows * columns, bitorder="little")
    return marks.reshape(rows, columns).astype(np.float32)


def _first_passer(position: Position) -> Player | None:
    """Return the player who has the half point for the first pass, None if there is none.

    The name of this field depends on the game's rule book.
    """
    names = ("button_taker", "first_passer")
    takers = [getattr(position, name, None) for name in names]
    return next((taker for taker in takers if taker is not None), None)
