"""Arrays in files that are whole or not used: written beside and renamed, with a checksum.

Any number of processes may read and write the same file; each sees some whole version. Whatever is
wrong with a file or a folder costs one line of warning and the work of computing things again.
"""

from __future__ import annotations

import hashlib
import json
import logging
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from linage_bot.settings.files import write_whole

Array: TypeAlias = np.ndarray[Any, np.dtype[Any]]

_log = logging.getLogger(__name__)
_MAGIC = b"linage-bot values\n"
_VERSION = 2  # of the format and of what the numbers mean


def write_arrays(path: Path, line: int, arrays: list[Array]) -> bool:
    """Put one-dimensional arrays into a file; False, after a warning, where that is impossible."""
    body = [np.ascontiguousarray(array).view(np.uint8).data for array in arrays]
    digest = hashlib.sha256()
    for part in body:
        digest.update(part)
    header = _layout(line, arrays) | {
        "counts": [len(array) for array in arrays],
        "sha256": digest.hexdigest(),
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, _MAGIC + json.dumps(header).encode() + b"\n", *body)
    except OSError as error:
        _log.warning("exact values cannot be kept in %s: %s", path, error.strerror)
        return False
    return True


def read_arrays(path: Path, line: int, dtypes: list[np.dtype[Any]]) -> list[Array] | None:
    """The arrays of a file; None where there is none, or, after a warning, no good one."""
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        _log.warning("exact values cannot be read from %s: %s", path, error.strerror)
        return None
    arrays = _parse(data, line, dtypes)
    if arrays is None:
        _log.warning("%s is damaged or of another version; it will be made anew", path)
    return arrays


def _layout(line: int, arrays: list[Array]) -> dict[str, Any]:
    """What has to fit before a file is read."""
    types = [str(array.dtype.descr) for array in arrays]
    return {"version": _VERSION, "line": line, "types": types}


def _parse(data: bytes, line: int, dtypes: list[np.dtype[Any]]) -> list[Array] | None:
    if not data.startswith(_MAGIC):
        return None
    end = data.find(b"\n", len(_MAGIC))
    expected = _layout(line, [np.empty(0, dtype) for dtype in dtypes])
    try:
        header = json.loads(data[len(_MAGIC) : end])
        if any(header[name] != value for name, value in expected.items()):
            return None
        if hashlib.sha256(memoryview(data)[end + 1 :]).hexdigest() != header["sha256"]:
            return None
        arrays, at = [], end + 1
        for dtype, count in zip(dtypes, header["counts"], strict=True):
            arrays.append(np.frombuffer(data, dtype, count, at))
            at += dtype.itemsize * count
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError):
        return None
    return arrays if at == len(data) else None
