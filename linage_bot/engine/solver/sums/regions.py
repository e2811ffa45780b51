"""What is known of small regions and of the forms of their values, and numbers for large ones."""

from collections.abc import Iterable
from typing import Self

import numpy as np

from linage_bot.engine.solver.effort import Array, doubled
from linage_bot.engine.solver.shapes import BITS, SCRATCH
from linage_bot.engine.solver.sums import tables
from linage_bot.engine.solver.sums.records import (
    ESTIMATE_SCALE,
    HEAD,
    HEAT_SCALE,
    KNOWN_PAIR,
    MOST_NEW,
    MOST_VALUED,
    NO_VALUE,
    REGION,
    Known,
)
from linage_bot.engine.solver.values.forms import MOST_OPTIONS, Full, mean_of, value_of, written
from linage_bot.engine.solver.values.shipped import Beginning, beginning
from linage_bot.engine.solver.values.values import appraise

XY = tuple[int, int]
_PAIRS = 1 << 15  # a power of two


class KnownRegions:
    """The arrays, which compiled code is given; not for two threads at once."""

    def __init__(
        self, line: int, store: Array, marks: Array, begun: Beginning | None = None
    ) -> None:
        """The store, which is told what is found, may be replaced by a larger one at any time.

        It and the marks are for all threads. What is `begun` with is in general what comes with the
        program.
        """
        begun = begun or beginning(line)
        self.store, self.marks = store, marks
        self.head = np.zeros(1, HEAD)
        self.head["line"] = line
        self._rows = np.zeros(SCRATCH, np.uint64)
        self._pairs = np.zeros(_PAIRS, KNOWN_PAIR)
        self._values = begun.values
        self.records, self.options = begun.records.copy(), begun.options.copy()
        self.slots = begun.slots.copy()
        self.head["regions"], self.head["options"] = begun.used, begun.options_used

    @property
    def arrays(self) -> Known:
        """What compiled code is given."""
        return Known(
            regions=self.records,
            slots=self.slots,
            options=self.options,
            values=self._values,
            pairs=self._pairs,
            head=self.head[0],
            rows=self._rows,
            store=self.store,
            marks=self.marks,
        )

    @property
    def used(self) -> int:
        """How many records are used, or set apart for the stack."""
        return int(self.head[0]["regions"])

    @property
    def bytes(self) -> int:
        """The size of the arrays that grow."""
        return self.records.nbytes + self.slots.nbytes + self.options.nbytes

    @property
    def full(self) -> bool:
        """Whether another placement could bring more regions than there is room for."""
        return self.used + MOST_NEW > len(self.records)

    def kept(self, most_points: int) -> Array:
        """The regions of at most so many points in the store."""
        found = np.zeros(tables.list_kept(self.arrays, most_points, np.zeros(0, REGION)), REGION)
        tables.list_kept(self.arrays, most_points, found)
        return found

    def learn(self, records: Array) -> None:
        """Take over the bounds of regions that another one `kept`, whose lines are as long."""
        tables.learn(self.arrays, records.copy())

    def token(self, cells: Iterable[XY]) -> int | None:
        """The token of a free region; None if its box is too large to search."""
        cells = list(cells)
        left, bottom = min(x for x, _ in cells), min(y for _, y in cells)
        sides = (max(x for x, _ in cells) - left + 1, max(y for _, y in cells) - bottom + 1)
        if (min(sides) + 1) * max(sides) > BITS:  # its shape would stand upright
            return None
        stride = sides[0] + 1
        points = sum(1 << (y - bottom) * stride + x - left for x, y in cells)
        if self.full:
            self.make_room()
        halves = (np.uint64(points & (1 << 64) - 1), np.uint64(points >> 64))
        return int(tables.intern(self.arrays, halves, np.uint64(stride)))

    def told(self, token: int, other: Self) -> int:
        """The token by which another one knows a region."""
        if other is self:
            return token
        if other.full:
            other.make_room()
        region = self.records[token >> 1]
        shape, stride = (region["low"], region["high"]), np.uint64(region["width"] + 1)
        return int(tables.intern(other.arrays, shape, stride)) | token & 1

    def bounds(self, token: int) -> list[int]:
        """What is known: at least and at most, Vertical first, then Horizontal first."""
        self.refresh(token)
        return [int(tables.bound(self.records, token, which)) for which in range(4)]

    def refresh(self, token: int) -> None:
        """Take over what the store knows of a region."""
        if self.records[token >> 1]["points"] > MOST_VALUED:
            tables.refresh(self.arrays, token >> 1)

    def estimate(self, token: int) -> float:
        """What the lines of a region promise, by the cheap estimate of V - H."""
        points = float(self.records[token >> 1]["estimate"]) / ESTIMATE_SCALE
        return -points if token & 1 else points

    def negated(self, token: int) -> int:
        """The token of the negative game."""
        return token if self.records[token >> 1]["negative"] else token ^ 1

    def written(self, token: int) -> str | None:
        """The value of a small region in canonical form; None for a larger one."""
        if self.records[token >> 1]["points"] > MOST_VALUED:
            return None
        if self.records[token >> 1]["value"] == NO_VALUE:
            self.appraise(token >> 1)
        return written(self.records, self.options, *value_of(self.records, token))

    def heat(self, token: int) -> tuple[float, float]:
        """The mean and the temperature of a region that has been appraised."""
        form, offset = value_of(self.records, token)
        mean = mean_of(self.records, form, offset)
        return mean / HEAT_SCALE, float(self.records[form >> 1]["temperature"]) / HEAT_SCALE

    def appraise(self, number: int) -> None:
        """Find the value of a small region, those of smaller ones first."""
        todo, missing = [number], np.empty(MOST_OPTIONS * MOST_NEW, np.int64)
        while todo:
            try:
                count = appraise(self.arrays, todo[-1], missing)
            except Full:
                self.make_room()
                self.options = doubled(self.options)
                continue
            if count:
                todo += missing[:count].tolist()
            else:
                todo.pop()

    def make_room(self) -> None:
        """Double the arrays of regions."""
        self.records = doubled(self.records)
        self.slots = np.zeros(2 * len(self.slots), np.int32)
        tables.index_regions(self.arrays)
