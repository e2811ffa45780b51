"""Files: regular ones read up to a bound, written whole or not at all, kept from other users."""

import contextlib
import errno
import logging
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_log = logging.getLogger(__name__)
_OTHERS_WRITE = stat.S_IWGRP | stat.S_IWOTH
_BESIDE = ("", "-wal", "-shm", "-journal")  # suffixes of SQLite's files beside a database
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_NONBLOCK", 0)  # opening a pipe without a writer would take for ever
)


def read_file(path: Path, most_bytes: int) -> bytes:
    """Return the whole content of a file.

    Raises `OSError`, whose `strerror` describes the problem, also for a pipe or a device and for a
    file of more than `most_bytes`, which are whole MiB.
    """
    with _nameable(path):
        descriptor = os.open(path, _FLAGS)
    with os.fdopen(descriptor, "rb") as file:
        _check_regular(os.fstat(descriptor), path)
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise OSError(errno.EFBIG, f"longer than {most_bytes >> 20} MiB", str(path))
    return data


def check_writable(path: Path) -> None:
    """Raise `OSError` if the path exists and is not a regular file: writing could take for ever."""
    with contextlib.suppress(FileNotFoundError), _nameable(path):
        _check_regular(path.stat(), path)


def others_may_write(status: os.stat_result) -> bool:
    """Return whether another user than this one, or root, may have written to a file or folder."""
    if not hasattr(os, "getuid"):  # Windows, where folders under a user's are that user's own
        return False
    return status.st_uid not in (0, os.getuid()) or bool(status.st_mode & _OTHERS_WRITE)


def close_to_writers(path: Path) -> None:
    """Remove other users' right to write to this user's file or folder; warn if they had it.

    Raises `OSError`.
    """
    _take_rights(path, _OTHERS_WRITE, "write to it")


def private_database(path: Path) -> None:
    """Create a database that only this user can read; close an old one to others, with a warning.

    SQLite gives the files that it writes beside a database the same rights. Raises `OSError`.
    """
    with _nameable(path):
        path.touch(mode=0o600)
    for suffix in _BESIDE:
        with contextlib.suppress(FileNotFoundError):
            _take_rights(path.with_name(path.name + suffix), stat.S_IRWXG | stat.S_IRWXO, "read it")


def _take_rights(path: Path, rights: int, doing: str) -> None:
    status = path.stat()
    if hasattr(os, "getuid") and status.st_uid == os.getuid() and status.st_mode & rights:
        path.chmod(stat.S_IMODE(status.st_mode) & ~rights)
        _log.warning(
            "warning: %s: other users could %s; its permissions are now corrected", path, doing
        )


def write_whole(path: Path, *parts: bytes | memoryview, mode: int = 0o666) -> None:
    """Write these bytes to a file, as `whole_file` does."""
    with whole_file(path, mode) as file:
        file.writelines(parts)


@contextlib.contextmanager
def whole_file(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """Yield a file that replaces the one at `path` at the end; on `OSError`, the old one stays.

    Other users see the old file or the new one, and nothing of one that could not be written. A
    mode of 0o600 keeps them from the new one.
    """
    part = path.with_name(f".{os.urandom(8).hex()}.part")
    try:
        with _nameable(path):
            descriptor = os.open(part, _NEW, mode)
        with os.fdopen(descriptor, "wb") as file:
            yield file
        part.replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError, UnicodeEncodeError):
            part.unlink()
        if isinstance(error, OSError):  # the caller knows no other file
            error.filename, error.filename2 = str(path), None
        raise


@contextlib.contextmanager
def _nameable(path: Path) -> Iterator[None]:
    """Raise `OSError` for a path that has letters which the locale's encoding lacks."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise OSError(
            errno.EILSEQ, f"cannot be a file name in {error.encoding}", str(path)
        ) from None


def _check_regular(status: os.stat_result, path: Path) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
