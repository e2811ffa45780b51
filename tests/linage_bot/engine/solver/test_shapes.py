"""One shape for all images of a region, in boxes of one word and in larger ones."""

import random

import numpy as np
import pytest

from linage_bot.engine.solver.shapes import SCRATCH, canonical

Rows = list[list[int]]
_ROWS = np.zeros(SCRATCH, np.uint64)


def images(rows: Rows) -> list[tuple[Rows, bool]]:
    """Return the eight images of a box, and whether each lies on its side."""
    standing, lying = rows, [list(column) for column in zip(*rows, strict=True)]
    found = []
    for image, turned in ((standing, False), (lying, True)):
        mirrored = [row[::-1] for row in image]
        found += [(each, turned) for each in (image, mirrored, image[::-1], mirrored[::-1])]
    return found


def shape_of(rows: Rows, *, margin: int = 0) -> tuple[Rows, int, int]:
    """Return the canonical form of a box with `margin` empty columns and rows around it."""
    stride = len(rows[0]) + 2 * margin + 1
    points = 0
    for y, row in enumerate(rows):
        points |= sum(open_ << (y + margin) * stride + x + margin for x, open_ in enumerate(row))
    words = np.uint64(points & (1 << 64) - 1), np.uint64(points >> 64)
    shape, width, height, sign, negative = canonical(words, np.uint64(stride), _ROWS)
    found = int(shape[0]) | int(shape[1]) << 64
    told = [[found >> y * (width + 1) + x & 1 for x in range(width)] for y in range(height)]
    return told, sign, negative


@pytest.mark.parametrize(
    "sides", [(5, 5), (8, 8), (3, 8), (8, 4), (6, 7), (9, 5), (5, 9), (10, 10)]
)
def test_all_images_of_a_region_have_the_least_of_them_as_their_shape(
    sides: tuple[int, int],
) -> None:
    """All images of a region have the least of them as their shape."""
    dice = random.Random(str(sides))
    for _ in range(40):
        rows = [[int(dice.random() < 0.75) for _ in range(sides[0])] for _ in range(sides[1])]
        rows[0][0] = rows[-1][-1] = rows[0][-1] = rows[-1][0] = 1  # the box is no smaller
        all_images = [each for each in images(rows) if len(each[0]) >= len(each[0][0])]
        least = min(all_images, key=lambda each: [row[::-1] for row in each[0]])[0]
        ways = {turned for image, turned in all_images if image == least}
        for image, turned in images(rows):
            # a shape that is its own negative has no sign; others lie as the least image does
            sign = len(ways) == 1 and turned != next(iter(ways))
            assert shape_of(image) == (least, int(sign), int(len(ways) == 2))


def test_where_a_region_lies_in_its_frame_does_not_matter() -> None:
    """A region's shape does not depend on its place in the frame."""
    region = [[1, 1, 0], [0, 1, 1], [0, 0, 1], [0, 1, 1]]
    assert shape_of(region) == shape_of(region, margin=2) == shape_of(region, margin=3)
