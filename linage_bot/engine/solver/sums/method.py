"""Linage without the button, solved as sums of its regions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from linage_bot.engine.jit.import_guard import lean_loading
from linage_bot.engine.jit.single_compile import helpers
from linage_bot.engine.solver.method import Method
from linage_bot.engine.solver.sums.sums import as_sum, free_sizes
from linage_bot.rules.game import Game, Position
from linage_bot.rules.linage import Linage

if TYPE_CHECKING:
    from linage_bot.engine.solver.budgets import SearchArena
    from linage_bot.engine.solver.solving import Solving

# The forecast is a rule fitted to measured proofs: the logarithm of the nodes grows with the
# points of the largest region, less with those of the second, and least with those of the others.
# `benchmarks/endgames.py` measures proofs and prints these numbers: of the score and a best move,
# 137 positions of 9x9 games at 0.1 s a move, 2026-11-22.
_LARGEST, _SECOND, _OTHERS, _ALWAYS = 0.169, 0.051, 0.025, -0.15

# An empty board takes more nodes than a region of its size in an endgame. So this replaces
# `_LARGEST` there; it is fitted to the 51 boards of 16 to 42 points in the table of solved boards,
# with an error of 0.42.
_EMPTY = 0.2


class SumMethod(Method):
    """The method that searches each region and their sum; regions too large have only bounds."""

    values_regions: ClassVar[bool] = True
    rate = 200_000.0
    hope = 3.0  # scored 54.8 ± 4.9 % of 400 games on 9x9 at 0.1 s a move; 1 scored 47.8 ± 4.9 %

    def solves(self, game: Game) -> bool:
        """Return whether the game is Linage without the button."""
        return isinstance(game, Linage) and not game.button

    def size(self, position: Position) -> int:
        """Return the number of points of the largest free region."""
        return max(free_sizes(as_sum(position)), default=0)

    def forecast(self, position: Position) -> float:
        """Return the median number of nodes that the score and a best move take."""
        return expected_nodes(free_sizes(as_sum(position)), empty=not position.stones)

    def check(self, position: Position) -> None:
        """Accept every position, since any stones that were set up form a sum."""

    def code(self, _game: Game) -> str:
        """Return the name of the one compiled search."""
        return "solver"

    def compile(self, _game: Game, *, helped: bool) -> None:
        """Load or compile all functions that uncompiled code calls."""
        with helpers(int(helped), __name__):
            from linage_bot.engine.jit.lazy_function import settle  # imports Numba
            from linage_bot.engine.solver import persistence
            from linage_bot.engine.solver.sums import solving

            del persistence, solving  # imported now so that they are loaded
            settle(_parts())

    def new_arena(self, game: Game, most_bytes: int, threads: int) -> SearchArena:
        """Return an empty arena for all boards with lines as long."""
        from linage_bot.engine.solver.sums.arena import Arena  # imports Numba

        return Arena(as_sum(game.start()).game.line, most_bytes, threads)

    def solving(self, arena: SearchArena, position: Position) -> Solving:
        """Begin to solve a position as a sum."""
        from linage_bot.engine.solver.sums.arena import Arena  # imports Numba
        from linage_bot.engine.solver.sums.solving import SumSolving

        assert isinstance(arena, Arena)
        return SumSolving(arena, as_sum(position))


def expected_nodes(sizes: Sequence[int], *, empty: bool = False) -> float:
    """Return the median number of nodes that positions with free regions of these sizes take.

    `empty`: they are those of an empty board.
    """
    largest, second, *others = [*sorted(sizes, reverse=True), 0, 0]
    first = _EMPTY if empty else _LARGEST
    exponent = first * largest + _SECOND * second + _OTHERS * sum(others) + _ALWAYS
    return float(10**exponent)


def _parts() -> list[Any]:
    """Return one of each group of functions that are compiled together, the slowest first."""
    from linage_bot.engine.jit.lazy_function import together  # imports Numba
    from linage_bot.engine.solver.sums import search, store, tables
    from linage_bot.engine.solver.sums import small_region_values as valued
    from linage_bot.engine.solver.values import forms, making, values

    together(forms.value_of, forms.option, forms.mean_of, forms.option_count)
    together(
        tables.intern,
        tables.learn,
        tables.index_regions,
        tables.bound,
        tables.refresh,
        tables.list_kept,
        store.move_entries,
        valued.fill_values,
    )
    together(values.find_value, making.restore)
    return [values.find_value, search.advance, tables.intern, forms.value_of]


def assist(number: int) -> None:
    """Compile the parts that no other process is compiling, beginning with part `number`."""
    with lean_loading():
        parts = _parts()
        for part in parts[number:] + parts[:number]:
            part.settle(wait=False)
