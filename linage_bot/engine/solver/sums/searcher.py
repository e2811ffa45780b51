"""One thread's part in a search for exact values of sums: its numbering of regions and its stack.

All threads ask the same question about the same position and share the store, so that a result of
one thread may answer another's question. To avoid searching the same moves, each thread marks the
moves that it is searching, and postpones moves that other threads have marked (`sharing`).
"""

from collections.abc import Sequence

import numpy as np

from linage_bot.engine.solver.budgets import OUT_OF_ROOM, UNKNOWN, Array, doubled
from linage_bot.engine.solver.shapes import BITS
from linage_bot.engine.solver.sums import search
from linage_bot.engine.solver.sums.records import FRAME, MOST_NEW
from linage_bot.engine.solver.sums.regions import KnownRegions


class Searcher:
    """A stack, and the regions with their numbers in it. Not thread-safe."""

    def __init__(self, regions: KnownRegions) -> None:
        self.regions = regions
        self._frames = np.zeros(64, FRAME)
        self._tokens = np.zeros(1 << 10, np.int64)
        self._moves = np.zeros(1 << 12, np.int64)

    @property
    def bytes(self) -> int:
        """The size of the arrays without the store, in bytes."""
        arrays: tuple[Array, ...] = (self._frames, self._tokens, self._moves)
        return self.regions.bytes + sum(array.nbytes for array in arrays)

    @property
    def nodes(self) -> int:
        """The number of positions whose moves have been examined so far."""
        return int(self.regions.head[0]["nodes"])

    @property
    def expects_growth(self) -> bool:
        """Whether all entries that may be added before the store should grow have been added."""
        return bool(self.regions.head[0]["room"] <= 0)

    def expect(self, entries: int) -> None:
        """Set the number of entries that may be added before the store should grow.

        With 0 or less it should grow at once.
        """
        self.regions.head["room"] = entries

    def ask(self, tokens: Sequence[int], target: int) -> None:
        """Begin with the question whether V - H of a sum is at least the target."""
        while len(tokens) + MOST_NEW > len(self._tokens):
            self._tokens = doubled(self._tokens)
        self._tokens[: len(tokens)] = tokens
        for token in tokens:
            self.regions.refresh(token)
        frame, head = self._frames[0], self.regions.head
        frame["phase"], frame["target"] = 0, target
        frame["tokens"], frame["count"] = 0, len(tokens)
        frame["moves"] = frame["moves_end"] = frame["stacked"] = 0
        head["depth"], head["result"], head["stacked"] = 0, UNKNOWN, 0

    def advance(self, nodes: int) -> int:
        """Continue the search for at most `nodes` nodes.

        Returns the answer, `OUT_OF_NODES`, or `OUT_OF_ROOM` if the store should grow.
        """
        last = self.nodes + nodes
        while True:
            status = search.advance(
                self.regions.arrays, self._frames, self._tokens, self._moves, last - self.nodes
            )
            if status == search.WANTS_VALUE:
                self.regions.find_value(int(self.regions.head[0]["wanted"]))
            elif status != OUT_OF_ROOM or self.expects_growth:
                return int(status)
            else:
                self._make_room()

    def _make_room(self) -> None:
        if self.regions.full:
            self.regions.make_room()
        depth = int(self.regions.head[0]["depth"])
        frame = self._frames[depth]
        if depth + 2 > len(self._frames):
            self._frames = doubled(self._frames)
        if frame["tokens"] + 2 * frame["count"] + MOST_NEW > len(self._tokens):
            self._tokens = doubled(self._tokens)
        if max(frame["moves"], frame["moves_end"]) + BITS * frame["count"] > len(self._moves):
            self._moves = doubled(self._moves)
