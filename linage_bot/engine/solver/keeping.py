"""What is kept between runs: bounds of small regions for everyone, whole runs on request.

The table of small regions grows on demand: a run begins with what the table knows, and adds what it
has proven. A checkpoint is all that one run knows, so that a long run can be broken off and
continued.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from linage_bot.engine.jit.cache import cache_folder
from linage_bot.engine.solver.effort import SearchArena
from linage_bot.engine.solver.storage import Array, read_arrays, write_arrays
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.tables import (
    H_HIGH,
    H_LOW,
    NO_VALUE,
    OPTION,
    REGION,
    V_HIGH,
    V_LOW,
)

MOST_POINTS = 14  # of a region in the table: these come up again and again
MOST_KEPT = 1 << 17


def values_folder() -> Path | None:
    """Where the table is kept; None where nothing can be written."""
    code = cache_folder()
    return None if code is None else code.parent / "values"


def load_regions(folder: Path, arena: Arena) -> None:
    """Tell a new arena what the table of small regions in a folder knows."""
    arrays = read_arrays(_table(folder, arena), [REGION, OPTION])
    if arrays is not None:
        arena.regions.replace(*arrays)


def keep_regions(folder: Path, arena: Arena) -> None:
    """Add what an arena has proven of small regions to the table in a folder.

    The bounds that another process has added meanwhile are merged; of two that write at once, one
    has to prove its part again another time.
    """
    path = _table(folder, arena)
    before = read_arrays(path, [REGION, OPTION])
    if before is not None:
        arena.regions.learn(before[0])
    found, options = _worth_keeping(*arena.regions.known())
    if before is None or not _same(found, before[0]):
        write_arrays(path, [found, options])


@contextlib.contextmanager
def regions_kept(arena: SearchArena) -> Iterator[None]:
    """Let a new arena know what the user's table knows, and add to that at the end."""
    folder = values_folder()
    if folder is None or not isinstance(arena, Arena):
        yield
        return
    load_regions(folder, arena)
    try:
        yield
    finally:
        keep_regions(folder, arena)


def resume(folder: Path, arena: SearchArena) -> None:
    """Continue an earlier run from its checkpoint in a folder, if there is one."""
    arrays = read_arrays(_checkpoint(folder, arena), arena.kept)
    if arrays is not None:
        arena.resume(*arrays)


def save(folder: Path, arena: SearchArena) -> bool:
    """Keep all that a run knows in a folder; False if that was impossible."""
    return write_arrays(_checkpoint(folder, arena), arena.known())


def _table(folder: Path, arena: Arena) -> Path:
    return folder / f"{arena.name}.values"


def _checkpoint(folder: Path, arena: SearchArena) -> Path:
    return folder / f"{arena.name}.checkpoint"


def _worth_keeping(regions: Array, options: Array) -> tuple[Array, Array]:
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


def _same(one: Array, other: Array) -> bool:
    return bool(np.array_equal(one["low"], other["low"])) and bool(
        np.array_equal(one["bounds"], other["bounds"])
    )
