"""Two-color Linage — Luis Bolaños Mures, 2016: the variant in Linage's first publication.

Vertical (First) places black stones, Horizontal (Second) white ones; the board starts empty.
On a turn a player passes or places a stone on any empty point, in own and enemy regions too.
After a placement every region must include a line.
A region without a horizontal line is owned by Vertical, one without a vertical line by Horizontal.
Two passes in succession end the game. A player scores the stones of their groups that are next to
a region they own, with `count_regions` also the points of those regions, Horizontal also komi.
The higher score wins.

The law here: docs/rules/linage-two-color.md.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from linage_bot.rules.boards import Points
from linage_bot.rules.game import Player, ScoredItem
from linage_bot.rules.line_games import LineGame, LinePosition
from linage_bot.rules.options import option


@attrs.frozen
class TwoColorLinage(LineGame):
    """Two-color Linage with its board, komi and options."""

    id = "linage-two-color"
    name = "Two-color Linage"

    count_regions: bool = option(False, "each player also scores the regions they own")

    def start(self) -> TwoColorLinagePosition:
        """Return the empty board; Vertical moves first."""
        return TwoColorLinagePosition(game=self)

    def _stones_in_words(self) -> str:
        first, second = self.players
        return f"{first} places black stones, {second} white ones."

    def _where_in_words(self) -> str:
        return "on any empty point, no matter who owns its region."

    def _score_in_words(self) -> str:
        regions = " and the points of these regions" if self.count_regions else ""
        return (
            "A *group* is a set of connected stones of one colour. You score the stones of your"
            f" groups that are next to a region you own{regions}."
        )


@attrs.frozen(kw_only=True, repr=False)
class TwoColorLinagePosition(LinePosition[TwoColorLinage]):
    """A position of Two-color Linage."""

    def _open(self) -> Points:
        """Return all empty points."""
        return self.empty  # "Any empty point is open to both players."

    def _score(self, player: Player) -> int:
        """Return the number of scoring stones, plus the points of owned regions if they count."""
        score = self.scoring(player).bit_count()
        if self.game.count_regions:
            score += self.regions.owned_by(player).bit_count()
        return score

    def _counted(self) -> Iterator[ScoredItem]:
        """Yield the groups that score, then the regions if they count."""
        for player in Player:
            for group in self.game.board.components(self.scoring(player)):
                yield ScoredItem("group", player, group.bit_count(), group)
        if self.game.count_regions:
            yield from super()._counted()

    def scoring(self, player: Player) -> Points:
        """Return the stones of the groups that are next to a region the player owns."""
        board, stones = self.game.board, (self.first, self.second)[player]
        return board.flood(board.neighbours(self.regions.owned_by(player)), stones)
