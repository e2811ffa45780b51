"""Games to step through on a page: the data from which `scripts/viewer.js` draws positions.

The script gets the changes of every position, so that a page may hold hundreds of games. Without
the script a page shows a picture and links.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import attrs

from linage_bot.rules.boards import HexBoard, Point, Points, bits
from linage_bot.rules.game import PASS, Game, Move, Position

OWNED: Final = 3
"""The factor for a point's owner in its look.

A look is 1 or 2 with a stone of First or Second, plus `OWNED` times 1 or 2 where the point is owned
by First or Second.
"""


def steps(
    game: Game,
    changed: Sequence[list[int]],
    moves: Sequence[Move],
    words: Iterable[str],
    notes: Mapping[int, str],
) -> dict[str, Any]:
    """Return a game for the script, as JSON values, with the shape of its board.

    Before the first move and after each there is a position, with its changed points and a line of
    `words` about it; `notes` add to some of them, by number.
    """
    board = game.board
    return {
        "board": {
            "columns": board.columns,
            "rows": board.rows,
            "hex": isinstance(board, HexBoard),
            "oneColour": game.one_colour,
        },
        "changes": changed,
        "moves": [None if move == PASS else move for move in moves],
        "words": list(words),
        "notes": notes,
    }


def changes(positions: Iterable[Position]) -> list[list[int]]:
    """Return the changes of each position, the first from a board without stones and owners."""
    seen = FrameDiffs()
    return [seen.to(position) for position in positions]


@attrs.define
class FrameDiffs:
    """A comparison of each position with the one before; the first with an empty board."""

    _before: tuple[Points, ...] = (0, 0, 0, 0)

    def to(self, position: Position) -> list[int]:
        """Return the points that look different: a point, its look, a point, its look ..."""
        now = (position.first, position.second, *owned(position))
        changed = 0
        for old, new in zip(self._before, now, strict=True):
            changed |= old ^ new
        self._before = now
        return [word for point in bits(changed) for word in (point, _look(now, point))]


def _look(board: Sequence[Points], point: Point) -> int:
    first, second, owned_by_first, owned_by_second = (points >> point & 1 for points in board)
    return first + 2 * second + OWNED * (owned_by_first + 2 * owned_by_second)


def owned(position: Position) -> tuple[Points, Points]:
    """Return the points that First and Second own.

    Of areas that overlap the last counts. Dots mark no owner.
    """
    owned = [0, 0]
    for area in position.areas():
        if area.owner is not None and area.shown != "dots":
            owned[area.owner] |= area.points
            owned[area.owner.other] &= ~area.points
    return owned[0], owned[1]
