"""The view of one page on a game: its node and its requested analysis. Views are independent.

A person can play at the node that their page views: that makes a variation, and the game waits.
"""

from __future__ import annotations

from typing import Final

import attrs

from linage_bot.web.table.game import TableGame


@attrs.frozen
class View:
    """The node that a page views, and its analysis switches; by default it follows the game."""

    looked_at: int | None = None  # None: always the last position of the game
    analysing: bool = False  # analyse the viewed position,
    ownership: bool = False  # and the owners of its points

    def viewed(self, game: TableGame) -> int:
        """Return the node that is viewed."""
        return game.node if self.looked_at is None else self.looked_at

    def within(self, game: TableGame) -> View:
        """Return this view for a game in which the viewed node may be missing."""
        known = self.looked_at is not None and self.looked_at in game.tree
        return self.looking_at(self.viewed(game) if known else game.node, game)

    def looking_at(self, node: int, game: TableGame) -> View:
        """Return this view at another node."""
        return attrs.evolve(self, looked_at=None if node == game.node else node)

    def after(self, before: TableGame, game: TableGame) -> View:
        """Return this view after a change; a deleted node gives way to its nearest ancestor."""
        if self.looked_at is None or self.looked_at in game.tree:
            return self.looking_at(self.viewed(game), game)
        path = reversed(before.tree.path(self.looked_at))
        return self.looking_at(next(node for node in path if node in game.tree), game)


FOLLOWING: Final = View()
"""The view of a page that follows the game, without analysis."""
