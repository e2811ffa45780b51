"""The pie of a game at a table, its outcome, and the kinds of players."""

from __future__ import annotations

import attrs

from linage_bot.rules.game import PASS, Game, Move, Player

PlayerKind = int | None
"""A player: an engine of this level, or None for a person."""


@attrs.frozen
class Pie:
    """An open pie: one player offers a komi or a first stone, then the other chooses a side."""

    offers: PlayerKind
    chooses: PlayerKind
    offered: bool = False

    @property
    def acts(self) -> PlayerKind:
        """The player to act."""
        return self.chooses if self.offered else self.offers

    def may_place(self, game: Game, move: Move) -> bool:
        """Return whether a move is a possible offer."""
        return game.pie == "stone" and not self.offered and move != PASS

    def with_offer(self) -> Pie:
        """Return the pie with the offer made."""
        return attrs.evolve(self, offered=True)

    def seats(self, chosen: Player) -> tuple[PlayerKind, PlayerKind]:
        """Return First's and Second's player after a side was chosen."""
        return (self.offers, self.chooses) if chosen else (self.chooses, self.offers)

    def resolved(self, chosen: Player) -> Sides:
        """Return the outcome for this choice."""
        return Sides(chosen, self.chooses, self.offers)


@attrs.frozen
class Sides:
    """The outcome of a pie: the side chosen, the player who chose it, and the one who offered."""

    chosen: Player
    chooser: PlayerKind
    offerer: PlayerKind
