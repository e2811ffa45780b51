"""What is known of small regions and of the forms of their values, and numbers for large ones."""

from collections.abc import Iterable
from typing import Self

import numpy as np

from linage_bot.engine.solver.effort import Array, doubled
from linage_bot.engine.solver.shapes import BITS, SCRATCH
from linage_bot.engine.solver.sums import tables
from linage_bot.engine.solver.sums.tables import (
    HEAD,
    HEAT_SCALE,
    KNOWN_PAIR,
    MOST_NEW,
    MOST_VALUED,
    NO_VALUE,
    OPTION,
    REGION,
    STACKED,
    Known,
)
from linage_bot.engine.solver.values.forms import MOST_OPTIONS, Full, mean_of, value_of, written
from linage_bot.engine.solver.values.values import appraise

XY = tuple[int, int]
MOST_WRITTEN = 12  # points of a region whose value is told: found in some milliseconds
_GAP = STACKED - 1  # in the numbers of regions
_FIRST_REGIONS, _FIRST_OPTIONS, _PAIRS = 1 << 12, 1 << 12, 1 << 15  # powers of two


class KnownRegions:
    """The arrays, which compiled code is given; not for two threads at once."""

    def __init__(self, line: int, store: Array, marks: Array) -> None:
        """The store, which is told what is found, may be replaced by a larger one at any time.

        It and the marks are for all threads.
        """
        self.store, self.marks = store, marks
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
        return Known(
            regions=self.records,
            slots=self.slots,
            options=self.options,
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

    def known(self) -> tuple[Array, Array]:
        """The forms and the shapes with numbers, and the options of forms.

        The forms come first, in the order in which they were made: a token of one is of its place
        there, whatever is left out of the shapes.
        """
        records = np.concatenate((self.records[:1], self.records[STACKED : self.used]))
        options = self.options[: int(self.head[0]["options"])].copy()
        is_form = records["points"] == 0
        places = np.cumsum(is_form, dtype=np.int32) - 1
        for values, column in ((records, "value"), (options, "token")):
            tokens = values[column]
            numbers = np.where(tokens > 1, (tokens >> 1) - _GAP, 0)
            values[column] = np.where(
                tokens == NO_VALUE, NO_VALUE, 2 * places[numbers] + (tokens & 1)
            )
        return np.concatenate((records[is_form], records[~is_form])), options

    def kept(self, most_points: int) -> Array:
        """The regions of at most so many points in the store."""
        found = np.zeros(tables.list_kept(self.arrays, most_points, np.zeros(0, REGION)), REGION)
        tables.list_kept(self.arrays, most_points, found)
        return found

    def replace(self, records: Array, options: Array) -> None:
        """Know what another one knew instead, as `known` tells it, and larger regions besides."""
        large = (records["points"] > MOST_VALUED) & (records["value"] == NO_VALUE)
        large_ones, records = records[large], records[~large]
        size = _FIRST_REGIONS
        while _GAP + len(records) + MOST_NEW > size:
            size *= 2
        self.records, self.slots = np.zeros(size, REGION), np.zeros(2 * size, np.int32)
        self.records[0] = records[0]
        used = _GAP + len(records)
        self.records[STACKED:used] = records[1:]
        self.options = np.zeros(_FIRST_OPTIONS + len(options), OPTION)
        self.options[: len(options)] = options
        for tokens in (self.records["value"], self.options["token"]):
            tokens[tokens > 1] += 2 * _GAP
        self._pairs[:] = 0
        self.head["regions"], self.head["options"] = used, len(options)
        tables.index_regions(self.arrays)
        tables.learn(self.arrays, large_ones)

    def learn(self, records: Array) -> None:
        """Take over the bounds that another one knew, whose lines are as long.

        Takes all the room for it beforehand.
        """
        while self.used + len(records) + MOST_NEW > len(self.records):
            self.make_room()
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
        points = float(self.records[token >> 1]["estimate"]) / tables.ESTIMATE_SCALE
        return -points if token & 1 else points

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
        """Double the arrays of regions."""
        self.records = doubled(self.records)
        self.slots = np.zeros(2 * len(self.slots), np.int32)
        tables.index_regions(self.arrays)
