"""Data tables shipped with the package: JSON with a version and a checksum.

A table that is missing, damaged or of another version is not used; a warning is logged.
"""

import functools
import hashlib
import json
import logging
from pathlib import Path
from typing import Any

_log = logging.getLogger(__name__)
VERSION = 1
Row = dict[str, Any]


@functools.cache
def read_table(name: str) -> tuple[Row, ...]:
    """Return the rows of a table of the engine, from a cache; empty if it is not usable."""
    return read_rows(Path(__file__).parent / f"{name}.json")


def read_rows(file: Path) -> tuple[Row, ...]:
    """Return the rows of a table in a file; empty, after a warning, if it is not usable."""
    try:
        table = json.loads(file.read_text(encoding="utf-8"))
        rows = table["rows"]
        if table["version"] == VERSION and table["sha256"] == checksum(rows):
            return tuple(rows)
    except (OSError, KeyError, TypeError, ValueError, RecursionError):
        pass
    _log.warning("%s is missing, damaged or of another version, so it is not used", file)
    return ()


def checksum(rows: list[Row]) -> str:
    """Return the checksum of a table's rows."""
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()
