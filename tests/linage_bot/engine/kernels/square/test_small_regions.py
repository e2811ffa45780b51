"""The table of small regions, compared with the readable theory."""

import logging
import random
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from benchmarks.small_regions import connected
from linage_bot.engine.kernels.square.small_regions import (
    ENTRY,
    FILE,
    LARGEST,
    bounds_of,
    read_entries,
)
from linage_bot.engine.kernels.square.windows import MARGIN, WORDS, Layer
from tests.linage_bot.engine.solver import law
from tests.linage_bot.engine.solver.law import Cells

LINES = [2, 3, 4, 5]
SIDE = 8  # of the largest box
ROWS = 25  # of the largest board
IN_THE_TABLE = {2: 6463 - 9, 3: 5386, 4: 1294, 5: 59}


def is_free(cells: Cells, line: int) -> bool:
    return law.has_line(cells, line, 1, 0) and law.has_line(cells, line, 0, 1)


def images(cells: Cells) -> Iterator[Cells]:
    """Yield all eight images of a region, in the corner."""
    for turned in (cells, frozenset((y, x) for x, y in cells)):
        for a, b in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            image = {(a * x, b * y) for x, y in turned}
            left, bottom = min(x for x, _ in image), min(y for _, y in image)
            yield frozenset((x - left, y - bottom) for x, y in image)


def sides(cells: Cells) -> tuple[int, int]:
    return max(x for x, _ in cells) + 1, max(y for _, y in cells) + 1


def looked_up(cells: Cells, line: int, left: int = 0, bottom: int = 0) -> tuple[int, int, int]:
    layer: Layer = np.zeros(WORDS, np.uint32)
    for x, y in cells:
        layer[MARGIN + bottom + y] |= np.uint32(1 << (x + left + 3))
    return bounds_of(layer, np.uint64(ROWS), np.uint64(line), len(cells))


def check(cells: Cells, line: int, left: int = 0, bottom: int = 0) -> None:
    """Check a region's value by the theory; a region too long must be almost unknown."""
    found = looked_up(cells, line, left, bottom)
    if max(sides(cells)) > SIDE or len(cells) > LARGEST:
        assert found == (1 - len(cells), len(cells) - 1, 0)
        return
    region, sign = law.canonical(cells)
    vertical, horizontal = law.values(((region, sign),), line)
    assert found == (horizontal, vertical, vertical - horizontal)


@pytest.mark.parametrize("line", LINES)
def test_regions_are_worth_what_the_theory_says(line: int) -> None:
    """A sample of each size, all eight images, anywhere on the largest board."""
    chance, checked = random.Random(line), 0
    for points in range(1, LARGEST + 1):
        free = sorted((cells for cells in connected(points) if is_free(cells, line)), key=sorted)
        for cells in chance.sample(free, min(len(free), 25)):
            for image in images(cells):
                width, height = sides(image)
                check(image, line, chance.randint(0, 25 - width), chance.randint(0, ROWS - height))
                checked += 1
    assert checked >= 8 * 25


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("line", LINES)
def test_all_small_regions_are_worth_what_the_theory_says(line: int) -> None:
    """Each image of each small region has its exact value."""
    for points in range(1, LARGEST + 1):
        for cells in connected(points):
            if is_free(cells, line):
                for image in images(cells):
                    check(image, line)


@pytest.mark.parametrize("line", LINES)
def test_of_a_larger_region_nothing_is_known(line: int) -> None:
    """A region too large or too long for the table has the widest possible values."""
    cells = frozenset((x, y) for x in range(6) for y in range(5))
    assert looked_up(cells, line) == (-29, 29, 0)
    if line == 2:
        long = frozenset({*((x, 0) for x in range(9)), (0, 1)})
        for image in images(long):
            assert looked_up(image, line) == (-9, 9, 0)


def test_the_table_shipped_is_whole(caplog: pytest.LogCaptureFixture) -> None:
    """The shipped table has each small free region once, in order and with plausible values."""
    table = read_entries(FILE)
    assert not caplog.records
    assert {line: int((table["line"] == line).sum()) for line in LINES} == IN_THE_TABLE
    keys = [(int(entry["line"]), int(entry["shape"])) for entry in table]
    assert keys == sorted(set(keys))
    assert (table["vertical_first"] >= table["horizontal_first"]).all()
    assert Path(str(FILE)).stat().st_size < 50_000


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-10], lambda data: data[:500] + b"?" + data[501:], lambda _: b""]
)
def test_a_damaged_table_is_not_used_after_one_line_of_warning(
    damage, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A damaged or missing table is read as empty, and damage is logged in one line."""
    file = tmp_path / "table.bin"
    file.write_bytes(damage(FILE.read_bytes()))
    with caplog.at_level(logging.WARNING):
        assert len(read_entries(file)) == 0
    assert len(caplog.records) == 1
    missing = read_entries(tmp_path / "missing.bin")
    assert (len(missing), missing.dtype) == (0, ENTRY)
