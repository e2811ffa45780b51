"""Turns, lines and region owners, shared by Linage, Two-color Linage and Parity Linage.

A *region* is a maximal set of connected empty points. A *line* is a run of `line` empty points in
one row or one column (docs/rules/linage.md).
"""

from typing import Generic, Self, TypeVar

import attrs

from linage_bot.rules.boards import Board, Points, bits
from linage_bot.rules.game import PASS, Area, Game, IllegalityReason, Move, Player, Position

GameT = TypeVar("GameT", bound=Game)


@attrs.frozen(kw_only=True, repr=False)
class PlacingPosition(Position, Generic[GameT]):
    """A position of a game in which stones are placed and never removed."""

    game: GameT
    passes: int = 0  # in succession, up to the last turn

    @property
    def over(self) -> bool:
        """Whether two passes in succession have ended the game; nothing else does."""
        return self.passes == 2

    def why_impossible(self) -> IllegalityReason | None:
        """Return an error for more than two passes in succession."""
        return IllegalityReason("more than two passes in a row") if self.passes > 2 else None

    def ending(self) -> str:
        """Return a sentence on the end of the game, which is always by two passes."""
        return "Two passes in a row ended the game." if self.over else ""

    def after(self, move: Move) -> Self:
        """Return the position after a legal move."""
        next_player = self.to_move.other
        if move == PASS:
            return attrs.evolve(self, to_move=next_player, passes=self.passes + 1)
        stone = 1 << move
        if self.to_move is Player.FIRST:
            return attrs.evolve(self, to_move=next_player, first=self.first | stone, passes=0)
        return attrs.evolve(self, to_move=next_player, second=self.second | stone, passes=0)


@attrs.frozen
class Regions:
    """The regions of a position, sorted by owner."""

    free: Points
    vertical: Points  # owned by Vertical, that is First
    horizontal: Points
    areas: tuple[Area, ...]

    def owned_by(self, player: Player) -> Points:
        """Return the points of the regions that a player owns."""
        return self.horizontal if player else self.vertical


def horizontal_lines(board: Board, empty: Points, line: int) -> Points:
    """Return all points that lie on a horizontal line."""
    return _from_starts(board, _starts(board, empty, line, 1, 0), line, 1, 0)


def vertical_lines(board: Board, empty: Points, line: int) -> Points:
    """Return all points that lie on a vertical line."""
    return _from_starts(board, _starts(board, empty, line, 0, 1), line, 0, 1)


def _starts(board: Board, empty: Points, line: int, columns: int, rows: int) -> Points:
    """Return the points from which a line runs in the direction (columns, rows)."""
    starts = empty
    for _ in range(line - 1):
        starts = empty & board.shift(starts, -columns, -rows)
    return starts


def _from_starts(board: Board, starts: Points, line: int, columns: int, rows: int) -> Points:
    runs = starts
    for _ in range(line - 1):
        runs |= board.shift(runs, columns, rows)
    return runs


def stranding(board: Board, empty: Points, candidates: Points, line: int) -> Points:
    """Return the candidates on which a stone would leave some region without a line.

    "After a placement every region on the board must include at least one line." A placement
    changes only its own region, into parts that each contain a neighbour of the point. So if every
    empty neighbour lies on a line that avoids the point, every part has a line; whole-set shifts
    find these points, the great majority, at once. The others are tried one by one.
    """
    across = horizontal_lines(board, empty, line)
    upright = vertical_lines(board, empty, line)
    proven = candidates
    for columns, rows, crossing in (
        (1, 0, upright),
        (-1, 0, upright),
        (0, 1, across),
        (0, -1, across),
    ):
        # A neighbour's line avoids the point if it crosses the step or leads away from it.
        safe = crossing | _starts(board, empty, line, columns, rows)
        proven &= ~board.shift(empty & ~safe, -columns, -rows)
    stranding = 0
    for point in bits(candidates & ~proven):
        if not every_region_has_a_line(board, empty & ~(1 << point), line):
            stranding |= 1 << point
    return stranding


def every_region_has_a_line(board: Board, empty: Points, line: int) -> bool:
    """Return whether every region includes at least one line."""
    return not without_a_line(board, empty, line)


def without_a_line(board: Board, empty: Points, line: int) -> Points:
    """Return the points of the regions that include no line."""
    lines = horizontal_lines(board, empty, line) | vertical_lines(board, empty, line)
    return empty & ~board.flood(lines, empty)


def regions(board: Board, empty: Points, line: int) -> Regions:
    """Return the regions with their owners.

    "A region is owned by Vertical if it contains no horizontal line, owned by Horizontal if it
    contains no vertical line, and free otherwise."
    """
    across = horizontal_lines(board, empty, line)
    upright = vertical_lines(board, empty, line)
    points: dict[Player | None, Points] = {None: 0, Player.FIRST: 0, Player.SECOND: 0}
    areas = []
    for region in board.components(empty):
        owner = None
        if not region & across:
            owner = Player.FIRST
        elif not region & upright:
            owner = Player.SECOND
        points[owner] |= region
        areas.append(Area("region", region, owner))
    return Regions(points[None], points[Player.FIRST], points[Player.SECOND], tuple(areas))
