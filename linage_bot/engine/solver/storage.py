"""Arrays in files that are whole or not used: written beside and renamed, with checksums.

Any number of processes may read and write the same file; each sees some whole version. Whatever is
wrong with a file or a folder costs one line of warning and the work of computing things again.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from linage_bot.settings.files import whole_file

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_log = logging.getLogger(__name__)
_VERSION = 3  # of what the numbers mean; the names of the arrays in a file begin with it


def write_arrays(path: Path, arrays: Sequence[Array]) -> bool:
    """Put arrays into a file; False, after a warning, where that is impossible."""
    named: dict[str, Any] = {_name(number): array for number, array in enumerate(arrays)}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            np.savez(file, **named)
    except OSError as error:
        _log.warning("exact values cannot be kept in %s: %s", path, error.strerror)
        return False
    return True


def read_arrays(path: Path, dtypes: Sequence[np.dtype[Any]]) -> list[Array] | None:
    """The arrays of a file; None where there is none, or, after a warning, no good one."""
    try:
        with path.open("rb") as file, np.load(file) as archive:
            arrays = [archive[_name(number)] for number in range(len(dtypes))]
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


def _name(number: int) -> str:
    return f"{_VERSION}-{number}"
