"""Columns of zeros: writable, separate, and small until they are written."""

import sys
from pathlib import Path

import numpy as np
import pytest

from linage_bot.engine.search.pages import zeros
from linage_bot.engine.search.tree import Tree
from linage_bot.rules import GAMES

MB = 1_000_000


def resident() -> int:
    """Return the number of bytes of memory that this process uses."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.parametrize("count", [1, 1 << 15, 3_000_000])
def test_columns_are_zeros_that_can_be_written_to(count):
    """Columns are zero, writable and separate from each other and from other calls."""
    types = (np.float32, np.int32, np.dtype([("a", np.float64), ("b", np.int16)], align=True))
    columns, others = zeros(count, *types), zeros(count, *types)
    assert [(len(each), each.dtype) for each in columns] == [(count, each) for each in types]
    ends = [0, count - 1]
    for number, column in enumerate(columns, 1):
        assert not column[ends].view(np.uint8).any()
        column[ends] = number
    for number, column in enumerate(columns, 1):
        assert (column[ends] == np.full(2, number).astype(column.dtype)).all()
    assert not any(each[ends].view(np.uint8).any() for each in others)


def test_a_column_too_long_for_any_machine_is_no_memory():
    """A column too long for any machine raises MemoryError."""
    with pytest.raises(MemoryError, match="no memory for"):
        zeros(1 << 59, np.int32)


@pytest.mark.skipif(sys.platform != "linux", reason="measured by /proc")
@pytest.mark.parametrize(("game", "size"), [("linage", "9"), ("gardar", "4")])
def test_a_small_tree_takes_little_memory(kernel_of, game, size):
    """A tree of 100 nodes takes at most 0.2 MB, despite its capacity of three million."""
    kernel, position = kernel_of(game), GAMES[game].configure(size).start()

    def small() -> Tree:
        tree = Tree(kernel, position, position.moves(), seed=1)
        while tree.nodes < 100:
            tree.grow(1)
        return tree

    first, before = small(), resident()
    trees = [small() for _ in range(20)]
    assert first.nodes < 400
    assert resident() - before < len(trees) * 0.2 * MB
