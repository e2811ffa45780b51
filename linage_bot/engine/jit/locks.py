"""Locks between processes, kept by the system: who is killed holds none any more.

A lock is a file that exists as long as somebody holds or wants it. On Windows it stays; where no
file can be made, or the file system knows no locks, everybody gets the lock at once.
"""

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from linage_bot.engine.forks import in_forked_children

_held: set[int] = set()  # files that are locked by this process
_POLL_SECONDS = 0.05  # where the system's own waiting gives up

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
    """Hold the lock of that name; without `wait`, False where another process or thread does."""
    try:
        file = _opened(path, wait)
    except OSError:  # better twice than never
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
            path.unlink()  # while it is ours, so that nobody else's goes
        _held.discard(file)
        os.close(file)


@in_forked_children
def _leave_to_parent() -> None:
    """Close the files of locks that the parent holds, or it could not release them alone."""
    for file in _held:
        with contextlib.suppress(OSError):
            os.close(file)
    _held.clear()


def _opened(path: Path, wait: bool) -> int | None:
    """The lock's file, locked and still of that name: who held it before has removed it."""
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
