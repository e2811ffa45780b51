"""Linage — Luis Bolaños Mures, 2016.

Vertical (First) and Horizontal (Second) share one pool of identical stones; the board starts empty.
On a turn a player passes or places a stone. After a placement every region must include a line.
A region without a horizontal line is owned by Vertical, one without a vertical line by Horizontal,
the others are free; stones go into free regions only (edition `2016`: not into the enemy's).
Two passes in succession end the game. A player scores the points of the regions they own,
Horizontal also komi; the higher score wins.

The author's page: https://sites.google.com/site/luisbolanosmures. The law here:
docs/rules/linage.md.
"""

from __future__ import annotations

import attrs

from linage_bot.rules.boards import Points
from linage_bot.rules.game import Player
from linage_bot.rules.line_games import LineGame, LinePosition
from linage_bot.rules.options import option


@attrs.frozen
class Linage(LineGame):
    """Linage with its board, komi and options."""

    id = "linage"
    name = "Linage"
    one_colour = True

    edition: str = option(
        "current",
        "where players may place: in free regions, or (2016) also in their own regions",
        choices=("current", "2016"),
    )

    def start(self) -> LinagePosition:
        """Return the empty board; Vertical moves first."""
        return LinagePosition(game=self)

    def _stones_in_words(self) -> str:
        first, second = self.players
        return f"{first} and {second} share one kind of stone: who placed one does not matter."

    def _where_in_words(self) -> str:
        if self.edition == "2016":
            return "on an empty point of any region that your opponent does not own."
        return "in a free region. Neither player may place in an owned region."

    def _score_in_words(self) -> str:
        return "You score the points of the regions that you own. Free regions score nothing."


@attrs.frozen(kw_only=True, repr=False)
class LinagePosition(LinePosition[Linage]):
    """A position of Linage; it keeps which player placed each stone, but only for records."""

    def _open(self) -> Points:
        """Return the points that the edition opens to the player to move."""
        if self.game.edition == "2016":
            # "On any empty point that is not in a region the enemy owns."
            return self.empty & ~self.regions.owned_by(self.to_move.other)
        return self.regions.free  # "On a point of a free region."

    def _openness(self) -> str:
        if self.game.edition == "2016":
            return "stones may not go into the enemy's regions"
        return super()._openness()

    def _score(self, player: Player) -> int:
        """Return the number of points in the regions that a player owns."""
        return self.regions.owned_by(player).bit_count()
