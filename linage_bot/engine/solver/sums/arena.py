"""The arrays of one search for exact values of sums, and questions put to it.

An arena serves one length of lines. It keeps what it learns, and its arrays grow as needed, up to a
limit of memory.
"""

from collections.abc import Sequence

import numpy as np

from linage_bot.engine.solver.effort import (
    DEFAULT_BYTES,
    FEWEST_PLACES,
    TRUE,
    UNKNOWN,
    Array,
    Effort,
    SearchArena,
    doubled,
    hash_table,
)
from linage_bot.engine.solver.shapes import BITS
from linage_bot.engine.solver.sums import search, tables
from linage_bot.engine.solver.sums.regions import KnownRegions
from linage_bot.engine.solver.sums.tables import FRAME, MOST_NEW, OPTION, REGION, SUM


class Arena(SearchArena):
    """What is known about regions and sums."""

    kept = (REGION, OPTION, SUM)

    def __init__(self, line: int, most_bytes: int = DEFAULT_BYTES) -> None:
        self.line = line
        self.regions = KnownRegions(line, self._afford)
        super().__init__(f"line-{line}", self.regions.head, most_bytes)
        self._sums = np.zeros(FEWEST_PLACES, SUM)
        self._frames = np.zeros(64, FRAME)
        self._tokens = np.zeros(1 << 10, np.int64)
        self._moves = np.zeros(1 << 12, np.int64)

    @property
    def sums(self) -> int:
        """How many sums of two or more regions are known."""
        return int(self._head[0]["sums"])

    @property
    def bytes(self) -> int:
        """The size of the arrays."""
        arrays = (self._sums, self._frames, self._tokens, self._moves)
        return self.regions.bytes + sum(array.nbytes for array in arrays)

    def known(self) -> list[Array]:
        """All regions, the options of forms, and all sums in no order."""
        return [*self.regions.known(), self._sums[self._sums["used"] != 0]]

    def resume(self, *known: Array) -> None:
        """Take over all that another arena knew; of what this one knew, the bounds of regions.

        Sums name regions by number, so the numbers have to be the other's.
        """
        regions, options, sums = known
        own, _ = self.regions.known()
        self.regions.replace(regions, options)
        self._head["sums"] = len(sums)
        self._sums = hash_table(sums.copy(), tables.move_sums)
        self.regions.learn(own)

    def at_least(self, tokens: Sequence[int], target: int, effort: Effort) -> bool:
        """Whether V - H of a sum is at least the target with Vertical to move, no pass before.

        Raises `OutOfTime`.
        """
        self._ask(tokens, target)
        while (answer := self._answer(effort)) == search.WANTS_VALUE:
            self.regions.appraise(int(self._head[0]["wanted"]))
        return answer == TRUE

    def _advance(self, nodes: int) -> int:
        return search.advance(
            self.regions.arrays, self._sums, self._frames, self._tokens, self._moves, nodes
        )

    def _ask(self, tokens: Sequence[int], target: int) -> None:
        while len(tokens) + MOST_NEW > len(self._tokens):
            self._tokens = doubled(self._tokens)
        self._tokens[: len(tokens)] = tokens
        frame = self._frames[0]
        frame["phase"], frame["target"] = 0, target
        frame["tokens"], frame["count"] = 0, len(tokens)
        frame["moves"] = frame["moves_end"] = 0
        self._head["depth"], self._head["result"] = 0, UNKNOWN

    def _make_room(self) -> None:
        if self.regions.full:
            self.regions.make_room()
        if 4 * (self.sums + 1) > 3 * len(self._sums):
            self._afford(2 * self._sums.nbytes)
            self._sums = hash_table(self._sums, tables.move_sums)
        depth = int(self._head[0]["depth"])
        frame = self._frames[depth]
        if depth + 2 > len(self._frames):
            self._frames = doubled(self._frames)
        if frame["tokens"] + 2 * frame["count"] + MOST_NEW > len(self._tokens):
            self._tokens = doubled(self._tokens)
        if max(frame["moves"], frame["moves_end"]) + BITS * frame["count"] > len(self._moves):
            self._moves = doubled(self._moves)
