"""The solving methods, and the choice of one for a game; a new method is one entry here.

Linage with the button is not a sum of regions, because the button can be taken instead of a move in
any region. Parity Linage without passing is not a sum either.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from linage_bot.engine.solver.alphabeta.method import AlphaBetaMethod
from linage_bot.engine.solver.errors import NotSolvable
from linage_bot.engine.solver.method import DEFAULT_BYTES, Method
from linage_bot.engine.solver.nimbers.method import NimberMethod
from linage_bot.engine.solver.sums.method import SumMethod
from linage_bot.rules.game import Game, Position

if TYPE_CHECKING:
    from linage_bot.engine.solver.budgets import SearchArena
    from linage_bot.engine.solver.solving import Solving

METHODS: tuple[Method, ...] = (SumMethod(), NimberMethod(), AlphaBetaMethod())
"""The first one that solves a game is used for it."""


def method_of(game: Game) -> Method:
    """Return the method that solves a game."""
    return next(each for each in METHODS if each.solves(game))


def values_regions(game: Game) -> bool:
    """Return whether each region of the game has exact values of its own."""
    return method_of(game).values_regions


def check_regions(game: Game) -> None:
    """Raise `NotSolvable` unless each region of the game has exact values of its own."""
    if values_regions(game):
        return
    where = f"in {game.name}"
    if values_regions(type(game).configure()):
        where += " with these options"
    raise NotSolvable(f"{where} regions have no values of their own")


def new_arena(position: Position, most_bytes: int = DEFAULT_BYTES, threads: int = 1) -> SearchArena:
    """Return an empty arena in which positions of this game can be solved one after another.

    Only sums of Linage use more than one thread.

    The first call on a machine is slow because it compiles code. Raises `NotSolvable` if stones
    were set up in a way that no game can reach.
    """
    method = method_of(position.game)
    method.check(position)
    return method.new_arena(position.game, most_bytes, threads)


def solving_in(arena: SearchArena, position: Position) -> Solving:
    """Begin to solve a position of the game that the arena is for."""
    return method_of(position.game).solving(arena, position)
