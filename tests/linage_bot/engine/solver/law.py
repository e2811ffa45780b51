"""The theory of Linage's regions in readable form: slow, exact, for small regions.

A sum is a number and free regions. With `s` the score if play stopped now and `mV`, `mH` what each
side gets by placing first, passing allowed and two passes ending the game:

    Vertical to move gets    max(mV, min(s, mH)): place, or pass; then the opponent stops or places;
    Horizontal to move gets  min(mH, max(s, mV)).

*Hot* (mV > mH): these are mV and mH; no player wants to pass. *Cold* (mV <= mH): both are the
median of s, mV and mH. (Not the simplest number between them, as in games where a player who
cannot move loses.) So moving first is never worse than moving second. A region worth x for any
first mover is the number x in every sum: the opponent can answer any gain made elsewhere.

A region turned on its side is its negative: rows and columns, and with them the players, change
places. A sum of a region and its negative is 0: a move in one is answered in the other.

The compiled search uses all this, too (`sums.search`), and the values of small regions in
canonical form (`values.forms`); tests compare them with this.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

import attrs

Cell = tuple[int, int]  # column, row
Cells = frozenset[Cell]


def stops(now: int, vertical: int, horizontal: int) -> tuple[int, int]:
    """Return the values with Vertical and with Horizontal to move and no pass before.

    The arguments are the score now and the values if either places first.
    """
    return max(vertical, min(now, horizontal)), min(horizontal, max(now, vertical))


@attrs.frozen
class Region:
    """A canonical shape: the least of its images under turning and mirroring."""

    cells: tuple[Cell, ...]

    def __lt__(self, other: Region) -> bool:
        return (len(self.cells), self.cells) < (len(other.cells), other.cells)


Game = tuple[tuple[Region, int], ...]  # free regions with signs, sorted


@attrs.frozen
class Placed:
    """The result of a placement: settled points, V - H, and free regions."""

    settled: int
    game: Game


def components(cells: Iterable[Cell]) -> Iterator[Cells]:
    """Yield the regions of a set of empty cells."""
    left = set(cells)
    while left:
        todo, region = [left.pop()], set()
        while todo:
            x, y = todo.pop()
            region.add((x, y))
            near = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
            left -= near
            todo += near
        yield frozenset(region)


def has_line(cells: Cells, line: int, across: int, upright: int) -> bool:
    """Return whether `line` cells in a row lie in the direction (across, upright)."""
    return any(
        all((x + across * i, y + upright * i) in cells for i in range(line)) for x, y in cells
    )


@functools.cache
def canonical(cells: Cells) -> tuple[Region, int]:
    """Return the region's shape, and -1 if it is the negative of the shape, turned on its side."""
    images = []
    for sign, turned in ((1, cells), (-1, frozenset((y, x) for x, y in cells))):
        for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            image = [(a * x, b * y) for x, y in turned]
            left, bottom = min(x for x, _ in image), min(y for _, y in image)
            images.append((tuple(sorted((x - left, y - bottom) for x, y in image)), sign))
    shape, sign = min(images, key=lambda image: (image[0], -image[1]))
    return Region(shape), sign


def game_of(cells: Iterable[Cell], line: int) -> Placed | None:
    """Return the empty cells as a number and free regions; None if a region has no line."""
    settled, free = 0, []
    for region in components(cells):
        across, upright = has_line(region, line, 1, 0), has_line(region, line, 0, 1)
        if across and upright:
            free.append(canonical(region))
        elif upright:
            settled += len(region)
        elif across:
            settled -= len(region)
        else:
            return None
    return Placed(settled, simplified(free))


def simplified(regions: Iterable[tuple[Region, int]]) -> Game:
    """Return a sum without regions that cancel."""
    counts: dict[Region, int] = {}
    for region, sign in regions:
        if canonical(frozenset((y, x) for x, y in region.cells))[1] == 1:
            sign = 1  # its own negative: two of them cancel
            counts[region] = 1 - counts.get(region, 0)
        else:
            counts[region] = counts.get(region, 0) + sign
    return tuple(
        (region, 1 if count > 0 else -1)
        for region, count in sorted(counts.items())
        for _ in range(abs(count))
    )


def negative(game: Game) -> Game:
    """Return the sum with the players exchanged."""
    return simplified((region, -sign) for region, sign in game)


@functools.cache
def placements(game: Game, line: int) -> tuple[Placed, ...]:
    """Return the results of all placements by either player."""
    found: dict[Placed, None] = {}
    for place, (region, sign) in enumerate(game):
        others = game[:place] + game[place + 1 :]
        for cell in region.cells:
            left = game_of(frozenset(region.cells) - {cell}, line)
            if left is not None:
                part = left.game if sign > 0 else negative(left.game)
                child = Placed(sign * left.settled, simplified((*others, *part)))
                found[child] = None
    return tuple(found)


@functools.cache
def values(game: Game, line: int) -> tuple[int, int]:
    """Return V - H of a sum under best play, with Vertical and with Horizontal to move."""
    if not game:
        return 0, 0
    children = [(child.settled, values(child.game, line)) for child in placements(game, line)]
    vertical = max(settled + second for settled, (_, second) in children)
    horizontal = min(settled + first for settled, (first, _) in children)
    return stops(0, vertical, horizontal)
