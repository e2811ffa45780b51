"""Machine code on disk, a file for each function, which is whole or not used.

Numba trusts what it finds on disk and raises what goes wrong there: after a full disk or a crash of
the machine every search would fail, and machine code with a flipped bit would run. Two processes
that compile a function for different kernels may also give both the same number, and then one runs
the other's code. Here the name of a file says all that decides what is in it, and a checksum over
both comes first. Whatever is wrong costs one line of warning a process, and the time to compile.

What it needs of Numba's insides: a dispatcher's cache is asked to `load_overload` and to
`save_overload`; a result is taken apart by `_reduce` and put together by `_rebuild`, as in Numba's
own cache; `dumps` pickles functions and types; `magic_tuple` names the processor; and code that
`has_dynamic_globals` holds addresses of this process.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from linage_bot.engine.jit.cache import cache_folder
from linage_bot.settings.files import write_whole

FOLDER = cache_folder()
"""Where this process keeps what it compiles; None where nothing can be written."""

_log = logging.getLogger(__name__)
_DIGEST_BYTES = hashlib.sha256().digest_size
_warned = False


class KeptCode(NullCache):
    """One function's code in a folder: to Numba, the cache of the function."""

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        """The folder is this version's: its name changes with any source.

        The function has no closure, for that would be part of its code.
        """
        assert function.__closure__ is None
        self._function = function
        self._folder = folder

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for a signature; None where there is none, or, after a warning, no good one."""
        target_context.refresh()
        path, key = self._place(sig, target_context.codegen())
        try:
            if not path.is_file() and path.exists():  # a pipe would be waited for
                raise OSError("it is no file")
            data = path.read_bytes()
            digest, code = data[:_DIGEST_BYTES], data[_DIGEST_BYTES:]
            if hashlib.sha256(key + code).digest() != digest:
                raise OSError("it is not as it was written")
            parts = pickle.loads(code)
            return CompileResult._rebuild(target_context, *parts)  # type: ignore[no-untyped-call]
        except FileNotFoundError:
            return None
        except Exception as error:  # whatever it is, there is a way out
            _warn("compiled code is damaged and made anew: %s: %s", path, error)
            return None

    def save_overload(self, sig: Any, result: Any) -> None:
        """Keep the code for a signature, in place of whatever is there; warns where it cannot."""
        path, key = self._place(sig, result.codegen)
        if result.library.has_dynamic_globals:
            _warn("compiled code cannot be kept: %s: %s", path, "it holds addresses")
            return
        code: bytes = dumps(result._reduce())  # type: ignore[no-untyped-call]
        try:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            write_whole(path, hashlib.sha256(key + code).digest(), code)
        except OSError as error:
            _warn("compiled code cannot be kept: %s: %s", path, error.strerror)

    def _place(self, sig: Any, codegen: Any) -> tuple[Path, bytes]:
        """The file for a signature, and all that decides what is in it."""
        function, versions = self._function, (sys.implementation.cache_tag, numba.__version__)
        decisive = function.__module__, function.__qualname__, sig, codegen.magic_tuple(), versions
        key = hashlib.sha256(repr(decisive).encode()).digest()
        module = function.__module__.removeprefix("linage_bot.engine.")
        return self._folder / f"{module}.{function.__name__}-{key.hex()[:16]}.code", key


def _warn(message: str, path: Path, reason: object) -> None:
    """Say it once a process; the next thousand files would add nothing."""
    global _warned
    if not _warned:
        _warned = True
        _log.warning(message, path, reason)
