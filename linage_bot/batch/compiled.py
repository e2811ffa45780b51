"""The compiled code of a game's rules, and arrays of games that it plays.

`Batch` plays many games with them, and `SingleGame` one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Self

import attrs
import numpy as np
import numpy.typing as npt

from linage_bot.batch.planes import Planes, points_of
from linage_bot.engine import kernels
from linage_bot.rules.game import Game, Position


@attrs.frozen(eq=False)
class GameArrays:
    """The arrays of games, with a row for each: states, legal moves, and results."""

    states: Any
    listed: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    mask: npt.NDArray[np.bool_]
    to_move: npt.NDArray[np.uint8]
    returns: npt.NDArray[np.float32]

    @classmethod
    def at(cls, positions: Sequence[Position], encode: Callable[[Position], Any]) -> Self:
        """Return games at these positions, with legal moves still to be listed."""
        board, count = positions[0].game.board, len(positions)
        actions = board.columns * board.rows + 1
        return cls(
            states=np.concatenate([encode(each) for each in positions]),
            listed=np.empty((count, actions), np.int64),
            counts=np.zeros(count, np.int64),
            mask=np.zeros((count, actions), np.bool_),
            to_move=np.array([each.to_move for each in positions], np.uint8),
            returns=np.zeros(count, np.float32),
        )

    def repeated(self, count: int) -> Self:
        """Return `count` copies of a single game."""
        return type(self)(*(np.repeat(each, count, axis=0) for each in self.arrays()))

    def copy(self) -> Self:
        """Return the same games in arrays of their own."""
        states, *others = self.arrays()
        # NumPy copies records field by field, which takes ten times as long as their bytes.
        own = states.view(np.uint8).copy().view(states.dtype)
        return type(self)(own, *(each.copy() for each in others))

    def arrays(self) -> tuple[npt.NDArray[Any], ...]:
        """Return the arrays in the order in which the compiled loops take them."""
        return self.states, self.listed, self.counts, self.mask, self.to_move, self.returns


class CompiledRules:
    """A game's kernel, and the loops of `linage_bot.engine.search.batches` for it."""

    def __init__(self, game: Game) -> None:
        """Load or compile the code; raises `NoKernel`."""
        from linage_bot.engine.search import batches  # imports Numba

        self.game = game
        self.kernel = kernels.load(game)
        self.loops = batches.loops_for(self.kernel)
        self.first_illegal, self.choose = batches.first_illegal, batches.choose
        self._stay = batches.STAY
        self.exists = points_of(game)
        """Whether each point of the board's array exists, row by row."""
        self.beginning = self.games_at([game.start()])
        """The first position, as an array of one game."""

    def games_at(self, positions: Sequence[Position]) -> GameArrays:
        """Return games at positions of this game, with any komi, and list their legal moves."""
        games, count = GameArrays.at(positions, self.kernel.encode), len(positions)
        self.loops.step(*games.arrays(), np.full(count, self._stay), 0, count)
        return games

    def observe(self, games: GameArrays, planes: Planes, start: int, stop: int) -> None:
        """Write the observations of a slice of games into planes of the shape (games, 8, points).

        The kernel must have observations.
        """
        assert self.loops.observe is not None
        arrays = games.states, games.mask, games.to_move, self.exists
        self.loops.observe(*arrays, np.empty(self.exists.size, np.int64), planes, start, stop)
