"""All other games, solved by alpha-beta over their kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from linage_bot.engine import kernels
from linage_bot.engine.solver.method import Method
from linage_bot.rules.game import Game, Position

if TYPE_CHECKING:
    from linage_bot.engine.solver.budgets import SearchArena

# The decimal logarithm of the nodes: the first number for each placement, plus the second. Measured
# with random positions on small boards, 2026-11-26, with an error of about 0.6, in Leblin 1.2; in
# the first two games, with the nodes that solved boards took (docs/solver/boards.md). In Gardar
# stones come back, so the number of placements predicts nothing: of 46 positions of side 3 with
# three to eight placements none was proven with a million nodes.
_FORECASTS = {
    "linage": (0.27, 1.0),  # with the button
    "linage-parity": (0.25, 0.0),  # without passing
    "linage-two-color": (0.28, 2.1),
    "leblin": (0.45, 1.4),
}
_OTHERS = 0.5, 0.0  # for each point of the board, plus the second


class AlphaBetaMethod(Method):
    """Alpha-beta with a table of positions, compiled for each game."""

    one_for_all: ClassVar[bool] = False
    rate = 450_000.0

    def solves(self, _game: Game) -> bool:
        """Return True: this method solves all games that no other method solves."""
        return True

    def size(self, position: Position) -> int:
        """Return the number of placements."""
        return position.placements().bit_count()

    def forecast(self, position: Position) -> float:
        """Return the median number of nodes that the score and a best move take."""
        known = _FORECASTS.get(position.game.id)
        size = position.game.board.count if known is None else self.size(position)
        each, always = known or _OTHERS
        return float(10 ** (each * size + always))

    def code(self, game: Game) -> str:
        """Return the name of the search that is compiled for the game's kernel."""
        return f"alphabeta.{kernels.code_name(game)}"

    def compile(self, game: Game, *, helped: bool) -> None:  # noqa: ARG002 - it is one function
        """Load or compile the search of the game."""
        from linage_bot.engine.solver import positions  # imports Numba, as do the others
        from linage_bot.engine.solver.alphabeta import alphabeta, plain

        del plain, positions  # imported now so that they are loaded
        kernel = kernels.load(game)
        kernels.settle_encoding(kernel, game)
        alphabeta.compiled_for(kernel)

    def new_arena(self, game: Game, most_bytes: int, threads: int) -> SearchArena:  # noqa: ARG002
        """Return an empty arena for one game on one board; it uses one thread."""
        from linage_bot.engine.solver.alphabeta.plain import PlainArena  # imports Numba

        return PlainArena(game.with_komi(0), kernels.load(game), most_bytes)
