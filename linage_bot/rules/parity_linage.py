"""Parity Linage — Luis Bolaños Mures, 2016: the "related idea" in Linage's first publication.

The players share one pool of identical stones; the board starts empty.
On a turn a player passes or places a stone so that every region fulfils the condition afterwards:
it has more than `n` points (condition `size`) or includes a line of three (condition `line`).
A placement never decreases the number of regions.
First wins if the number of regions at the end is odd, Second otherwise: no draws, no komi.

Ruling: any empty point is open to both players.
Ruling: turns are as in Linage, pass or place, and two passes in succession end the game; with
`passing` off a player must place, and the game ends as soon as no placement is legal.
A board on which the empty position already breaks the condition is refused.

The law here: docs/rules/linage-parity.md.
"""

from __future__ import annotations

import functools

import attrs

from linage_bot.rules.boards import Board, Point, Points, SquareBoard, bits
from linage_bot.rules.game import (
    Area,
    Game,
    IllegalityReason,
    Player,
    PointCount,
    Result,
    ScoredItem,
)
from linage_bot.rules.lines import (
    PlacingPosition,
    stranding,
    without_a_line,
)
from linage_bot.rules.options import BadOption, option

LINE = 3


@attrs.frozen
class ParityLinage(Game):
    """Parity Linage with its board and options."""

    id = "linage-parity"
    name = "Parity Linage"
    author = "Luis Bolaños Mures"
    year = 2016
    board_kind = SquareBoard
    default_size = "15"
    players = ("First", "Second")
    one_colour = True
    counts_points = False

    condition: str = option(
        "size",
        "what every region must have: more than n points (size), or a line of three (line)",
        choices=("size", "line"),
    )
    n: int = option(
        0, "with condition size: every region must have more than n points", maximum=600
    )
    passing: bool = option(
        True, "whether players may pass; if off, a player who can place must place"
    )

    def __attrs_post_init__(self) -> None:
        """Refuse a board on which the empty position already breaks the condition."""
        # Boards are at least three points wide, so a line always fits.
        if self.condition == "size" and self.board.count <= self.n:
            points = f"the empty {self.board.shape} board has only {self.board.count}"
            raise BadOption("n", f"every region must have more than {self.n} points, {points}")

    @property
    def move_limit(self) -> int:
        """The largest number of moves: each stone, a pass before each, and two in the end."""
        return 2 * self.board.count + 2 if self.passing else self.board.count

    def start(self) -> ParityLinagePosition:
        """Return the empty board; First moves first."""
        return ParityLinagePosition(game=self)

    def rules(self) -> tuple[str, ...]:
        """Return the rules in words, with this game's condition and passing."""
        first, second = self.players
        if self.condition == "line":
            condition = (
                "every region contains a *line*: three empty points side by side in one row or"
                " column."
            )
        elif self.n:
            condition = f"every region has at least {self.n + 1} points."
        else:
            condition = (
                "there are no fewer regions than before: the last point of a region stays empty."
            )
        turn, end = "pass, or place", "Two passes in a row end the game."
        if not self.passing:
            turn, end = "place", "There is no passing: the game ends when no stone can be placed."
        return (
            f"{first} and {second} share one kind of stone: who placed one does not matter."
            f" The board starts empty, and {first} begins.",
            "A *region* is a set of empty points that are connected along rows and columns."
            f" On your turn {turn} a stone on any empty point so that afterwards {condition}",
            f"{end} If the number of regions is then odd, {first} has won; if it is even, {second}"
            " has won.",
        )


@attrs.frozen(kw_only=True, repr=False)
class ParityLinagePosition(PlacingPosition[ParityLinage]):
    """A position of Parity Linage; it keeps which player placed each stone only for records."""

    @functools.cached_property
    def regions(self) -> tuple[Points, ...]:
        """The regions of the empty points."""
        return tuple(self.game.board.components(self.empty))

    @property
    def over(self) -> bool:
        """Whether two passes have ended the game or, without passing, no placement is legal."""
        return self.passes == 2 if self.game.passing else not self._placements

    def placements(self) -> Points:
        """Return the points where either player may place a stone."""
        return 0 if self.over else self._placements

    @functools.cached_property
    def _placements(self) -> Points:
        # "A placement may never decrease the number of regions": it would by filling the last
        # point of one, and only so.
        single = self.empty & ~self.game.board.neighbours(self.empty)
        return self.empty & ~single & ~self._breaking(self.empty & ~single)

    def _breaking(self, candidates: Points) -> Points:
        """Return the candidates after which some region would break the condition."""
        if self.game.condition == "line":
            return stranding(self.game.board, self.empty, candidates, LINE)
        return crowding(self.game.board, self.regions, candidates, self.game.n)

    def may_pass(self) -> bool:
        """Return whether passing is on and the game is not over."""
        return self.game.passing and not self.over

    def forbids(self, point: Point) -> IllegalityReason | None:
        """Return the rule that forbids a stone on an empty point, and the regions breaking it."""
        board, stone, n = self.game.board, 1 << point, self.game.n
        if not board.neighbours(stone) & self.empty:
            return IllegalityReason("this would decrease the number of regions", stone)
        if not self._breaking(stone):
            return None
        left = self.empty & ~stone
        if self.game.condition == "line":
            reason = f"a region would be left without a line of {LINE} points"
            return IllegalityReason(reason, without_a_line(board, left, LINE))
        small = sum(region for region in board.components(left) if region.bit_count() <= n)
        return IllegalityReason(f"a region would be left with no more than {n} points", small)

    def why_impossible(self) -> IllegalityReason | None:
        """Return an error for a region that breaks the condition, or passes with passing off."""
        if self.passes and not self.game.passing:
            return IllegalityReason("this game is played without passing")
        if self.game.condition == "line":
            breaking = without_a_line(self.game.board, self.empty, LINE)
        else:
            breaking = sum(region for region in self.regions if region.bit_count() <= self.game.n)
        if breaking or not self.regions:
            return IllegalityReason("a region breaks the condition", breaking)
        return super().why_impossible()

    def result(self) -> Result:
        """Return the result: First wins if the number of regions is odd, Second otherwise."""
        return Result(Player.FIRST if len(self.regions) % 2 else Player.SECOND)

    def areas(self) -> tuple[Area, ...]:
        """Return the regions, numbered and without owners."""
        numbered = enumerate(self.regions, 1)
        return tuple(Area("region", region, None, number=number) for number, region in numbered)

    def counted(self) -> tuple[ScoredItem, ...]:
        """Return the regions, each with the value 1."""
        return tuple(ScoredItem("region", None, 1, region) for region in self.regions)

    def ending(self) -> str:
        """Return a sentence on the end: two passes or, without passing, no legal placement."""
        if self.over and not self.game.passing:
            return "No stone can be placed any more."
        return super().ending()

    def tally(self) -> PointCount:
        """Return the number of regions, and the player whom its parity favours."""
        count = len(self.regions)
        name = self.game.players[0 if count % 2 else 1]
        parity = "odd" if count % 2 else "even"
        return PointCount(f"{count} region{'s' * (count != 1)}: {parity}, so {name} is ahead.")


def crowding(board: Board, regions: tuple[Points, ...], candidates: Points, n: int) -> Points:
    """Return the candidates on which a stone would leave a region of `n` points or fewer.

    Candidates have an empty neighbour. A placement that does not cut its region leaves it one point
    smaller; the others, usually few, are tried one by one.
    """
    if n == 0:
        return 0
    crowding = 0
    for region in regions:
        inside = candidates & region
        if region.bit_count() - 1 <= n:
            crowding |= inside
            continue
        for point in bits(inside & perhaps_cutting(board, region)):
            parts = board.components(region & ~(1 << point))
            if any(part.bit_count() <= n for part in parts):
                crowding |= 1 << point
    return crowding


def perhaps_cutting(board: Board, region: Points) -> Points:
    """Return the points whose neighbours in the region are not joined by the 8 points around them.

    On a walk around a point, a stretch of the region ends at a neighbour that is not joined to the
    next neighbour by the corner between them. With two such ends, the point may be a cut.
    """
    sides = ((1, 0), (0, 1), (-1, 0), (0, -1))
    once = twice = 0
    for (columns, rows), (next_columns, next_rows) in zip(
        sides, sides[1:] + sides[:1], strict=True
    ):
        side = board.shift(region, -columns, -rows)
        next_side = board.shift(region, -next_columns, -next_rows)
        corner = board.shift(region, -columns - next_columns, -rows - next_rows)
        end = side & ~(corner & next_side)
        twice |= once & end
        once |= end
    return region & twice
