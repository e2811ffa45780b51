"""Leblin — Saïd Galdseid, 2023.

Black (First) and White place stones of their own colour; the board starts empty. No passing.
A lifeline of a stone is a straight run of empty points, at least one, from it to the board's edge
or to a friendly stone; a group lives while any of its stones has one. A territory is a region of
empty points; one owns it if all stones next to it, at least one, are one's own.
Place a stone, then remove all enemy groups without a lifeline; no friendly group may lack one then.
A placement into a territory that the opponent owns is an incursion, minimal if it removes exactly
one group; a minimal one may not follow a minimal one. From the end of Second's first turn on, the
player who alone has stones on the board has won. Stone pie.

Ruling: straight lines and connection are orthogonal; an edge stone has no lifeline towards its own
edge, since the run would be empty.
Ruling: a player who has no legal placement on their turn has lost.
Ruling: where Second has the first turn, from a set-up, who alone has stones wins only from the end
of First's first turn on.
Ruling: a game longer than `20 * columns * rows` turns is a draw by length, and only then.
The law here: docs/rules/leblin.md.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import attrs

from linage_bot.rules.boards import Board, Point, Points, SquareBoard, bits
from linage_bot.rules.game import (
    Area,
    Game,
    IllegalityReason,
    Move,
    Player,
    PointCount,
    Position,
    Result,
)

TURNS_PER_POINT = 20  # longer games are drawn


@attrs.frozen
class Leblin(Game):
    """Leblin on its board; there is neither komi nor option."""

    id = "leblin"
    name = "Leblin"
    author = "Saïd Galdseid"
    year = 2023
    board_kind = SquareBoard
    default_size = "9"
    pie = "stone"
    counts_points = False

    @property
    def longest(self) -> int:
        """The largest number of turns; one more makes the game a draw by length."""
        return TURNS_PER_POINT * self.board.count

    @property
    def move_limit(self) -> int:
        """The largest number of moves: the one that makes the game too long still counts."""
        return self.longest + 1

    def start(self) -> LeblinPosition:
        """Return the empty board; Black moves first."""
        return LeblinPosition(game=self)

    def rules(self) -> tuple[str, ...]:
        """Return the rules in words; there are no options."""
        first, second = self.players
        return (
            f"{first} and {second} place stones of their own colour. The board starts empty, and"
            f" {first} begins. There is no passing.",
            "A *group* is a set of stones of one colour that are connected along rows and columns."
            " A *lifeline* is a straight run of empty points, at least one, in a row or column"
            " from a stone to the board's edge or to another stone of its colour. A group lives"
            " while any of its stones has a lifeline.",
            "On your turn place a stone on an empty point. Your opponent's groups without a"
            " lifeline are then taken off the board. You may not leave one of your own groups"
            " without a lifeline.",
            "A *territory* is a set of connected empty points; it is yours if there are stones"
            " next to it and all of them are yours. A placement into your opponent's territory is"
            " an *incursion*; an incursion that takes off exactly one group is *minimal*. The turn"
            " after a minimal incursion may not be a minimal incursion.",
            f"From the end of {second}'s first turn on, a player wins when the opponent has no"
            " stones on the board. A player who has no legal placement on their turn loses."
            f" A game of more than {self.longest} turns is a draw.",
        )


class Placement(NamedTuple):
    """The effects of a placement, legal or not."""

    own: Points  # the stones after it
    enemy: Points
    minimal: bool  # a minimal incursion
    lifeless: Points  # one's own groups without a lifeline: then it is illegal


@attrs.frozen(kw_only=True, repr=False)
class LeblinPosition(Position):
    """A position of Leblin, with the two parts of its past on which the rules depend."""

    game: Leblin
    turns: int = 0
    after_minimal: bool = False  # the previous turn was a minimal incursion
    incursion: Points = attrs.field(default=0, eq=False)  # its stone, only for display

    @functools.cached_property
    def _end(self) -> Result | None:
        """The final result, or None while the game runs."""
        if self.turns > self.game.longest:
            return Result(None)
        # "From the end of Second's first turn on, the player who alone has stones … has won."
        if self.turns >= 2 and not (self.first and self.second):
            return Result(Player.FIRST if self.first else Player.SECOND)
        if not self._legal:
            return Result(self.to_move.other)
        return None

    @property
    def over(self) -> bool:
        """Whether one player alone has stones, or cannot move, or the game is too long."""
        return self._end is not None

    def placements(self) -> Points:
        """Return the points where the player to move may place a stone."""
        return 0 if self.over else self._legal

    @functools.cached_property
    def _legal(self) -> Points:
        return sum(1 << point for point in bits(self.empty) if self.forbids(point) is None)

    def forbids(self, point: Point) -> IllegalityReason | None:
        """Return the rule that forbids a stone on an empty point, with the stones it concerns."""
        placement = self._place(point)
        if placement.lifeless:
            reason = "a friendly group would be left without a lifeline"
            return IllegalityReason(reason, placement.lifeless)
        if placement.minimal and self.after_minimal:
            reason = "a minimal incursion may not follow a minimal incursion"
            return IllegalityReason(reason, self.incursion)
        return None

    def _place(self, point: int) -> Placement:
        """Return the effects of a stone on an empty point."""
        board, stone = self.game.board, 1 << point
        own, enemy = self.own | stone, self.enemy
        # "Then remove all enemy groups without a lifeline, at once."
        dead = lifeless(board, enemy, own)
        enemy &= ~dead
        # "An incursion is a placement into a territory the opponent owns (before the placement).
        # It is minimal if it causes exactly one enemy group to be removed."
        minimal = bool(
            dead
            and stone & self._territory[self.to_move.other]
            and board.flood(dead & -dead, dead) == dead
        )
        return Placement(own, enemy, minimal, lifeless(board, own, enemy))

    @functools.cached_property
    def territories(self) -> tuple[Area, ...]:
        """The regions; "owned if there is at least one stone next to it, all that player's"."""
        board, areas = self.game.board, []
        for region in board.components(self.empty):
            around = board.neighbours(region)
            first, second = bool(around & self.first), bool(around & self.second)
            owner = None if first == second else Player.FIRST if first else Player.SECOND
            areas.append(Area("territory", region, owner))
        return tuple(areas)

    @functools.cached_property
    def _territory(self) -> tuple[Points, Points]:
        """The points of First's and of Second's territories."""
        owned = [0, 0]
        for area in self.territories:
            if area.owner is not None:
                owned[area.owner] |= area.points
        return owned[0], owned[1]

    def may_pass(self) -> bool:
        """Return False: there is no passing."""
        return False

    def why_impossible(self) -> IllegalityReason | None:
        """Return an error if there are too many turns, or a group has no lifeline."""
        if self.turns > self.game.longest + 1:
            return IllegalityReason(f"no game has more than {self.game.longest + 1} turns")
        board, first, second = self.game.board, self.first, self.second
        dead = lifeless(board, first, second) | lifeless(board, second, first)
        return IllegalityReason("a group has no lifeline", dead) if dead else None

    def after(self, move: Move) -> LeblinPosition:
        """Return the position after a legal placement."""
        placement = self._place(move)
        stones = (placement.own, placement.enemy)
        first, second = stones[::-1] if self.to_move else stones
        return LeblinPosition(
            game=self.game,
            to_move=self.to_move.other,
            first=first,
            second=second,
            turns=self.turns + 1,
            after_minimal=placement.minimal,
            incursion=1 << move if placement.minimal else 0,
        )

    def stands_as(self, other: Position) -> bool:
        """Return whether another position is the same, ignoring the number of turns."""
        return isinstance(other, LeblinPosition) and self == attrs.evolve(other, turns=self.turns)

    def result(self) -> Result:
        """Return the final result; a draw while the game runs."""
        return self._end or Result(None)

    def areas(self) -> tuple[Area, ...]:
        """Return the territories, then the points of First's and of Second's lifelines."""
        board = self.game.board
        lines = (
            Area("lifeline", lifelines(board, own, enemy), player, shown="dots")
            for player, own, enemy in (
                (Player.FIRST, self.first, self.second),
                (Player.SECOND, self.second, self.first),
            )
        )
        return (*self.territories, *(area for area in lines if area.points))

    def ending(self) -> str:
        """Return a sentence on which of the three endings occurred; empty while the game runs."""
        if not self.over:
            return ""
        if self.turns > self.game.longest:
            return f"After {self.game.longest} turns the game is a draw."
        if self.turns >= 2 and not (self.first and self.second):
            return f"{self.game.players[bool(self.first)]} has no stone left on the board."
        return f"{self.game.players[self.to_move]} cannot place a stone."

    def tally(self) -> PointCount:
        """Return each player's number of stones and points of territory."""
        stones = (self.first.bit_count(), self.second.bit_count())
        first, second = (points.bit_count() for points in self._territory)
        counts = (f"{stones[0]} + {first}", f"{stones[1]} + {second}")
        return PointCount("Stones on the board + points of territory.", counts)


def lifeless(board: Board, own: Points, enemy: Points) -> Points:
    """Return the stones of the groups of `own` in which no stone has a lifeline."""
    empty = board.points & ~own & ~enemy
    living = 0
    for columns, rows in board.STEPS:
        living |= board.shift(_leading(board, own, empty, columns, rows), -columns, -rows)
    return own & ~board.flood(living, own)


def lifelines(board: Board, own: Points, enemy: Points) -> Points:
    """Return the points of all lifelines of `own`."""
    empty = board.points & ~own & ~enemy
    points = 0
    for columns, rows in board.STEPS:
        leading = _leading(board, own, empty, columns, rows)
        line = leading & board.shift(own, columns, rows)
        while line:
            points |= line
            line = board.shift(line, columns, rows) & empty
    return points


def _leading(board: Board, own: Points, empty: Points, columns: int, rows: int) -> Points:
    """Return the empty points from which a run in a direction ends at the edge or at `own`.

    Every round looks twice as far as the one before. Bits that wrap around from one row into the
    next change nothing: a run that long leads to the edge.
    """
    ends = board.points & ~board.shift(board.points, -columns, -rows)
    ends |= board.shift(own, -columns, -rows)
    leading, clear = ends & empty, empty  # within the distance so far: a way out, or no obstacle
    step = rows * board.columns + columns
    while clear:
        if step > 0:
            leading |= leading >> step & clear
            clear &= clear >> step
        else:
            leading |= leading << -step & clear
            clear &= clear << -step
        step *= 2
    return leading
