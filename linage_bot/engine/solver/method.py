"""The interface of solving methods, which holds all differences between games for the solver."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, ClassVar

from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.rules.game import Game, Move, Position

if TYPE_CHECKING:
    from linage_bot.engine.solver.budgets import SearchArena
    from linage_bot.engine.solver.solving import Solving


DEFAULT_BYTES = 6 << 30  # of memory


class Method(abc.ABC):
    """A way to solve the positions of some games.

    Creating a method imports no compiled code; `compile` and the methods below it do.
    """

    one_for_all: ClassVar[bool] = True  # whether all its games are solved by the same code
    values_regions: ClassVar[bool] = False  # whether each region has exact values of its own
    rate: ClassVar[float]  # nodes a second, roughly
    share: ClassVar[float] = 0.25  # of a move's time that is spent on a proof
    hope: ClassVar[float] = 1.0  # most effort of a proof that is tried, in affordable nodes

    @abc.abstractmethod
    def solves(self, game: Game) -> bool:
        """Return whether this method solves the game."""

    @abc.abstractmethod
    def size(self, position: Position) -> int:
        """Return the number of points that usually determines how long a proof takes."""

    @abc.abstractmethod
    def forecast(self, position: Position) -> float:
        """Return the median number of nodes that the score and a best move take."""

    def check(self, position: Position) -> None:
        """Raise `NotSolvable` if stones were set up in a way that no game can reach."""
        reason = position.why_impossible()
        if reason is not None:
            raise NotSolvable(f"no game can reach this position: {reason.reason}")

    def key_moves(self, position: Position) -> list[Move]:  # noqa: ARG002 - for overriding methods
        """Return the moves of a too large position after which it can be solved; here none."""
        return []

    @abc.abstractmethod
    def code(self, game: Game) -> str:
        """Return the name of the compiled code that solves the game."""

    @abc.abstractmethod
    def compile(self, game: Game, *, helped: bool) -> None:
        """Load or compile that code; `helped`: other processes may help."""

    @abc.abstractmethod
    def new_arena(self, game: Game, most_bytes: int, threads: int) -> SearchArena:
        """Return an empty arena for the game's positions."""

    def solving(self, arena: SearchArena, position: Position) -> Solving:
        """Begin to solve a position in one of these arenas; by default as a whole."""
        from linage_bot.engine.solver.positions import solve_in  # imports NumPy

        return solve_in(arena, position)
