"""Machine code on disk: one file, with a checksum, for functions that were compiled together.

Numba's own cache trusts its files and raises the errors that they cause. After a full disk or a
crash of the machine every search would fail, and machine code with a flipped bit would run. Also,
two processes that compile a function for different kernels may give both the same number, and then
one runs the other's code.

Here the name of a file depends on everything that decides its content, and the file starts with a
checksum of this key and the code. A file that is damaged or incomplete is not used: the code is
compiled again, and each process prints at most one warning.

Code that this machine has not compiled may have been shipped with the package, for all processors
that have the required features.

Numba's internals used here: `dumps` pickles functions and types; `magic_tuple` identifies the
processor.
"""

import hashlib
import logging
import os
import pickle
import shutil
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeAlias

import numba
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

from linage_bot.engine.jit.cache_folder import cache_folder, foreign_sources, shipped_folder
from linage_bot.engine.jit.locks import locked
from linage_bot.settings.files import others_may_write, write_whole

Processor: TypeAlias = tuple[str, ...]  # LLVM's target triple, name and features

_log = logging.getLogger(__name__)
_DIGEST_BYTES = hashlib.sha256().digest_size
_warned = False


def _processor() -> Processor:
    return tuple(cpu_target.target_context.codegen().magic_tuple())


def shipped_in(folder: Path) -> tuple[Path, Processor] | None:
    """Return the folder and the processor that its file `processor` describes.

    None if there is no such file, or if this processor lacks one of the features named there.
    """
    try:
        name, features = (folder / "processor").read_text().split()
    except (OSError, ValueError):
        return None
    triple, _, ours = _processor()
    missing = {*features.split(",")} - {*ours.split(",")}
    return None if missing else (folder, (triple, name, features))


FOLDER = cache_folder()
"""The folder in which this process stores code; None if no folder is writable."""

SHIPPED = shipped_in(shipped_folder())
"""The folder of code shipped with the package, and the code's processor; None if none fits."""


class CodeCache:
    """The file for the code of functions, each with its signature, in a folder.

    Without a folder nothing is stored. The folder belongs to this version of our sources: its name
    changes with them. The file belongs to this version of the other packages that define the
    functions. No function may have a closure, which would be part of its code.
    """

    def __init__(self, folder: Path | None, functions: Sequence[tuple[Any, Any]]) -> None:
        assert all(function.__closure__ is None for function, _ in functions)
        self._functions = functions
        self._own = None if folder is None else self._file(folder, _processor())

    def _file(self, folder: Path, processor: Processor) -> tuple[Path, bytes]:
        """Return the file's path and key."""
        names = [
            (each.__module__, each.__qualname__, str(of), *foreign_sources(each.__module__))
            for each, of in self._functions
        ]
        key = hashlib.sha256(repr((names, processor, numba.__version__)).encode()).digest()
        first = self._functions[0][0]
        module = first.__module__.removeprefix("linage_bot.engine.")
        return folder / f"{module}.{first.__name__}-{key.hex()[:16]}.code", key

    def alone(self, *, wait: bool = True) -> AbstractContextManager[bool]:
        """Return a lock that keeps other processes and threads from compiling this code.

        Without `wait`, it yields False if another one holds the lock.
        """
        if self._own is None:
            return nullcontext(True)
        return locked(self._own[0].with_suffix(".lock"), wait=wait)

    def read(self) -> Any:
        """Return the stored content, or that shipped with the package.

        None if there is none or, after a warning, if the file is damaged.
        """
        shipped = None if SHIPPED is None else self._file(*SHIPPED)
        for place in filter(None, (self._own, shipped)):
            path, key = place
            try:
                if not path.is_file() and path.exists():  # opening a pipe would block
                    raise OSError("it is not a regular file")
                with path.open("rb") as file:
                    if place is self._own and others_may_write(os.fstat(file.fileno())):
                        raise OSError("other users can write to it")
                    data = file.read()
                digest, code = data[:_DIGEST_BYTES], data[_DIGEST_BYTES:]
                if hashlib.sha256(key + code).digest() != digest:
                    raise OSError("its checksum is wrong")
                return pickle.loads(code)
            except FileNotFoundError:
                continue
            except Exception as error:  # any error: the code can be compiled again
                _warn("compiled code is unusable and compiled again: %s: %s", path, error)
                return None
        return None

    def write(self, content: object) -> None:
        """Store a picklable object in the file and replace any old content; warn if that fails."""
        if self._own is None:
            return
        (path, key), code = self._own, dumps(content)
        try:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            write_whole(path, hashlib.sha256(key + code).digest(), code, mode=0o600)
        except OSError as error:
            self.cannot(error.strerror)

    def cannot(self, reason: object) -> None:
        """Warn that this code is not stored."""
        if self._own is not None:
            _warn("compiled code cannot be stored: %s: %s", self._own[0], reason)


def _warn(message: str, path: Path, reason: object) -> None:
    """Log a warning, but only the first of the process: there may be thousands of files."""
    global _warned
    if not _warned:
        _warned = True
        _log.warning(message, path, reason)
