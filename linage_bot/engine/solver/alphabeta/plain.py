"""The arena for small positions of any game, which answers questions by alpha-beta.

`PlainArena` runs the search in `alphabeta`, as `sums.arena` runs the search of sums.
"""

import random
from typing import Any

import numpy as np

from linage_bot.engine.kernels.contract import MOST_MOVES, MOST_TURNS, Kernel
from linage_bot.engine.solver.alphabeta import alphabeta
from linage_bot.engine.solver.alphabeta.alphabeta import CONTENTS, ENTRY, FRAME, HEAD
from linage_bot.engine.solver.budgets import (
    TRUE,
    UNKNOWN,
    Array,
    SearchBudget,
    doubled,
)
from linage_bot.engine.solver.errors import UnboundedPlay
from linage_bot.engine.solver.method import DEFAULT_BYTES
from linage_bot.engine.solver.positions import PositionArena
from linage_bot.rules.game import Game, Position

_SPARE_TURNS = 4  # passes and captures that the first limit allows for


class PlainArena(PositionArena):
    """The results about positions of one game, in a table that alpha-beta fills."""

    kept = ENTRY

    def __init__(self, game: Game, kernel: Kernel, most_bytes: int = DEFAULT_BYTES) -> None:
        options = "".join(f"-{name}-{text}" for name, text in sorted(game.settings().items()))
        name, head = f"{game.id}-{game.board}{options}", np.zeros(1, HEAD)
        super().__init__(game, name, head, most_bytes, alphabeta.move_entries)
        self._kernel = kernel
        self._search = alphabeta.compiled_for(kernel)
        self._merits = np.zeros(2 * MOST_MOVES, np.int64)
        self._states: Array = np.zeros(0, kernel.dtype)
        self._frames: Array = np.zeros(0, FRAME)
        self._moves: Array = np.zeros(4 * MOST_MOVES, np.int64)
        symmetries = kernel.symmetries(game.board)
        self._cells = np.zeros(len(symmetries[0].image), np.int64)
        self._images, self._keys = _maps(symmetries, len(self._cells))

    @property
    def bytes(self) -> int:
        """The size of the arrays that grow, in bytes."""
        arrays = (self._entries, self._states, self._frames, self._moves)
        return sum(array.nbytes for array in arrays)

    def at_least(self, position: Position, target: int, effort: SearchBudget) -> tuple[bool, int]:
        """Return whether First's score lead is at least the target under best play, and a bound.

        The bound is at least the target if the score lead is, and less if not. Raises `OutOfTime`,
        and `UnboundedPlay` if neither player can force an answer before the game ends by its
        length.
        """
        horizon = min(MOST_TURNS, self._kernel.horizon(position))
        limit = position.empty.bit_count() + _SPARE_TURNS
        while True:
            limit = min(limit, horizon)
            answer = self._ask(position, target, limit, horizon, effort)
            if answer != UNKNOWN:
                return answer == TRUE, int(self._head[0]["bound"])
            if limit == horizon:
                raise UnboundedPlay
            limit += limit // 2 + 1

    def _ask(
        self, position: Position, target: int, limit: int, horizon: int, effort: SearchBudget
    ) -> int:
        """Return the answer of a search of lines of at most `limit` turns."""
        if len(self._frames) < limit + 2:
            self._states = np.zeros(limit + 2, self._kernel.dtype)
            self._frames = np.zeros(limit + 2, FRAME)
        head, frame = self._head[0], self._frames[0]
        self._states[0] = self._kernel.encode(position)[0]
        frame["phase"] = frame["start"] = 0
        head["ply"], head["mover"], head["points"] = 0, position.to_move, len(self._cells)
        head["target"], head["limit"], head["horizon"] = target, limit, horizon
        return self._answer(effort)

    def _advance(self, nodes: int) -> int:
        return self._search(
            self._states,
            self._entries,
            self._frames,
            self._head[0],
            self._moves,
            self._cells,
            self._merits,
            self._keys,
            self._images,
            nodes,
        )

    def _make_room(self) -> None:
        self._make_room_for(1)
        frame = self._frames[self._head[0]["ply"]]
        if frame["start"] + MOST_MOVES > len(self._moves):
            self._moves = doubled(self._moves)


def _maps(symmetries: Any, points: int) -> tuple[Any, Any]:
    """Return the maps of the symmetries and of their inverses, and the keys of contents of points.

    For each content of a point there are two independent keys.
    """
    images = np.full((len(symmetries), points + 1), -1, np.int64)  # a pass stays a pass
    inverses = images.copy()
    chance = random.Random(1)
    of_point = [[chance.getrandbits(64) for _ in range(2 * CONTENTS)] for _ in range(points)]
    keys = np.zeros((2, len(symmetries), CONTENTS * points), np.uint64)
    for number, symmetry in enumerate(symmetries):
        for point, image in enumerate(symmetry.image):
            if image >= 0:
                images[number, point], inverses[number, image] = image, point
                for content in range(CONTENTS):
                    for which in range(2):
                        word = of_point[image][2 * content + which] if content else 0
                        keys[which, number, CONTENTS * point + content] = word
    return (images, inverses), (keys[0].copy(), keys[1].copy())
