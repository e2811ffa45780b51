"""Parity Linage with passing, solved by the nimbers of its regions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from linage_bot.engine.solver.method import Method
from linage_bot.engine.solver.nimbers.nimbers import largest, splitting
from linage_bot.rules.game import Game, Move, Position
from linage_bot.rules.parity_linage import ParityLinage

if TYPE_CHECKING:
    from linage_bot.engine.solver.effort import SearchArena


class NimberMethod(Method):
    """Each region is worth a nimber and a parity, which together tell who wins."""

    most = 48  # may be solved within a minute
    soon = 25

    def solves(self, game: Game) -> bool:
        """Return whether the game is Parity Linage where players may pass."""
        return isinstance(game, ParityLinage) and game.passing

    def size(self, position: Position) -> int:
        """Return the points of the largest region."""
        return largest(position)

    def key_moves(self, position: Position) -> list[Move]:
        """Return the placements that split the largest region into parts that can be solved."""
        return splitting(position, self.most)

    def code(self, _game: Game) -> str:
        """Return the name of the one compiled search."""
        return "nimbers"

    def compile(self, _game: Game, *, helped: bool) -> None:  # noqa: ARG002 - there is too little
        """Load or compile the search of a region."""
        from linage_bot.engine.jit.deferred import settle, together  # imports Numba
        from linage_bot.engine.solver.nimbers import search

        together(search.advance, search.find, search.key_of, search.known, search.move_entries)
        settle([search.advance])

    def new_arena(self, game: Game, most_bytes: int, threads: int) -> SearchArena:  # noqa: ARG002
        """Return an empty memory for all boards under the game's condition; one thread uses it."""
        from linage_bot.engine.solver.nimbers.arena import NimberArena  # imports Numba

        assert isinstance(game, ParityLinage)
        return NimberArena(game, most_bytes)
