"""The arrays of small regions and of the forms of their values, and numbers for large regions."""

from collections.abc import Iterable
from typing import Self

import numpy as np

from linage_bot.engine.solver.budgets import Array, doubled
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
from linage_bot.engine.solver.values.forms import (
    MOST_OPTIONS,
    OutOfSpace,
    mean_of,
    value_of,
    written,
)
from linage_bot.engine.solver.values.shipped import InitialTables, beginning
from linage_bot.engine.solver.values.values import find_value

XY = tuple[int, int]
_PAIRS = 1 << 15  # a power of two


class KnownRegions:
    """The arrays of regions that compiled code works with. Not thread-safe."""

    def __init__(
        self, line: int, store: Array, marks: Array, begun: InitialTables | None = None
    ) -> None:
        """Create the arrays from `begun`, by default from the values that come with the program.

        Results are written into the store, which may be replaced by a larger one at any time. All
        threads share the store and the marks.
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
        """The arrays as passed to compiled code."""
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
        """The number of records in use, those reserved for the stack included."""
        return int(self.head[0]["regions"])

    @property
    def bytes(self) -> int:
        """The size of the arrays that grow, in bytes."""
        return self.records.nbytes + self.slots.nbytes + self.options.nbytes

    @property
    def full(self) -> bool:
        """Whether another placement could bring more regions than there is room for."""
        return self.used + MOST_NEW > len(self.records)

    def kept(self, most_points: int) -> Array:
        """Return the regions of at most `most_points` points in the store.

        Regions that are identified by a hash are omitted, as their shapes are unknown.
        """
        found = np.zeros(tables.list_kept(self.arrays, most_points, np.zeros(0, REGION)), REGION)
        tables.list_kept(self.arrays, most_points, found)
        return found

    def learn(self, records: Array) -> None:
        """Add the bounds of regions that `kept` of another object returned.

        The other object's lines must be as long.
        """
        tables.learn(self.arrays, records.copy())

    def token(self, cells: Iterable[XY]) -> int | None:
        """Return the token of a free region, or None if its box is too large to search."""
        cells = list(cells)
        left, bottom = min(x for x, _ in cells), min(y for _, y in cells)
        sides = (max(x for x, _ in cells) - left + 1, max(y for _, y in cells) - bottom + 1)
        if (min(sides) + 1) * max(sides) > BITS:  # the canonical box is at least as high as wide
            return None
        stride = sides[0] + 1
        points = sum(1 << (y - bottom) * stride + x - left for x, y in cells)
        if self.full:
            self.make_room()
        halves = (np.uint64(points & (1 << 64) - 1), np.uint64(points >> 64))
        return int(tables.intern(self.arrays, halves, np.uint64(stride)))

    def token_in(self, token: int, other: Self) -> int:
        """Return the token of a region in the numbering of another object."""
        if other is self:
            return token
        if other.full:
            other.make_room()
        region = self.records[token >> 1]
        shape, stride = (region["low"], region["high"]), np.uint64(region["width"] + 1)
        return int(tables.intern(other.arrays, shape, stride)) | token & 1

    def bounds(self, token: int) -> list[int]:
        """Return the known bounds of V - H.

        They are at least and at most with Vertical first, then with Horizontal first.
        """
        self.refresh(token)
        return [int(tables.bound(self.records, token, which)) for which in range(4)]

    def refresh(self, token: int) -> None:
        """Narrow the bounds of a large region by those in the store."""
        if self.records[token >> 1]["points"] > MOST_VALUED:
            tables.refresh(self.arrays, token >> 1)

    def estimate(self, token: int) -> float:
        """Return the cheap estimate of V - H from the lines of a region, in points."""
        points = float(self.records[token >> 1]["estimate"]) / ESTIMATE_SCALE
        return -points if token & 1 else points

    def negated(self, token: int) -> int:
        """Return the token of the negative game."""
        return token if self.records[token >> 1]["negative"] else token ^ 1

    def written(self, token: int) -> str | None:
        """Return the value of a small region in canonical form, or None for a larger region."""
        if self.records[token >> 1]["points"] > MOST_VALUED:
            return None
        if self.records[token >> 1]["value"] == NO_VALUE:
            self.find_value(token >> 1)
        return written(self.records, self.options, *value_of(self.records, token))

    def heat(self, token: int) -> tuple[float, float]:
        """Return the mean and the temperature of a region that has been appraised, in points."""
        form, offset = value_of(self.records, token)
        mean = mean_of(self.records, form, offset)
        return mean / HEAT_SCALE, float(self.records[form >> 1]["temperature"]) / HEAT_SCALE

    def find_value(self, number: int) -> None:
        """Find the value of a small region, after the values of the smaller regions it needs."""
        todo, missing = [number], np.empty(MOST_OPTIONS * MOST_NEW, np.int64)
        while todo:
            try:
                count = find_value(self.arrays, todo[-1], missing)
            except OutOfSpace:
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
