"""Files: regular ones read up to a bound, and written whole or not at all."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_NONBLOCK", 0)  # to open a pipe that nobody writes to would take for ever
)


def read_file(path: Path, most_bytes: int) -> bytes:
    """All of a file.

    Raises `OSError`, whose `strerror` says what is wrong, also for a pipe or a device and for a
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
    """Raises `OSError` for what is there and no regular file: writing could take for ever."""
    with contextlib.suppress(FileNotFoundError), _nameable(path):
        _check_regular(path.stat(), path)


def write_whole(path: Path, *parts: bytes | memoryview) -> None:
    """As `whole_file`, with these bytes."""
    with whole_file(path) as file:
        file.writelines(parts)


@contextlib.contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """What is written takes the place of whatever file is there; raises `OSError`, which leaves it.

    Others see the old file or the new one, and nothing of one that could not be written.
    """
    part = path.with_name(f".{os.urandom(8).hex()}.part")
    try:
        with _nameable(path):
            file = part.open("xb")
        with file:
            yield file
        part.replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError, UnicodeEncodeError):
            part.unlink()
        if isinstance(error, OSError):  # whoever is told of it knows no other file
            error.filename, error.filename2 = str(path), None
        raise


@contextlib.contextmanager
def _nameable(path: Path) -> Iterator[None]:
    """Raise `OSError` for a path that has letters which the locale's encoding lacks."""
    try:
        yield
    except UnicodeEncodeError as error:
        raise OSError(errno.EILSEQ, f"no name for a file in {error.encoding}", str(path)) from None


def _check_regular(status: os.stat_result, path: Path) -> None:
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
