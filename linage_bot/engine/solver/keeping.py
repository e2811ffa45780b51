"""What is kept between runs: bounds of regions that are not large for everyone, runs on request.

The table of regions grows on demand: a run begins with what the table knows, and adds what it
has proven. A checkpoint is all that one run knows, so that a long run can be broken off and
continued.
"""

import contextlib
import hashlib
import logging
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from linage_bot.engine.jit.cache import cache_folder, usable
from linage_bot.engine.solver.effort import Array, SearchArena
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.records import H_HIGH, H_LOW, REGION, V_HIGH, V_LOW
from linage_bot.settings.files import others_may_write, whole_file

MOST_POINTS = 16  # of a region in the table: these come up again and again
MOST_KEPT = 1 << 17

_log = logging.getLogger(__name__)
_VERSION = 8  # of what the numbers mean; the names of the arrays in a file begin with it


def values_folder() -> Path | None:
    """Return the folder of the table; None where nothing can be written, or others could, too."""
    code = cache_folder()
    folder = None if code is None else code.parent / "values"
    return folder if folder is not None and usable(folder) else None


def load_regions(folder: Path, arena: Arena) -> None:
    """Tell a new arena what the table of regions in a folder knows."""
    arrays = _read(folder / f"{arena.name}.values", [REGION], own=True)
    if arrays is not None:
        arena.learn(*arrays)


def keep_regions(folder: Path, arena: Arena) -> None:
    """Add what an arena has proven of regions that are not large to the table in a folder.

    The bounds that another process has added meanwhile are merged; of two that write at once, one
    has to prove its part again another time.
    """
    path = folder / f"{arena.name}.values"
    before = _read(path, [REGION], own=True)
    if before is not None:
        arena.learn(*before)
    found = _worth_keeping(arena.regions.kept(MOST_POINTS))
    if before is None or any(
        not np.array_equal(found[column], before[0][column]) for column in ("low", "bounds")
    ):
        _write(path, [found])


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
        try:
            keep_regions(folder, arena)
        except MemoryError:
            _log.warning("exact values cannot be kept in %s: out of memory", folder)


def resume(folder: Path, arena: SearchArena) -> None:
    """Continue an earlier run from its checkpoint in a folder, if there is one."""
    arrays = _read(folder / f"{arena.name}.checkpoint", arena.kept)
    if arrays is not None:
        arena.resume(*arrays)


def save(folder: Path, arena: SearchArena) -> bool:
    """Keep all that a run knows in a folder; False if that was impossible."""
    return _write(folder / f"{arena.name}.checkpoint", arena.known())


def _worth_keeping(regions: Array) -> Array:
    """The regions of which more is known than at first sight, the smallest first."""
    bounds = regions["bounds"]
    proven = (
        (bounds[:, V_LOW] != bounds[:, H_LOW])
        | (bounds[:, V_HIGH] != bounds[:, H_HIGH])
        | (bounds[:, V_LOW] == bounds[:, V_HIGH])
    )
    kept: Array = regions[proven]
    order = np.lexsort((kept["low"], kept["points"]))
    return kept[order[:MOST_KEPT]].copy()


def _write(path: Path, arrays: Sequence[Array]) -> bool:
    """Put arrays into a file; False, after a warning, where that is impossible."""
    named: dict[str, Any] = {_name(number): array for number, array in enumerate(arrays)}
    named[_name("sha256")] = _checksum(path, arrays)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path, 0o600) as file:
            np.savez(file, **named)
    except OSError as error:
        _log.warning("exact values cannot be kept in %s: %s", path, error.strerror)
        return False
    return True


def _read(path: Path, dtypes: Sequence[np.dtype[Any]], *, own: bool = False) -> list[Array] | None:
    """The arrays of a file; None where there is none, or, after a warning, no good one.

    With `own`, a file that another user may have written is no good one.
    """
    arrays: list[Array] = []
    try:
        with path.open("rb") as file:
            if own and others_may_write(os.fstat(file.fileno())):
                _log.warning("%s: others may write to it; it will be made anew", path)
                return None
            with np.load(file) as archive:
                found = [archive[_name(number)] for number in range(len(dtypes))]
                if (archive[_name("sha256")] == _checksum(path, found)).all():
                    arrays = found
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        _log.warning("exact values cannot be read from %s: %s", path, error.strerror)
        return None
    except Exception:  # whatever is wrong with its bytes, there is a way out
        arrays = []
    if [array.dtype for array in arrays] != list(dtypes):
        _log.warning("%s is damaged or of another version; it will be made anew", path)
        return None
    return [array.view(dtype) for array, dtype in zip(arrays, dtypes, strict=True)]  # alignment


def _checksum(path: Path, arrays: Sequence[Array]) -> Array:
    """Return the hash of all records, by which a file of this name is known to be whole."""
    digest = hashlib.sha256(path.name.encode())
    for array in arrays:
        digest.update(str(array.nbytes).encode())
        for field in array.dtype.names or ():  # what lies between them is not written
            digest.update(np.ascontiguousarray(array[field]).reshape(-1).view(np.uint8).data)
    return np.frombuffer(digest.digest(), np.uint8)


def _name(what: int | str) -> str:
    return f"{_VERSION}-{what}"
