"""Lines of four and five points around a point, as the readable game finds them."""

import random

import numpy as np
import pytest

from linage_bot.engine.kernels.square.lines import across_lines, kinds_through, upright_lines
from linage_bot.engine.kernels.square.windows import ACROSS, UPRIGHT, WORDS, add, padded_cell
from linage_bot.rules.boards import SquareBoard, bits
from linage_bot.rules.lines import horizontal_lines, vertical_lines

_BELOW, _ABOVE, _ASIDE = 3, 4, 3  # how far a window reaches


def shown(board: SquareBoard, points: int, centre: int) -> int:
    """Return a set of points as seen in a window around a point."""
    row, column = divmod(centre, board.columns)
    window = 0
    for point in bits(points):
        up, right = point // board.columns - row, point % board.columns - column
        if -_BELOW <= up <= _ABOVE and -_ASIDE <= right <= _ASIDE:
            window |= 1 << (up + _BELOW) * 8 + right + _ASIDE
    return window


@pytest.mark.parametrize("line", [4, 5])
@pytest.mark.parametrize("size", ["9", "25", "25x3", "3x25", "13x7"])
def test_lines_are_found_wherever_they_leave_the_window(size: str, line: int) -> None:
    """The points on lines are the same in a window as on the whole board."""
    chance, board = random.Random(line), SquareBoard.parse(size)
    length = np.uint64(line)
    for _ in range(20):
        density = chance.choice((0.5, 0.8, 0.95))
        empty = sum(1 << point for point in bits(board.points) if chance.random() < density)
        points = np.zeros(WORDS, np.uint64)
        for point in bits(empty):
            add(points, padded_cell(point % board.columns, point // board.columns))
        for point in chance.sample(sorted(bits(empty)), 5):
            cell, left = (
                padded_cell(point % board.columns, point // board.columns),
                empty ^ 1 << point,
            )
            kinds = 0
            for found, lines, kind in (
                (across_lines, horizontal_lines, ACROSS),
                (upright_lines, vertical_lines, UPRIGHT),
            ):
                through = lines(board, empty, line) & 1 << point
                expected = lines(board, left, line) | through
                assert found(points, cell, length) == shown(board, expected, point)
                kinds |= kind if through else 0
            assert kinds_through(points, cell, length) == kinds
