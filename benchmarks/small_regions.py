"""Solve all small free regions, and write the table that the tree search uses.

    python benchmarks/small_regions.py             # the table beside small_regions.py, in 20 s
    python benchmarks/small_regions.py --list 3    # instead, each shape of a line with its stops

A region whose box is wider than eight points is left out.
"""

import argparse
import functools
import sys
import zlib
from collections.abc import Iterator

import numpy as np

from linage_bot.engine.kernels.square.small_regions import (
    ENTRY,
    FILE,
    LARGEST,
    LONGEST_LINE,
    canonical,
)
from linage_bot.engine.solver.sums.arena import Arena

LINES = range(2, LONGEST_LINE + 1)
_SIDE = 8
Entry = tuple[int, int, int, int]
Cells = frozenset[tuple[int, int]]


def least_image(cells: Cells) -> Cells:
    """Return the least of the eight images of a set of cells, moved into the corner."""
    images = []
    for turned in (cells, frozenset((y, x) for x, y in cells)):
        for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            image = [(a * x, b * y) for x, y in turned]
            left, bottom = min(x for x, _ in image), min(y for _, y in image)
            images.append(sorted((x - left, y - bottom) for x, y in image))
    return frozenset(min(images))


def is_free(cells: Cells, line: int) -> bool:
    """Return whether the cells contain a line of this length in both directions."""
    return all(
        any(all((x + a * i, y + b * i) in cells for i in range(line)) for x, y in cells)
        for a, b in ((1, 0), (0, 1))
    )


@functools.cache
def connected(points: int) -> frozenset[Cells]:
    """Return all connected sets of this many points, one of each eight images."""
    if points == 1:
        return frozenset({frozenset({(0, 0)})})
    return frozenset(
        least_image(cells | {beside})
        for cells in connected(points - 1)
        for x, y in cells
        for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
        if beside not in cells
    )


def free_regions(line: int, largest: int = LARGEST) -> Iterator[Cells]:
    """Yield all free regions that fit into the table's shapes, one of each eight images."""
    for points in range(1, largest + 1):
        for cells in connected(points):
            fits = max(max(cell) for cell in cells) < _SIDE
            if fits and is_free(cells, line):
                yield cells


def shape_of(cells: Cells) -> int:
    """Return the shape of a region in the corner, as one word."""
    return sum(1 << _SIDE * y + x for x, y in cells)


def stops(arena: Arena, cells: Cells) -> tuple[int, int]:
    """Return V - H of a region alone, with Vertical and with Horizontal to move."""
    token = arena.regions.token(cells)
    assert token is not None
    arena.regions.find_value(token >> 1)
    first, _, second, _ = arena.regions.bounds(token)
    return first, second


def entries(line: int) -> list[Entry]:
    """Return the records of one line, in the order of the table."""
    arena, found = Arena(line), []
    for cells in free_regions(line):
        shape, turned = canonical(np.uint64(shape_of(cells)))
        vertical, horizontal = stops(arena, cells)
        if turned:
            vertical, horizontal = -horizontal, -vertical
        found.append((line, int(shape), vertical, horizontal))
    return sorted(found)


def picture(shape: int) -> str:
    """Return a shape as text, the top row first."""
    rows = [shape >> _SIDE * y & 0xFF for y in range(_SIDE) if shape >> _SIDE * y]
    return " / ".join(f"{row:08b}"[::-1].rstrip("0").replace("0", " ") for row in reversed(rows))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--list", type=int, choices=LINES, metavar="LINE")
    arguments = parser.parse_args()
    if arguments.list:
        for _, shape, vertical, horizontal in entries(arguments.list):
            print(f"{vertical:+d} {horizontal:+d}  {picture(shape)}")
        return
    table = np.array([entry for line in LINES for entry in entries(line)], ENTRY)
    FILE.write_bytes(zlib.compress(table.tobytes(), 9))
    print(f"{len(table)} regions, {FILE.stat().st_size} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
