"""The ways to solve positions, and which of them solves a game: a new one is one entry here.

Linage with the button is no sum: the button can be taken instead of a move in any region. Nor is
Parity without passing.
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
    from linage_bot.engine.solver.effort import SearchArena
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
    """Return an empty memory for positions of this game, to solve one after another with.

    Only sums of Linage have more than one thread, whatever the number.

    Slow the first time on a machine, when it is compiled. Raises `NotSolvable` for stones that were
    set up as no game can leave them.
    """
    method = method_of(position.game)
    method.check(position)
    return method.new_arena(position.game, most_bytes, threads)


def solving_in(arena: SearchArena, position: Position) -> Solving:
    """Begin to solve a position of the game that the memory is for."""
    return method_of(position.game).solving(arena, position)
