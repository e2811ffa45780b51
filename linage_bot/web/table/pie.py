"""The pie of a game on the server, until it is eaten and how it was, and who sits at its table."""

from __future__ import annotations

import attrs

from linage_bot.rules.game import PASS, Game, Move, Player

PlayerKind = int | None
"""Who sits at a table: an engine of this level, or a person."""


@attrs.frozen
class Pie:
    """A pie not yet eaten: one offers a komi or a first stone, then the other chooses a side."""

    offers: PlayerKind
    chooses: PlayerKind
    offered: bool = False

    @property
    def acts(self) -> PlayerKind:
        """Whose turn it is."""
        return self.chooses if self.offered else self.offers

    def may_place(self, game: Game, move: Move) -> bool:
        """Whether a move is the offer."""
        return game.pie == "stone" and not self.offered and move != PASS

    def served(self) -> Pie:
        """With the offer made."""
        return attrs.evolve(self, offered=True)

    def seats(self, chosen: Player) -> tuple[PlayerKind, PlayerKind]:
        """Who plays First and who Second after one has chosen a side."""
        return (self.offers, self.chooses) if chosen else (self.chooses, self.offers)

    def eaten(self, chosen: Player) -> Sides:
        """How it ended by this choice."""
        return Sides(chosen, self.chooses, self.offers)


@attrs.frozen
class Sides:
    """How a pie ended: which side was chosen and by whom, and who had made the offer."""

    chosen: Player
    chooser: PlayerKind
    offerer: PlayerKind
