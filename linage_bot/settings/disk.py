"""Files that cannot be used: what the user has to mend, and what may be well again by itself."""

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path
from typing import Final

_PASSING_ERRNOS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)


class StoreFault(Exception):
    """A database that cannot be used; `passing`: the next start may find it well."""

    def __init__(self, reason: str, passing: bool = False) -> None:
        super().__init__(reason)
        self.passing = passing


def is_passing(error: Exception) -> bool:
    """Whether it is the disk that is full, or fails: to try again later makes sense then."""
    if isinstance(error, OSError):
        return error.errno in _PASSING_ERRNOS
    import sqlite3  # here, for the engine checks its settings without any database

    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)


@contextlib.contextmanager
def opening(path: Path, other: str) -> Iterator[None]:
    """Raise `StoreFault` for all that can go wrong with a database file.

    `other` is who has it if it is locked: "another server".
    """
    import sqlite3

    try:
        yield
    except sqlite3.Error as error:
        locked = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
        reason = f"{other} is at work on it" if locked else str(error)
        raise StoreFault(f"{path}: {reason}", is_passing(error)) from None
    except (ValueError, TypeError) as error:
        raise StoreFault(f"{path}: {error}") from None
    except OSError as error:
        where = error.filename or path
        raise StoreFault(f"{where}: {error.strerror}", is_passing(error)) from None
