"""Linage — Luis Bolaños Mures, 2016.

Vertical (First) and Horizontal (Second) share one pool of identical stones; the board starts empty.
On a turn a player passes or places a stone. After a placement every region must include a line.
A region without a horizontal line is owned by Vertical, one without a vertical line by Horizontal,
the others are free; stones go into free regions only (edition `2016`: not into the enemy's).
Two passes in succession end the game. A player scores the points of the regions they own,
Horizontal also komi; the higher score wins.

The author's page: https://sites.google.com/site/luisbolanosmures. The law here: RULES.md, 1.
"""

from __future__ import annotations

import functools

import attrs

from linage_bot.boards import Points, SquareBoard
from linage_bot.game import (
    PASS,
    Area,
    Game,
    Move,
    Player,
    Position,
    Result,
    occupied,
    option,
    result_of_scores,
)
from linage_bot.games.lines import Regions, regions, stranding


@attrs.frozen
class Linage(Game):
    """Linage with its board, komi and options."""

    id = "linage"
    name = "Linage"
    author = "Luis Bolaños Mures"
    year = 2016
    board_kind = SquareBoard
    default_size = "15"
    default_komi = 0.5
    komi_step = 0.5
    pie = "komi"
    players = ("Vertical", "Horizontal")
    one_colour = True

    edition: str = option(
        "current",
        "where one may place: in free regions, or (2016) anywhere but in the enemy's regions",
        choices=("current", "2016"),
    )
    line: int = option(3, "how many empty points in a row make a line", minimum=2, maximum=5)
    button: bool = option(
        False, "the first pass of the game takes half a point and does not count as a pass"
    )

    def start(self) -> LinagePosition:
        """The empty board; Vertical moves first."""
        return LinagePosition(self)


@attrs.frozen
class LinagePosition(Position):
    """A position of Linage; who placed which stone is kept for records, not for the rules."""

    game: Linage
    to_move: Player = Player.FIRST
    first: Points = 0
    second: Points = 0
    passes: int = 0  # in succession, up to the last turn
    button_taker: Player | None = None

    @property
    def over(self) -> bool:
        """Two passes in succession end the game; nothing else does."""
        return self.passes == 2

    @functools.cached_property
    def regions(self) -> Regions:
        """The regions of the empty points and who owns them."""
        return regions(self.game.board, self.empty, self.game.line)

    def placements(self) -> Points:
        """Where the player to move may place a stone."""
        return 0 if self.over else self._open() & ~self._stranding(self._open())

    def _open(self) -> Points:
        """The points that the edition opens to the player to move."""
        if self.game.edition == "2016":
            # "On any empty point that is not in a region the enemy owns."
            return self.empty & ~self.regions.owned_by(self.to_move.other)
        return self.regions.free  # "On a point of a free region."

    def _stranding(self, candidates: Points) -> Points:
        """The candidates after which some region would not "include at least one line"."""
        return stranding(self.game.board, self.empty, candidates, self.game.line)

    def may_pass(self) -> bool:
        """A player may pass on any turn."""
        return not self.over

    def why_illegal(self, move: Move) -> str | None:
        """The rule that forbids the move, or None."""
        if self.over:
            return "the game is over"
        if move == PASS:
            return None
        if (reason := occupied(self, move)) is not None:
            return reason
        if not self._open() >> move & 1:
            owner = Player(not self.regions.vertical >> move & 1)
            return f"this region is owned by {self.game.players[owner]}"
        if self._stranding(1 << move):
            return f"a region would be left without a line of {self.game.line} points"
        return None

    def after(self, move: Move) -> LinagePosition:
        """The position after a legal move."""
        next_player = self.to_move.other
        if move == PASS:
            if self.game.button and self.button_taker is None:
                # It "ends the turn, and it is not one of the two passes that end the game".
                return attrs.evolve(self, to_move=next_player, button_taker=self.to_move)
            return attrs.evolve(self, to_move=next_player, passes=self.passes + 1)
        stone = 1 << move
        if self.to_move is Player.FIRST:
            return attrs.evolve(self, to_move=next_player, first=self.first | stone, passes=0)
        return attrs.evolve(self, to_move=next_player, second=self.second | stone, passes=0)

    def scores(self) -> tuple[float, float]:
        """Points in the regions one owns, half a point for the button, komi for Horizontal."""
        scores = [
            float(self.regions.vertical.bit_count()),
            self.regions.horizontal.bit_count() + self.game.komi,
        ]
        if self.button_taker is not None:
            scores[self.button_taker] += 0.5
        return scores[0], scores[1]

    def result(self) -> Result:
        """The higher score wins; equal scores are a draw."""
        return result_of_scores(self.scores())

    def areas(self) -> tuple[Area, ...]:
        """The regions."""
        return self.regions.areas
