"""Locks between processes, held in the operating system, which frees those of a killed process.

A lock is a file that exists as long as a process holds the lock or waits for it. On Windows the
file stays. If no file can be created, or the file system has no locks, every caller gets the lock
at once.
"""

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from linage_bot.engine.forks import in_forked_children

_held: set[int] = set()  # descriptors of the files that this process has locked
_POLL_SECONDS = 0.05  # on Windows, whose own waiting gives up after some time

if sys.platform == "win32":
    import msvcrt

    def _take(file: int, wait: bool) -> bool:
        while True:
            try:
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
                return True
            except OSError:
                if not wait:
                    return False
            time.sleep(_POLL_SECONDS)

else:
    import fcntl

    def _take(file: int, wait: bool) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            return False
        return True


@contextmanager
def locked(path: Path, *, wait: bool = True) -> Iterator[bool]:
    """Hold a lock and yield True; without `wait`, yield False if it is held elsewhere.

    Other threads of this process count as elsewhere.
    """
    try:
        file = _opened(path, wait)
    except OSError:  # without locks the work may be done twice, which is better than never
        yield True
        return
    if file is None:
        yield False
        return
    _held.add(file)
    try:
        yield True
    finally:
        with contextlib.suppress(OSError):
            path.unlink()  # while it is locked, so that no other process's file is removed
        _held.discard(file)
        os.close(file)


@in_forked_children
def _leave_to_parent() -> None:
    """Close the parent's lock files in a child, so that the parent alone can release the locks."""
    for file in _held:
        with contextlib.suppress(OSError):
            os.close(file)
    _held.clear()


def _opened(path: Path, wait: bool) -> int | None:
    """Open and lock the lock's file; return its descriptor, or None if it is held elsewhere.

    The previous holder removes the file, so the file is opened again if the locked one has lost its
    name.
    """
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if not _take(file, wait):
                os.close(file)
                return None
            if _still_there(path, file):
                return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def _still_there(path: Path, file: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(file))
    except FileNotFoundError:
        return False
