"""What is known of regions, of all shapes met and of the forms of their values; it grows."""

from collections.abc import Callable, Iterable

import numpy as np

from linage_bot.engine.solver.effort import Array, doubled
from linage_bot.engine.solver.shapes import BITS, SCRATCH
from linage_bot.engine.solver.sums import tables
from linage_bot.engine.solver.sums.tables import (
    HEAD,
    HEAT_SCALE,
    KNOWN_PAIR,
    MOST_NEW,
    NO_VALUE,
    OPTION,
    REGION,
    Known,
)
from linage_bot.engine.solver.values.forms import MOST_OPTIONS, Full, mean_of, value_of, written
from linage_bot.engine.solver.values.values import appraise

XY = tuple[int, int]
MOST_WRITTEN = 12  # points of a region whose value is told: found in some milliseconds
_FIRST_REGIONS, _FIRST_OPTIONS, _PAIRS = 1 << 12, 1 << 12, 1 << 15  # powers of two


class KnownRegions:
    """The arrays, which compiled code is given; not for two threads at once."""

    def __init__(self, line: int, afford: Callable[[int], None]) -> None:
        """`afford` is told how many bytes more are wanted; it may raise."""
        self._afford = afford
        self.head = np.zeros(1, HEAD)
        self.head["line"] = line
        self._rows = np.zeros(SCRATCH, np.uint64)
        self._pairs = np.zeros(_PAIRS, KNOWN_PAIR)
        nothing = np.zeros(1, REGION)
        nothing["negative"] = 1  # number 0 is the form of all numbers
        self.replace(nothing, np.zeros(0, OPTION))

    @property
    def arrays(self) -> Known:
        """What compiled code is given."""
        return Known(self.records, self.slots, self.options, self._pairs, self.head[0], self._rows)

    @property
    def used(self) -> int:
        """How many records are used, for shapes and for forms."""
        return int(self.head[0]["regions"])

    @property
    def bytes(self) -> int:
        """The size of the arrays that grow."""
        return self.records.nbytes + self.slots.nbytes + self.options.nbytes

    @property
    def full(self) -> bool:
        """Whether another placement could bring more regions than there is room for."""
        return self.used + MOST_NEW > len(self.records)

    def known(self) -> tuple[Array, Array]:
        """All shapes and forms in the order in which they were met, and the options of forms."""
        return self.records[: self.used], self.options[: int(self.head[0]["options"])]

    def replace(self, records: Array, options: Array) -> None:
        """Know what another one knew instead, with its numbers."""
        size = _FIRST_REGIONS
        while len(records) + MOST_NEW > size:
            size *= 2
        self.records, self.slots = np.zeros(size, REGION), np.zeros(2 * size, np.int32)
        self.records[: len(records)] = records
        self.options = np.zeros(_FIRST_OPTIONS + len(options), OPTION)
        self.options[: len(options)] = options
        self._pairs[:] = 0
        self.head["regions"], self.head["options"] = len(records), len(options)
        tables.index_regions(self.arrays)

    def learn(self, records: Array) -> None:
        """Take over the bounds that another one knew, whose lines are as long.

        Takes all the room for it beforehand, affordable or not, so that nothing known gets lost.
        """
        while self.used + len(records) + MOST_NEW > len(self.records):
            self._grow()
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
            self._grow()
        halves = (np.uint64(points & (1 << 64) - 1), np.uint64(points >> 64))
        return int(tables.intern(self.arrays, halves, np.uint64(stride)))

    def bounds(self, token: int) -> list[int]:
        """What is known: at least and at most, Vertical first, then Horizontal first."""
        return [int(tables.bound(self.records, token, which)) for which in range(4)]

    def negated(self, token: int) -> int:
        """The token of the negative game."""
        return token if self.records[token >> 1]["negative"] else token ^ 1

    def written(self, token: int) -> str | None:
        """The value of a small region in canonical form; None for a larger one."""
        if self.records[token >> 1]["points"] > MOST_WRITTEN:
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
        """Double the arrays of regions; raises what `afford` raises."""
        self._afford(2 * (self.records.nbytes + self.slots.nbytes))
        self._grow()

    def _grow(self) -> None:
        self.records = doubled(self.records)
        self.slots = np.zeros(2 * len(self.slots), np.int32)
        tables.index_regions(self.arrays)
