"""The lead of a position, measured by short searches at komis that make it nearly even.

A search plays to win, so the mean score of its playouts says little about the points where one
player is far ahead: many moves win there. At an even komi each point counts.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from linage_bot.engine.analysis import mean_of_visits
from linage_bot.engine.search.tree import Tree
from linage_bot.rules.game import Game, Player

FIRST_VISITS: Final = 3_000
"""Visits of the position's own search at which the first measurement begins."""

_SHARE = 1 / 15  # of the visits, for the measurement that is due then
_MOST_VISITS = 20_000  # of a measurement, during which the position's own search waits
_SEARCHES = 2  # of a measurement; their mean is nearer than one search of twice the visits
_GROWTH = 2  # of the visits from one measurement to the next


class LeadSearch:
    """Repeated measurements of one position's lead, for the player to move.

    Each is due after twice the visits of the position's own search, and replaces the one before.
    The results depend only on the visits and the lead of that search when they begin, not on the
    time, so the search waits for a measurement that is due.
    """

    def __init__(self, game: Game, mover: Player, tree_at: Callable[[Game, int], Tree]) -> None:
        """Create it; `tree_at` returns a tree of the position in a game of another komi.

        Its second argument is the number of the search, which sets the seed.
        """
        self.lead: float | None = None  # at the game's own komi; None: not measured yet
        self.next_at = FIRST_VISITS  # visits of the position's own search
        self._game, self._sign, self._tree_at = game, mover.sign, tree_at
        self._tree: Tree | None = None
        self._visits = 0  # of each search
        self._shift = 0.0  # the mover's points at the game's komi, less those at the tree's
        self._found: list[float] = []

    @property
    def measuring(self) -> bool:
        """Whether a measurement is under way."""
        return self._tree is not None

    def begin(self, visits: int, lead: float) -> None:
        """Begin a measurement; `visits` and `lead` are those of the position's own search."""
        self.next_at = max(self.next_at, visits) * _GROWTH
        self._visits = min(int(_SHARE * visits), _MOST_VISITS) // _SEARCHES
        self._found = []
        self._search(lead)

    def _search(self, lead: float) -> None:
        """Begin a search at the komi that balances this lead, with half a point if possible."""
        komi = self._game.komi + self._sign * lead
        game = self._game.with_komi(math.floor(komi) + 0.5)
        self._shift = self._sign * (game.komi - self._game.komi)
        self._tree = self._tree_at(game, len(self._found))

    def grow(self, visits: int) -> None:
        """Make at most this many visits of the measurement under way."""
        tree = self._tree
        assert tree is not None
        tree.grow(min(visits, self._visits - tree.visits))
        if tree.visits < self._visits and not tree.certain:
            return
        lead = mean_of_visits(tree.candidates(), lambda each: each.lead) or 0.0
        self._found.append(self._shift + lead)
        mean = sum(self._found) / len(self._found)
        if len(self._found) < _SEARCHES:
            self._search(mean)
        else:
            self.lead, self._tree = mean, None
