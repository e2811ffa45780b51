"""One game on the compiled rules, for programs that copy games often.

`linage_bot.openspiel` plays its states with it.
"""

from __future__ import annotations

from typing import Self

import numpy as np

from linage_bot.batch.compiled import CompiledRules, GameArrays
from linage_bot.batch.planes import PLANES, Planes
from linage_bot.engine.kernels import has_kernel
from linage_bot.rules.game import PASS, Game


class SingleGame:
    """A game in progress; a copy of it takes some microseconds.

    Actions are those of a `Batch`: points, and the number of points for a pass.
    """

    __slots__ = ("_games", "_move", "_rules", "over")

    def __init__(self, rules: CompiledRules, games: GameArrays) -> None:
        """Continue a game, which is alone in its arrays."""
        self._rules, self._games, self._move = rules, games, np.empty(1, np.int64)
        self.over = not games.counts[0]

    @classmethod
    def start(cls, game: Game) -> Self | None:
        """Return a new game, or None if the game has no compiled rules or no observations."""
        if not has_kernel(game):
            return None
        rules = CompiledRules(game)
        return None if rules.loops.observe is None else cls(rules, rules.beginning.copy())

    def copy(self) -> Self:
        """Return a copy, which does not change with this game."""
        return type(self)(self._rules, self._games.copy())

    def actions(self) -> list[int]:
        """Return the legal actions, ascending; none after the end."""
        actions: list[int] = self._games.mask[0].nonzero()[0].tolist()
        return actions

    def is_legal(self, action: int) -> bool:
        """Return whether an action is legal."""
        mask = self._games.mask
        return 0 <= action < mask.size and bool(mask[0, action])

    def play(self, action: int) -> None:
        """Play a legal action."""
        self._move[0] = PASS if action == self._rules.exists.size else action
        self._rules.loops.step(*self._games.arrays(), self._move, 0, 1)
        self.over = not self._games.counts[0]

    def first_return(self) -> float:
        """Return First's result: 1 for a win, -1 for a loss, 0 for a draw or before the end."""
        return float(self._games.returns[0])

    def observe(self, planes: Planes) -> None:
        """Write the observation into an array of `PLANES`, rows and columns."""
        flat = planes.reshape(1, len(PLANES), self._rules.exists.size)
        self._rules.observe(self._games, flat, 0, 1)
