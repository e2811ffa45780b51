"""A way to solve positions, as one value: what sets games apart for the solver and its callers."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, ClassVar

from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.rules.game import Game, Move, Position

if TYPE_CHECKING:
    from linage_bot.engine.solver.effort import SearchArena
    from linage_bot.engine.solver.solving import Solving


DEFAULT_BYTES = 6 << 30  # of memory


class Method(abc.ABC):
    """A way to solve the positions of some games.

    Making one imports nothing that is compiled; `compile` and all that follows it here do.
    """

    one_for_all: ClassVar[bool] = True  # whether all its games are solved by the same code
    values_regions: ClassVar[bool] = False  # whether each region has exact values of its own
    rate: ClassVar[float]  # nodes a second, roughly
    share: ClassVar[float] = 0.25  # of a move's time that a proof is worth
    hope: ClassVar[float] = 1.0  # times the nodes that can be afforded: so long a proof is tried

    @abc.abstractmethod
    def solves(self, game: Game) -> bool:
        """Return whether this is the way to solve the game."""

    @abc.abstractmethod
    def size(self, position: Position) -> int:
        """Return the number of points that decides as a rule how long a proof takes."""

    @abc.abstractmethod
    def forecast(self, position: Position) -> float:
        """Return the median of the nodes that the score and a best move take."""

    def check(self, position: Position) -> None:
        """Raise `NotSolvable` for stones that were set up as no game can leave them."""
        reason = position.why_impossible()
        if reason is not None:
            raise NotSolvable(f"no game comes to this position: {reason}")

    def key_moves(self, position: Position) -> list[Move]:  # noqa: ARG002 - for those that know
        """Return the moves that leave what can be solved, of a position that is too large."""
        return []

    @abc.abstractmethod
    def code(self, game: Game) -> str:
        """Return the name of the compiled code that solves the game."""

    @abc.abstractmethod
    def compile(self, game: Game, *, helped: bool) -> None:
        """Load or compile that code, with the help of other processes if there may be some."""

    @abc.abstractmethod
    def new_arena(self, game: Game, most_bytes: int, threads: int) -> SearchArena:
        """Return an empty memory for the game's positions."""

    def solving(self, arena: SearchArena, position: Position) -> Solving:
        """Begin to solve a position in one of these memories; as a whole, unless said otherwise."""
        from linage_bot.engine.solver.positions import solve_in  # imports NumPy

        return solve_in(arena, position)
