"""Machine code on disk, a file for what was compiled together, which is whole or not used.

Numba trusts what it finds on disk and raises what goes wrong there: after a full disk or a crash of
the machine every search would fail, and machine code with a flipped bit would run. Two processes
that compile a function for different kernels may also give both the same number, and then one runs
the other's code. Here the name of a file says all that decides what is in it, and a checksum over
both comes first. Whatever is wrong costs one line of warning a process, and the time to compile.

What it needs of Numba's insides: `dumps` pickles functions and types; `magic_tuple` names the
processor.
"""

import hashlib
import logging
import pickle
import shutil
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numba
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

from linage_bot.engine.jit.cache import cache_folder
from linage_bot.engine.jit.locks import locked
from linage_bot.settings.files import write_whole

FOLDER = cache_folder()
"""Where this process keeps what it compiles; None where nothing can be written."""

_log = logging.getLogger(__name__)
_DIGEST_BYTES = hashlib.sha256().digest_size
_warned = False


class KeptCode:
    """The file for the code of functions, each with its signature, in a folder.

    The folder is this version's: its name changes with any source. No function has a closure, for
    that would be part of its code.
    """

    def __init__(self, folder: Path, functions: Sequence[tuple[Any, Any]]) -> None:
        assert all(function.__closure__ is None for function, _ in functions)
        names = [(each.__module__, each.__qualname__, str(of)) for each, of in functions]
        processor = cpu_target.target_context.codegen().magic_tuple()
        decisive = names, processor, sys.implementation.cache_tag, numba.__version__
        self._key = hashlib.sha256(repr(decisive).encode()).digest()
        first = functions[0][0]
        module = first.__module__.removeprefix("linage_bot.engine.")
        self._path = folder / f"{module}.{first.__name__}-{self._key.hex()[:16]}.code"

    def alone(self, *, wait: bool = True) -> AbstractContextManager[bool]:
        """Keeps all others from making this code; without `wait`, False where somebody does."""
        return locked(self._path.with_suffix(".lock"), wait=wait)

    def read(self) -> Any:
        """What was written; None where there is nothing or, after a warning, nothing good."""
        try:
            if not self._path.is_file() and self._path.exists():  # a pipe would be waited for
                raise OSError("it is no file")
            data = self._path.read_bytes()
            digest, code = data[:_DIGEST_BYTES], data[_DIGEST_BYTES:]
            if hashlib.sha256(self._key + code).digest() != digest:
                raise OSError("it is not as it was written")
            return pickle.loads(code)
        except FileNotFoundError:
            return None
        except Exception as error:  # whatever it is, there is a way out
            _warn("compiled code is damaged and made anew: %s: %s", self._path, error)
            return None

    def write(self, content: object) -> None:
        """Keep what can be pickled, in place of whatever is there; warns where it cannot."""
        code: bytes = dumps(content)
        try:
            if self._path.is_dir() and not self._path.is_symlink():
                shutil.rmtree(self._path)
            write_whole(self._path, hashlib.sha256(self._key + code).digest(), code)
        except OSError as error:
            self.cannot(error.strerror)

    def cannot(self, reason: object) -> None:
        """Warn that this code is not kept."""
        _warn("compiled code cannot be kept: %s: %s", self._path, reason)


def _warn(message: str, path: Path, reason: object) -> None:
    """Say it once a process; the next thousand files would add nothing."""
    global _warned
    if not _warned:
        _warned = True
        _log.warning(message, path, reason)
