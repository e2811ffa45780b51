"""What is kept between runs: bounds of small regions for everyone, whole runs on request.

The table of small regions grows on demand: a run begins with what the table knows, and adds what it
has proven. A checkpoint is all that one run knows, so that a long run can be broken off and
continued.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from linage_bot.engine.jit.cache import cache_folder
from linage_bot.engine.solver.alphabeta.alphabeta import ENTRY
from linage_bot.engine.solver.alphabeta.plain import PlainArena
from linage_bot.engine.solver.storage import read_arrays, write_arrays
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.regions import Records
from linage_bot.engine.solver.sums.tables import (
    H_HIGH,
    H_LOW,
    NO_VALUE,
    OPTION,
    REGION,
    SUM,
    V_HIGH,
    V_LOW,
)
from linage_bot.rules.game import Game

MOST_POINTS = 14  # of a region in the table: these come up again and again
MOST_KEPT = 1 << 17
_NO_LINE = 0  # where the name of the file says of which game it is


def values_folder() -> Path | None:
    """Where the table is kept; None where nothing can be written."""
    code = cache_folder()
    return None if code is None else code.parent / "values"


class Table:
    """The table of small regions in a folder, for one length of lines."""

    def __init__(self, folder: Path, line: int) -> None:
        self._path = folder / f"line-{line}.values"
        self._line = line

    def load_into(self, arena: Arena) -> None:
        """Tell an arena what the table knows."""
        arrays = read_arrays(self._path, self._line, [REGION, OPTION])
        if arrays is not None:
            arena.regions.learn(*arrays)

    def add_from(self, arena: Arena) -> None:
        """Add what an arena has proven of small regions.

        What another process has added meanwhile is merged; of two that write at once, one has to
        prove its part again another time.
        """
        before = read_arrays(self._path, self._line, [REGION, OPTION])
        if before is not None:
            arena.regions.learn(*before)
        found, options = _worth_keeping(*arena.regions.known())
        if before is None or len(found) > len(before[0]) or not _same(found, before[0]):
            write_arrays(self._path, self._line, [found, options])


@contextlib.contextmanager
def kept_arena(line: int) -> Iterator[Arena]:
    """A new arena that knows what the user's table knows, and adds to it at the end."""
    folder, arena = values_folder(), Arena(line)
    if folder is None:
        yield arena
        return
    table = Table(folder, line)
    table.load_into(arena)
    try:
        yield arena
    finally:
        table.add_from(arena)


class Checkpoint:
    """All that a run knows, in a folder."""

    def __init__(self, folder: Path, line: int) -> None:
        self._path = folder / f"line-{line}.checkpoint"
        self._line = line

    def load_into(self, arena: Arena) -> None:
        """Continue an earlier run, if there is one; what the arena knew itself is kept, too."""
        arrays = read_arrays(self._path, self._line, [REGION, OPTION, SUM])
        if arrays is not None:
            arena.resume(*arrays)

    def save(self, arena: Arena) -> bool:
        """Keep all that is known; False if that was impossible."""
        arrays = [*arena.regions.known(), arena.known_sums()]
        return write_arrays(self._path, self._line, arrays)


class PlainCheckpoint:
    """All that a run of alpha-beta knows of one game on one board, in a folder."""

    def __init__(self, folder: Path, game: Game) -> None:
        options = "".join(f"-{name}-{text}" for name, text in sorted(game.settings().items()))
        self._path = folder / f"{game.id}-{game.board}{options}.checkpoint"

    def load_into(self, arena: PlainArena) -> None:
        """Continue an earlier run, if there is one."""
        arrays = read_arrays(self._path, _NO_LINE, [ENTRY])
        if arrays is not None:
            arena.resume(arrays[0])

    def save(self, arena: PlainArena) -> bool:
        """Keep all that is known; False if that was impossible."""
        return write_arrays(self._path, _NO_LINE, [arena.known()])


def _worth_keeping(regions: Records, options: Records) -> tuple[Records, Records]:
    """The forms, and the small regions of which more is known than at first sight.

    Forms come first, in the order in which they were made, then regions, the smallest first. Their
    numbers in the file are these.
    """
    bounds, is_form = regions["bounds"], regions["points"] == 0
    proven = (
        (bounds[:, V_LOW] != bounds[:, H_LOW])
        | (bounds[:, V_HIGH] != bounds[:, H_HIGH])
        | (bounds[:, V_LOW] == bounds[:, V_HIGH])
    )
    kept = regions[proven & ~is_form & (regions["points"] <= MOST_POINTS)]
    order = np.lexsort((kept["low"], kept["points"]))
    kept, options = kept[order[:MOST_KEPT]], options.copy()
    numbers = np.cumsum(is_form, dtype=np.int32) - 1
    for values, column in ((kept, "value"), (options, "token")):
        tokens = values[column]
        new = 2 * numbers[tokens >> 1] + (tokens & 1)
        values[column] = np.where(tokens == NO_VALUE, NO_VALUE, new)
    return np.concatenate((regions[is_form], kept)), options


def _same(one: Records, other: Records) -> bool:
    return bool(np.array_equal(one["low"], other["low"])) and bool(
        np.array_equal(one["bounds"], other["bounds"])
    )
