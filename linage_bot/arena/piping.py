"""Processes with pipes to read and write, without a reactor."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import IO

from protocol.session.errors import CannotStart
from protocol.transport.spawning import through_trampoline


def chunks(pipe: IO[bytes]) -> Iterator[bytes]:
    """Yield the bytes of a pipe as they come, to its end, and close it."""
    with pipe:
        while data := pipe.read(1 << 16):
            yield data


def start_piped(argv: list[str]) -> subprocess.Popen[bytes]:
    """Start a process and return it, its three pipes unbuffered; raises `CannotStart`."""
    if sys.platform == "win32":
        return _opened(argv[0], argv)
    ours, theirs = os.pipe()
    with open(ours, "rb") as errors:  # noqa: PTH123
        try:
            process = _opened(argv[0], through_trampoline(argv, theirs), (theirs,))
        finally:
            os.close(theirs)
        error = errors.read()
    if error:
        process.communicate()
        raise CannotStart(argv[0], error.decode(errors="replace"))
    return process


def _opened(program: str, line: list[str], fds: tuple[int, ...] = ()) -> subprocess.Popen[bytes]:
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, pass_fds=fds)
    except (OSError, ValueError) as error:
        raise CannotStart(program, str(error)) from None
