"""Mean and temperature of small regions: the value of a region, and that of a move in it.

A thermograph has two walls. With every move taxed by t, the left wall is the best that Vertical
gets by moving first, the best right wall after the move less t; the right wall is the same for
Horizontal. Where they meet is the region's temperature and, above it, the mast: its mean. Means
add up in a sum; a hotter region is usually the one to move in first. A region that is a number
is a mast alone, of temperature 0.

Berlekamp's and Siegel's temperature theory; that sums of regions obey it is said in `law`. The
solver knows means and temperatures alone, from canonical forms (`values.cooling`).
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable
from fractions import Fraction

import attrs

from tests.linage_bot.engine.solver.law import Cell, Game, game_of, placements, stops

Knot = tuple[Fraction, Fraction]  # tax, value
Wall = tuple[Knot, ...]  # from tax 0 on; straight between knots, upright behind the last


@attrs.frozen
class Thermograph:
    """The walls, which meet in their last knot."""

    left: Wall
    right: Wall

    @property
    def mean(self) -> Fraction:
        """The value of the mast."""
        return self.left[-1][1]

    @property
    def temperature(self) -> Fraction:
        """The tax at which neither player gains by moving."""
        return self.left[-1][0]


class Thermographs:
    """Thermographs of sums of small regions, each computed once."""

    def __init__(self, line: int) -> None:
        self._line = line
        self._known: dict[Game, Thermograph] = {(): _mast(Fraction(0))}

    def of(self, cells: Iterable[Cell]) -> Thermograph:
        """The thermograph of a set of empty cells in which every region has a line."""
        placed = game_of(frozenset(cells), self._line)
        if placed is None:
            raise ValueError("a region has no line")
        known = self._of(placed.game)
        return Thermograph(_moved(known.left, placed.settled), _moved(known.right, placed.settled))

    def _of(self, game: Game) -> Thermograph:
        if game not in self._known:
            self._known[game] = self._computed(game)
        return self._known[game]

    def _computed(self, game: Game) -> Thermograph:
        children = [(child.settled, self._of(child.game)) for child in placements(game, self._line)]
        after_vertical = functools.reduce(
            functools.partial(_extreme, better=max),
            {_moved(child.right, settled) for settled, child in children},
        )
        after_horizontal = functools.reduce(
            functools.partial(_extreme, better=min),
            {_moved(child.left, settled) for settled, child in children},
        )
        first, second = stops(0, int(after_vertical[0][1]), int(after_horizontal[0][1]))
        if first == second:
            return _mast(Fraction(first))
        return _taxed(after_vertical, after_horizontal)


def _mast(value: Fraction) -> Thermograph:
    return Thermograph(((Fraction(0), value),), ((Fraction(0), value),))


def _moved(wall: Wall, by: int) -> Wall:
    return tuple((tax, value + by) for tax, value in wall)


def _at(wall: Wall, tax: Fraction) -> Fraction:
    """The wall's value at a tax."""
    for (low, start), (high, end) in itertools.pairwise(wall):
        if tax < high:
            return start + (end - start) * (tax - low) / (high - low)
    return wall[-1][1]


def _taxes(one: Wall, other: Wall) -> list[Fraction]:
    return sorted({tax for tax, _ in (*one, *other)})


def _extreme(one: Wall, other: Wall, better: Callable[[Fraction, Fraction], Fraction]) -> Wall:
    """The better of two walls at each tax."""
    taxes = _taxes(one, other)
    crossings = []
    for low, high in itertools.pairwise(taxes):
        start, end = (_at(one, tax) - _at(other, tax) for tax in (low, high))
        if start * end < 0:
            crossings.append(low + (high - low) * start / (start - end))
    taxes = sorted([*taxes, *crossings])
    return _straightened([(tax, better(_at(one, tax), _at(other, tax))) for tax in taxes])


def _straightened(knots: list[Knot]) -> Wall:
    """The same wall without knots that lie on a straight line."""
    kept: list[Knot] = []
    for knot in knots:
        while len(kept) > 1 and _slope(kept[-2], kept[-1]) == _slope(kept[-1], knot):
            kept.pop()
        kept.append(knot)
    while len(kept) > 1 and kept[-2][1] == kept[-1][1]:
        kept.pop()
    return tuple(kept)


def _slope(one: Knot, other: Knot) -> Fraction:
    return (other[1] - one[1]) / (other[0] - one[0])


def _taxed(after_vertical: Wall, after_horizontal: Wall) -> Thermograph:
    """The thermograph of a hot game from the walls of what either player leaves."""
    left: list[Knot] = []
    right: list[Knot] = []
    gap = before = Fraction(0)
    for tax in _taxes(after_vertical, after_horizontal):
        now = _at(after_vertical, tax) - _at(after_horizontal, tax) - 2 * tax
        if now <= 0:
            break
        gap, before = now, tax
        left.append((tax, _at(after_vertical, tax) - tax))
        right.append((tax, _at(after_horizontal, tax) + tax))
    else:
        tax, now = before + gap, -gap  # behind the last knot the walls approach by 2
    meeting = before + gap * (tax - before) / (gap - now)
    mast = (meeting, _at(after_vertical, meeting) - meeting)
    return Thermograph((*left, mast), (*right, mast))
