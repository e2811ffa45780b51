"""The arrays of one search for exact values, and questions put to it.

An arena serves one length of lines. It keeps what it learns, and its arrays grow as needed, up to a
limit of memory.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Self

import attrs
import numpy as np

from linage_bot.engine.processors import PROCESSORS
from linage_bot.engine.solver.errors import OutOfTime
from linage_bot.engine.solver.shapes import BITS
from linage_bot.engine.solver.sums import search, tables
from linage_bot.engine.solver.sums.answers import TRUE, UNKNOWN
from linage_bot.engine.solver.sums.regions import KnownRegions, Records, doubled
from linage_bot.engine.solver.sums.tables import FRAME, MOST_NEW, SUM

_SLICE_SECONDS = 0.01
_FIRST_SLICE = 500  # nodes
_FIRST_SUMS = 1 << 12  # a power of two
DEFAULT_BYTES = 6 << 30


@attrs.frozen
class Allowance:
    """How long to search: until `stopped` is set, the deadline (of `time.monotonic`) passes, or the
    arena has searched `last_node` nodes.
    """  # noqa: D205

    stopped: threading.Event = attrs.field(factory=threading.Event)
    deadline: float | None = None
    between: Callable[[], None] = attrs.field(default=lambda: None)  # called after each slice
    last_node: int | None = None

    @classmethod
    def from_now(
        cls, stopped: threading.Event, seconds: float | None, nodes: int | None, searched: int
    ) -> Self:
        """So many seconds and nodes from now on, in an arena that has searched some already."""
        return cls(
            stopped,
            None if seconds is None else time.monotonic() + seconds,
            last_node=None if nodes is None else searched + nodes,
        )

    @property
    def used_up(self) -> bool:
        """Whether to stop now."""
        late = self.deadline is not None and time.monotonic() >= self.deadline
        return late or self.stopped.is_set()


class Arena:
    """What is known about regions and sums; not for two threads at once."""

    def __init__(self, line: int, most_bytes: int = DEFAULT_BYTES) -> None:
        self.line = line
        self.regions = KnownRegions(line, self._afford)
        self._most_bytes = most_bytes
        self._head = self.regions.head
        self._sums = np.zeros(_FIRST_SUMS, SUM)
        self._frames = np.zeros(64, FRAME)
        self._tokens = np.zeros(1 << 10, np.int64)
        self._moves = np.zeros(1 << 12, np.int64)
        self._slice = _FIRST_SLICE

    @property
    def nodes(self) -> int:
        """Positions whose moves were looked at, so far."""
        return int(self._head[0]["nodes"])

    @property
    def sums(self) -> int:
        """How many sums of two or more regions are known."""
        return int(self._head[0]["sums"])

    @property
    def bytes(self) -> int:
        """The size of the arrays."""
        arrays = (self._sums, self._frames, self._tokens, self._moves)
        return self.regions.bytes + sum(array.nbytes for array in arrays)

    def known_sums(self) -> Records:
        """All sums known, in no order."""
        used: Records = self._sums[self._sums["used"] != 0]
        return used

    def resume(self, regions: Records, options: Records, sums: Records) -> None:
        """Take over all that another arena knew; of what this one knew, what is known of regions.

        Sums name regions by number, so the numbers have to be the other's.
        """
        own = self.regions.known()
        self.regions.replace(regions, options)
        self._head["sums"] = len(sums)
        self._sums = np.zeros(_FIRST_SUMS, SUM)
        while 4 * (len(sums) + 1) > 3 * len(self._sums):
            self._sums = np.zeros(2 * len(self._sums), SUM)
        tables.move_sums(sums.copy(), self._sums)
        self.regions.learn(*own)

    def at_least(self, tokens: Sequence[int], target: int, allowance: Allowance) -> bool:
        """Whether V - H of a sum is at least the target with Vertical to move, no pass before.

        Raises `OutOfTime`.
        """
        self._ask(tokens, target)
        while True:
            if allowance.used_up:
                raise OutOfTime
            slice_ = self._slice
            if allowance.last_node is not None:
                slice_ = max(0, min(slice_, allowance.last_node - self.nodes))
            regions = self.regions
            with PROCESSORS:
                started = time.monotonic()
                status = search.advance(
                    regions.arrays, self._sums, self._frames, self._tokens, self._moves, slice_
                )
                seconds = max(time.monotonic() - started, 1e-6)
            if status == search.OUT_OF_ROOM:
                self._make_room()
            elif status == search.WANTS_VALUE:
                regions.appraise(int(self._head[0]["wanted"]))
            elif status == search.OUT_OF_NODES:
                if slice_ < self._slice:
                    raise OutOfTime
                fitting = int(self._slice * _SLICE_SECONDS / seconds)
                self._slice = max(10, min(2 * self._slice, fitting))
                allowance.between()
            else:
                return bool(status == TRUE)

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
        """Double whatever could overflow; raises `OutOfTime` where memory is used up."""
        if self.regions.full:
            self.regions.make_room()
        if 4 * (self.sums + 1) > 3 * len(self._sums):
            self._afford(2 * self._sums.nbytes)
            larger = np.zeros(2 * len(self._sums), SUM)
            tables.move_sums(self._sums, larger)
            self._sums = larger
        depth = int(self._head[0]["depth"])
        frame = self._frames[depth]
        if depth + 2 > len(self._frames):
            self._frames = doubled(self._frames)
        if frame["tokens"] + 2 * frame["count"] + MOST_NEW > len(self._tokens):
            self._tokens = doubled(self._tokens)
        if max(frame["moves"], frame["moves_end"]) + BITS * frame["count"] > len(self._moves):
            self._moves = doubled(self._moves)

    def _afford(self, more: int) -> None:
        """Raises `OutOfTime` if there is no memory for so many bytes more."""
        if self.bytes + more > self._most_bytes:
            raise OutOfTime
