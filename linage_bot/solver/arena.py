"""The arrays of one search for exact values, and questions put to it.

An arena serves one length of lines. It keeps what it learns, and its arrays grow as needed, up to a
limit of memory.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self, TypeAlias

import attrs
import numpy as np

from linage_bot.solver import search, tables
from linage_bot.solver.errors import OutOfTime
from linage_bot.solver.shapes import BITS, SCRATCH
from linage_bot.solver.tables import FRAME, HEAD, MOST_NEW, REGION, SUM

XY = tuple[int, int]
Records: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_SLICE_SECONDS = 0.01
_FIRST_SLICE = 500  # nodes
_FIRST_REGIONS, _FIRST_SUMS = 1 << 12, 1 << 12  # powers of two
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
        self._most_bytes = most_bytes
        self._head = np.zeros(1, HEAD)
        self._head["line"] = line
        self._regions, self._slots = _room_for(0)
        self._sums = np.zeros(_FIRST_SUMS, SUM)
        self._rows = np.zeros(SCRATCH, np.uint64)
        self._frames = np.zeros(64, FRAME)
        self._tokens = np.zeros(1 << 10, np.int64)
        self._moves = np.zeros(1 << 12, np.int64)
        self._slice = _FIRST_SLICE

    @property
    def nodes(self) -> int:
        """Positions whose moves were looked at, so far."""
        return int(self._head[0]["nodes"])

    @property
    def regions(self) -> int:
        """How many canonical regions are known."""
        return int(self._head[0]["regions"])

    @property
    def sums(self) -> int:
        """How many sums of two or more regions are known."""
        return int(self._head[0]["sums"])

    @property
    def bytes(self) -> int:
        """The size of the arrays."""
        arrays = (self._regions, self._slots, self._sums, self._frames, self._tokens, self._moves)
        return sum(array.nbytes for array in arrays)

    def token(self, cells: Iterable[XY]) -> int | None:
        """The token of a free region; None if its box is too large to search."""
        cells = list(cells)
        left, bottom = min(x for x, _ in cells), min(y for _, y in cells)
        sides = (max(x for x, _ in cells) - left + 1, max(y for _, y in cells) - bottom + 1)
        if (min(sides) + 1) * max(sides) > BITS:  # its shape would stand upright
            return None
        stride = sides[0] + 1
        points = sum(1 << (y - bottom) * stride + x - left for x, y in cells)
        if self.regions + MOST_NEW > len(self._regions):
            self._grow_regions()
        halves = (np.uint64(points & (1 << 64) - 1), np.uint64(points >> 64))
        return int(
            tables.intern(
                self._regions, self._slots, self._head[0], self._rows, halves, np.uint64(stride)
            )
        )

    def known_regions(self) -> Records:
        """All regions known, in the order in which they were met."""
        return self._regions[: self.regions]

    def known_sums(self) -> Records:
        """All sums known, in no order."""
        used: Records = self._sums[self._sums["used"] != 0]
        return used

    def learn(self, regions: Records) -> None:
        """Take over bounds of regions from another arena of the same line."""
        while self.regions + len(regions) + MOST_NEW > len(self._regions):
            self._grow_regions()
        search.learn(self._regions, self._slots, self._head[0], self._rows, regions.copy())

    def resume(self, regions: Records, sums: Records) -> None:
        """Take over all that another arena knew; of what this one knew, what is known of regions.

        Sums name regions by number, so the numbers have to be the other's.
        """
        own = self.known_regions().copy()
        self._regions, self._slots = _room_for(len(regions))
        self._regions[: len(regions)] = regions
        self._head["regions"], self._head["sums"] = len(regions), len(sums)
        tables.index_regions(self._regions, self._slots, self._head[0])
        self._sums = np.zeros(_FIRST_SUMS, SUM)
        while 4 * (len(sums) + 1) > 3 * len(self._sums):
            self._sums = np.zeros(2 * len(self._sums), SUM)
        tables.move_sums(sums.copy(), self._sums)
        self.learn(own)

    def bounds(self, token: int) -> tuple[int, int, int, int]:
        """What is known: at least and at most, Vertical first, then Horizontal first."""
        low, high, second_low, second_high = (
            int(search.bound(self._regions, token, which)) for which in range(4)
        )
        return low, high, second_low, second_high

    def negated(self, token: int) -> int:
        """The token of the negative game."""
        return token if self._regions[token >> 1]["negative"] else token ^ 1

    def at_least(self, tokens: Sequence[int], target: int, allowance: Allowance) -> bool:
        """Whether V - H of a sum is at least the target with Vertical to move, no pass before.

        Raises `OutOfTime`.
        """
        self._ask(tokens, target)
        while True:
            if allowance.used_up:
                raise OutOfTime
            started, slice_ = time.monotonic(), self._slice
            if allowance.last_node is not None:
                slice_ = max(0, min(slice_, allowance.last_node - self.nodes))
            status = search.advance(
                self._regions,
                self._slots,
                self._sums,
                self._head[0],
                self._rows,
                self._frames,
                self._tokens,
                self._moves,
                slice_,
            )
            if status == search.OUT_OF_ROOM:
                self._make_room()
            elif status == search.OUT_OF_NODES:
                if slice_ < self._slice:
                    raise OutOfTime
                seconds = max(time.monotonic() - started, 1e-6)
                fitting = int(self._slice * _SLICE_SECONDS / seconds)
                self._slice = max(10, min(2 * self._slice, fitting))
                allowance.between()
            else:
                return bool(status == search.TRUE)

    def _ask(self, tokens: Sequence[int], target: int) -> None:
        while len(tokens) + MOST_NEW > len(self._tokens):
            self._tokens = _doubled(self._tokens)
        self._tokens[: len(tokens)] = tokens
        frame = self._frames[0]
        frame["phase"], frame["target"] = 0, target
        frame["tokens"], frame["count"] = 0, len(tokens)
        frame["moves"] = frame["moves_end"] = 0
        self._head["depth"], self._head["result"] = 0, search.UNKNOWN

    def _make_room(self) -> None:
        """Double whatever could overflow; raises `OutOfTime` where memory is used up."""
        if self.regions + MOST_NEW > len(self._regions):
            self._afford(self._regions, self._slots)
            self._grow_regions()
        if 4 * (self.sums + 1) > 3 * len(self._sums):
            self._afford(self._sums)
            larger = np.zeros(2 * len(self._sums), SUM)
            tables.move_sums(self._sums, larger)
            self._sums = larger
        depth = int(self._head[0]["depth"])
        frame = self._frames[depth]
        if depth + 2 > len(self._frames):
            self._frames = _doubled(self._frames)
        if frame["tokens"] + 2 * frame["count"] + MOST_NEW > len(self._tokens):
            self._tokens = _doubled(self._tokens)
        if max(frame["moves"], frame["moves_end"]) + BITS * frame["count"] > len(self._moves):
            self._moves = _doubled(self._moves)

    def _afford(self, *doubling: Records) -> None:
        """Raises `OutOfTime` if there is no memory for arrays beside their doubles."""
        if self.bytes + 2 * sum(array.nbytes for array in doubling) > self._most_bytes:
            raise OutOfTime

    def _grow_regions(self) -> None:
        self._regions = _doubled(self._regions)
        self._slots = np.zeros(2 * len(self._slots), np.int32)
        tables.index_regions(self._regions, self._slots, self._head[0])


def _room_for(regions: int) -> tuple[Records, Records]:
    """Empty tables of regions, with room for some more than so many."""
    size = _FIRST_REGIONS
    while regions + MOST_NEW > size:
        size *= 2
    return np.zeros(size, REGION), np.zeros(2 * size, np.int32)


def _doubled(array: Records) -> Records:
    larger = np.zeros(2 * len(array), array.dtype)
    larger[: len(array)] = array
    return larger
