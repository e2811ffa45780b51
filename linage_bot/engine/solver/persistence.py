"""Storage of exact values between runs: always of small regions, of whole runs on request.

The table of regions grows with use: a run begins with the values in the table, and adds those that
it has proven. A checkpoint holds everything that one run knows, so that a long run can be
interrupted and continued.
"""

import contextlib
import hashlib
import logging
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np

from linage_bot.engine.jit.cache_folder import cache_folder, usable
from linage_bot.engine.solver.budgets import Array, SearchArena
from linage_bot.engine.solver.sums.arena import Arena
from linage_bot.engine.solver.sums.records import H_HIGH, H_LOW, REGION, V_HIGH, V_LOW
from linage_bot.settings.files import others_may_write, whole_file

MOST_POINTS = 16  # of a region in the table; small regions occur often
MOST_KEPT = 1 << 17

_log = logging.getLogger(__name__)
_VERSION = 8  # of the meaning of the numbers; prefix of the array names in a file
_CHECKSUMS = "sha256"  # the name of the array with a checksum of each part


def values_folder() -> Path | None:
    """Return the folder of the table; None if it is not writable, or others may write to it."""
    code = cache_folder()
    folder = None if code is None else code.parent / "values"
    return folder if folder is not None and usable(folder) else None


def load_regions(folder: Path, arena: Arena) -> None:
    """Load the table of regions in a folder into a new arena."""
    for regions in _read(folder / f"{arena.name}.values", REGION, own=True):
        arena.learn(regions)


def keep_regions(folder: Path, arena: Arena) -> None:
    """Add the bounds that an arena has proven for small regions to the table in a folder.

    Bounds that another process has added since are merged. If two processes write at the same time,
    one of them has to prove its part again later.
    """
    path = folder / f"{arena.name}.values"
    before = np.zeros(0, REGION)
    for before in _read(path, REGION, own=True):
        arena.learn(before)
    found = _worth_keeping(arena.regions.kept(MOST_POINTS))
    if any(not np.array_equal(found[column], before[column]) for column in ("low", "bounds")):
        _write(path, [found])


@contextlib.contextmanager
def regions_kept(arena: SearchArena) -> Iterator[None]:
    """Load the user's table into a new arena, and add the arena's results to it at the end."""
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
            _log.warning("exact values cannot be stored in %s: out of memory", folder)


def resume(folder: Path, arena: SearchArena) -> None:
    """Continue an earlier run from its checkpoint in a folder, if there is one."""
    arena.resume(_read(folder / f"{arena.name}.checkpoint", arena.kept))


def save(folder: Path, arena: SearchArena) -> bool:
    """Save everything a run knows in a folder. Return False if that was impossible."""
    return _write(folder / f"{arena.name}.checkpoint", arena.known())


def _worth_keeping(regions: Array) -> Array:
    """Return the regions with more than obvious bounds, smallest first, up to `MOST_KEPT`."""
    bounds = regions["bounds"]
    proven = (
        (bounds[:, V_LOW] != bounds[:, H_LOW])
        | (bounds[:, V_HIGH] != bounds[:, H_HIGH])
        | (bounds[:, V_LOW] == bounds[:, V_HIGH])
    )
    kept: Array = regions[proven]
    order = np.lexsort((kept["low"], kept["points"]))
    return kept[order[:MOST_KEPT]].copy()


def _write(path: Path, parts: Iterable[Array]) -> bool:
    """Write parts of a table to a file. If that is impossible, log a warning and return False."""
    checksums = []
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path, 0o600) as file, ZipFile(file, "w") as archive:
            for number, part in enumerate(parts):
                _add(archive, number, part)
                checksums.append(_checksum(path, part))
            _add(archive, _CHECKSUMS, np.array(checksums))
    except OSError as error:
        _log.warning("exact values cannot be stored in %s: %s", path, error.strerror)
        return False
    return True


def _add(archive: ZipFile, what: int | str, array: Array) -> None:
    """Add an array to an archive, in NumPy's format."""
    with archive.open(f"{_name(what)}.npy", "w", force_zip64=True) as member:
        np.lib.format.write_array(member, array, allow_pickle=False)


def _read(path: Path, dtype: np.dtype[Any], *, own: bool = False) -> Iterator[Array]:
    """Return the parts of a file one by one; after a warning, none from the first unusable one.

    There is none if there is no file. With `own`, a file that another user may have written is
    unusable.
    """
    try:
        with path.open("rb") as file:
            if own and others_may_write(os.fstat(file.fileno())):
                _log.warning("%s: other users can write to it; it will be computed again", path)
                return
            with np.load(file) as archive:
                checksums = archive[_name(_CHECKSUMS)].reshape(-1, hashlib.sha256().digest_size)
                for number, checksum in enumerate(checksums):
                    part = archive[_name(number)]
                    _check(part, dtype, checksum, path)
                    yield part.view(dtype)  # with the type's alignment
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        _log.warning("exact values cannot be read from %s: %s", path, error.strerror)
    except Exception:  # damaged bytes can raise many kinds of exceptions
        _log.warning("%s is damaged or of another version; it will be computed again", path)


def _check(part: Array, dtype: np.dtype[Any], checksum: Array, path: Path) -> None:
    """Raise `ValueError` for a part that is not as it was written."""
    if part.dtype != dtype or (checksum != _checksum(path, part)).any():
        raise ValueError("another type or checksum")


def _checksum(path: Path, part: Array) -> Array:
    """Return the hash of the records of a part and of the file's name, which verifies them."""
    digest = hashlib.sha256(path.name.encode())
    digest.update(str(part.nbytes).encode())
    for field in part.dtype.names or ():  # the padding between them is not written
        digest.update(np.ascontiguousarray(part[field]).reshape(-1).view(np.uint8).data)
    return np.frombuffer(digest.digest(), np.uint8)


def _name(what: int | str) -> str:
    return f"{_VERSION}-{what}"
