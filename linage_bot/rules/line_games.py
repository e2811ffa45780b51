"""Base classes of Linage and Two-color Linage: lines, owned regions, komi and the button.

The two differ in where a player may place a stone and in how they score; each defines both.
"""

import abc
import functools
from collections.abc import Iterator
from typing import Self, TypeVar

import attrs

from linage_bot.rules.boards import Point, Points, SquareBoard
from linage_bot.rules.game import PASS, Area, Game, IllegalityReason, Move, Player, ScoredItem
from linage_bot.rules.lines import (
    PlacingPosition,
    Regions,
    every_region_has_a_line,
    regions,
    stranding,
    without_a_line,
)
from linage_bot.rules.options import BadOption, option

_COUNTED = {2: "two", 3: "three", 4: "four", 5: "five"}


@attrs.frozen
class LineGame(Game):
    """A game of Vertical and Horizontal, with its board, komi and options."""

    author = "Luis Bolaños Mures"
    year = 2016
    board_kind = SquareBoard
    default_size = "15"
    default_komi = 0.5
    komi_step = 0.5
    pie = "komi"
    players = ("Vertical", "Horizontal")
    directed = True

    line: int = option(3, "how many empty points in a row make a line", minimum=2, maximum=5)
    button: bool = option(
        False, "the first pass of the game takes half a point and does not count as a pass"
    )

    def __attrs_post_init__(self) -> None:
        """Refuse a board on which even the empty position breaks the rule of lines."""
        if self.line > max(self.board.columns, self.board.rows):
            raise BadOption("line", f"no line of {self.line} fits on a {self.board.shape} board")

    @property
    def move_limit(self) -> int:
        """The largest number of moves: a pass before each stone, two in the end, the button."""
        return 2 * self.board.count + 2 + self.button

    @abc.abstractmethod
    def _stones_in_words(self) -> str:
        """Return a sentence on which stones belong to which player."""

    @abc.abstractmethod
    def _where_in_words(self) -> str:
        """Return the end of a sentence on where a player may place a stone, with its full stop."""

    @abc.abstractmethod
    def _score_in_words(self) -> str:
        """Return a sentence on the points that a player scores."""

    def rules(self) -> tuple[str, ...]:
        """Return the rules in words, with this game's line, button, komi and subclass sentences."""
        first, second = self.players
        button = (
            " The first pass of the game takes the *button*, which is worth half a point. This pass"
            " ends the turn, but it is not one of the two that end the game."
        )
        return (
            f"{self._stones_in_words()} The board starts empty, and {first} begins.",
            "A *region* is a set of empty points that are connected along rows and columns."
            f" A *line* is {_COUNTED[self.line]} empty points side by side in one row or column.",
            f"A region without a horizontal line is owned by {first}. A region without a vertical"
            f" line is owned by {second}. Any other region is *free*.",
            f"On your turn pass, or place a stone {self._where_in_words()} After a placement every"
            " region on the board must contain a line.",
            f"Two passes in a row end the game.{button if self.button else ''}",
            f"{self._score_in_words()} {self._komi_in_words()}"
            " The higher score wins; equal scores are a draw.",
        )


LineGameT = TypeVar("LineGameT", bound=LineGame)


@attrs.frozen(kw_only=True, repr=False)
class LinePosition(PlacingPosition[LineGameT]):
    """A position in which every region includes a line."""

    button_taker: Player | None = None

    @functools.cached_property
    def regions(self) -> Regions:
        """The regions of the empty points and their owners."""
        return regions(self.game.board, self.empty, self.game.line)

    @abc.abstractmethod
    def _open(self) -> Points:
        """Return the empty points open to the player to move, apart from the rule of lines."""

    def _openness(self) -> str:
        """Return the rule by which `_open` excludes regions, as text for a player."""
        return "stones go into free regions only"

    @abc.abstractmethod
    def _score(self, player: Player) -> int:
        """Return a player's score without komi and button."""

    def placements(self) -> Points:
        """Return the points where the player to move may place a stone."""
        return 0 if self.over else self._open() & ~self._stranding(self._open())

    def _stranding(self, candidates: Points) -> Points:
        """Return the candidates after which some region would not "include at least one line"."""
        return stranding(self.game.board, self.empty, candidates, self.game.line)

    def forbids(self, point: Point) -> IllegalityReason | None:
        """Return the rule that forbids a stone on an empty point, with the region it concerns."""
        board, line, stone = self.game.board, self.game.line, 1 << point
        if not self._open() & stone:
            region = next(area for area in self.areas() if area.points & stone)
            owner = self.game.players[not self.regions.vertical & stone]
            reason = f"{self._openness()}; this one is owned by {owner}"
            return IllegalityReason(reason, region.points)
        if self._stranding(stone):
            reason = f"a region would be left without a line of {line} points"
            return IllegalityReason(reason, without_a_line(board, self.empty & ~stone, line))
        return None

    def why_impossible(self) -> IllegalityReason | None:
        """Return an error for a region without a line, or an impossible owner of the button."""
        board, line = self.game.board, self.game.line
        if not every_region_has_a_line(board, self.empty, line):
            points = without_a_line(board, self.empty, line)
            return IllegalityReason(f"a region has no line of {line} points", points)
        if self.button_taker is not None and not self.game.button:
            return IllegalityReason("there is no button to take")
        if self.game.button and self.passes and self.button_taker is None:
            return IllegalityReason("the first pass takes the button")
        return super().why_impossible()

    def after(self, move: Move) -> Self:
        """Return the position after a legal move."""
        if move == PASS and self.game.button and self.button_taker is None:
            # It "ends the turn, and it is not one of the two passes that end the game".
            return attrs.evolve(self, to_move=self.to_move.other, button_taker=self.to_move)
        return super().after(move)

    def scores(self) -> tuple[float, float]:
        """Return both scores, with half a point for the button and komi for Horizontal."""
        scores = [float(self._score(Player.FIRST)), self._score(Player.SECOND) + self.game.komi]
        if self.button_taker is not None:
            scores[self.button_taker] += 0.5
        return scores[0], scores[1]

    def counted(self) -> tuple[ScoredItem, ...]:
        """Return the items that the subclass counts, the button, and komi."""
        taker, komi = self.button_taker, self.game.komi
        button = () if taker is None else (ScoredItem("button", taker, 0.5),)
        more = (ScoredItem("komi", Player.SECOND, komi),) if komi else ()
        return (*self._counted(), *button, *more)

    def _counted(self) -> Iterator[ScoredItem]:
        """Yield the regions, those with an owner first."""
        for area in sorted(self.areas(), key=lambda area: area.owner is None):
            words = "region" if area.owner is not None else "free region"
            value = 0 if area.owner is None else area.points.bit_count()
            yield ScoredItem(words, area.owner, value, area.points)

    def areas(self) -> tuple[Area, ...]:
        """Return the regions."""
        return self.regions.areas
