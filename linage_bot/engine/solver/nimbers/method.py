"""Parity Linage with passing, solved by the nimbers of its regions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linage_bot.engine.solver.method import Method
from linage_bot.engine.solver.nimbers.nimbers import largest, splitting
from linage_bot.rules.game import Game, Move, Position
from linage_bot.rules.parity_linage import ParityLinage

if TYPE_CHECKING:
    from linage_bot.engine.solver.budgets import SearchArena

# The decimal logarithm of the nodes is `_EACH` times the points of the largest region, plus
# `_ALWAYS`. Measured with random positions of 16 to 40 points on 9x9 and 6x6, 2026-11-26; the error
# is about 0.6.
_EACH, _ALWAYS = 0.13, 1.0
_MOST_POINTS = 48  # of a region that a key move leaves, so that it may be solved within a minute


class NimberMethod(Method):
    """The method that finds the winner from the nimber and the parity of each region."""

    rate = 250_000.0
    share = 0.6  # much, because a search without proofs finds little here
    hope = 1_000.0  # the first to find a proof wins: with 1 it scored 33.5 % of 200 games on 9x9

    def solves(self, game: Game) -> bool:
        """Return whether the game is Parity Linage where players may pass."""
        return isinstance(game, ParityLinage) and game.passing

    def size(self, position: Position) -> int:
        """Return the number of points of the largest region."""
        return largest(position)

    def forecast(self, position: Position) -> float:
        """Return the median number of nodes that it takes to find the winner."""
        return float(10 ** (_EACH * self.size(position) + _ALWAYS))

    def key_moves(self, position: Position) -> list[Move]:
        """Return the placements that split the largest region into parts that can be solved."""
        return splitting(position, _MOST_POINTS)

    def code(self, _game: Game) -> str:
        """Return the name of the one compiled search."""
        return "nimbers"

    def compile(self, _game: Game, *, helped: bool) -> None:  # noqa: ARG002 - there is too little code
        """Load or compile the search of a region."""
        from linage_bot.engine.jit.lazy_function import settle, together  # imports Numba
        from linage_bot.engine.solver.nimbers import search

        together(search.advance, search.find, search.key_of, search.known, search.move_entries)
        settle([search.advance])

    def new_arena(self, game: Game, most_bytes: int, threads: int) -> SearchArena:  # noqa: ARG002
        """Return an empty arena for all boards under the game's condition; it uses one thread."""
        from linage_bot.engine.solver.nimbers.arena import NimberArena  # imports Numba

        assert isinstance(game, ParityLinage)
        return NimberArena(game, most_bytes)
