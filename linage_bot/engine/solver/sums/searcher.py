"""One thread's part in a search for exact values of sums: its numbers of regions, and its stack.

All threads put the same question to the same position and share the store: what one has found
answers another's question. So that they do not search the same, each marks what it is searching,
and leaves marked moves for later (`sharing`).
"""

from collections.abc import Sequence

import numpy as np

from linage_bot.engine.solver.effort import OUT_OF_ROOM, UNKNOWN, Array, doubled
from linage_bot.engine.solver.shapes import BITS
from linage_bot.engine.solver.sums import search
from linage_bot.engine.solver.sums.records import FRAME, MOST_NEW
from linage_bot.engine.solver.sums.regions import KnownRegions


class Searcher:
    """A stack, and regions with the numbers that they have in it; not for two threads at once."""

    def __init__(self, regions: KnownRegions) -> None:
        self.regions = regions
        self._frames = np.zeros(64, FRAME)
        self._tokens = np.zeros(1 << 10, np.int64)
        self._moves = np.zeros(1 << 12, np.int64)

    @property
    def bytes(self) -> int:
        """The size of the arrays, without the store."""
        arrays: tuple[Array, ...] = (self._frames, self._tokens, self._moves)
        return self.regions.bytes + sum(array.nbytes for array in arrays)

    @property
    def nodes(self) -> int:
        """Positions whose moves were looked at, so far."""
        return int(self.regions.head[0]["nodes"])

    @property
    def expects_growth(self) -> bool:
        """Whether it has put as many entries into the store as it should before that grows."""
        return bool(self.regions.head[0]["room"] <= 0)

    def expect(self, entries: int) -> None:
        """Put at most so many more entries into the store until it is to grow; less than 0: now."""
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
        """Search on for at most so many nodes: the answer, `OUT_OF_NODES`, or `OUT_OF_ROOM`.

        The latter where the store should grow.
        """
        last = self.nodes + nodes
        while True:
            status = search.advance(
                self.regions.arrays, self._frames, self._tokens, self._moves, last - self.nodes
            )
            if status == search.WANTS_VALUE:
                self.regions.appraise(int(self.regions.head[0]["wanted"]))
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
