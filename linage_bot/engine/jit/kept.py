"""Machine code on disk, a file for what was compiled together, which is whole or not used.

Numba trusts what it finds on disk and raises what goes wrong there: after a full disk or a crash of
the machine every search would fail, and machine code with a flipped bit would run. Two processes
that compile a function for different kernels may also give both the same number, and then one runs
the other's code. Here the name of a file says all that decides what is in it, and a checksum over
both comes first. Whatever is wrong costs one line of warning a process, and the time to compile.

What this machine has not compiled may have come with the package, for all processors of a level.

What it needs of Numba's insides: `dumps` pickles functions and types; `magic_tuple` names the
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

from linage_bot.engine.jit.cache import cache_folder, shipped_folder
from linage_bot.engine.jit.locks import locked
from linage_bot.settings.files import others_may_write, write_whole

Processor: TypeAlias = tuple[str, ...]  # the triple of its system, its name, its features

_log = logging.getLogger(__name__)
_DIGEST_BYTES = hashlib.sha256().digest_size
_warned = False


def _processor() -> Processor:
    return tuple(cpu_target.target_context.codegen().magic_tuple())


def shipped_in(folder: Path) -> tuple[Path, Processor] | None:
    """The folder, and what its file `processor` says, if this processor has all those features."""
    try:
        name, features = (folder / "processor").read_text().split()
    except (OSError, ValueError):
        return None
    triple, _, ours = _processor()
    missing = {*features.split(",")} - {*ours.split(",")}
    return None if missing else (folder, (triple, name, features))


FOLDER = cache_folder()
"""Where this process keeps what it compiles; None where nothing can be written."""

SHIPPED = shipped_in(shipped_folder())
"""Where code is that came with the package, and for what processor; None where none fits."""


class KeptCode:
    """The file for the code of functions, each with its signature, in a folder, if there is one.

    The folder is this version's: its name changes with any source. No function has a closure, for
    that would be part of its code.
    """

    def __init__(self, folder: Path | None, functions: Sequence[tuple[Any, Any]]) -> None:
        assert all(function.__closure__ is None for function, _ in functions)
        self._functions = functions
        self._own = None if folder is None else self._file(folder, _processor())

    def _file(self, folder: Path, processor: Processor) -> tuple[Path, bytes]:
        """Its path and key."""
        names = [(each.__module__, each.__qualname__, str(of)) for each, of in self._functions]
        key = hashlib.sha256(repr((names, processor, numba.__version__)).encode()).digest()
        first = self._functions[0][0]
        module = first.__module__.removeprefix("linage_bot.engine.")
        return folder / f"{module}.{first.__name__}-{key.hex()[:16]}.code", key

    def alone(self, *, wait: bool = True) -> AbstractContextManager[bool]:
        """Keeps all others from making this code; without `wait`, False where somebody does."""
        if self._own is None:
            return nullcontext(True)
        return locked(self._own[0].with_suffix(".lock"), wait=wait)

    def read(self) -> Any:
        """What was written, or came with the package.

        None where there is nothing or, after a warning, nothing good.
        """
        shipped = None if SHIPPED is None else self._file(*SHIPPED)
        for place in filter(None, (self._own, shipped)):
            path, key = place
            try:
                if not path.is_file() and path.exists():  # a pipe would be waited for
                    raise OSError("it is no file")
                with path.open("rb") as file:
                    if place is self._own and others_may_write(os.fstat(file.fileno())):
                        raise OSError("others may write to it")
                    data = file.read()
                digest, code = data[:_DIGEST_BYTES], data[_DIGEST_BYTES:]
                if hashlib.sha256(key + code).digest() != digest:
                    raise OSError("it is not as it was written")
                return pickle.loads(code)
            except FileNotFoundError:
                continue
            except Exception as error:  # whatever it is, there is a way out
                _warn("compiled code is damaged and made anew: %s: %s", path, error)
                return None
        return None

    def write(self, content: object) -> None:
        """Keep what can be pickled, in place of whatever is there; warns where it cannot."""
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
        """Warn that this code is not kept."""
        if self._own is not None:
            _warn("compiled code cannot be kept: %s: %s", self._own[0], reason)


def _warn(message: str, path: Path, reason: object) -> None:
    """Say it once a process; the next thousand files would add nothing."""
    global _warned
    if not _warned:
        _warned = True
        _log.warning(message, path, reason)
