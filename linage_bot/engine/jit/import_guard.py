"""A guard around imports of Numba and compilation, so that they do not slow or break the process.

- One thread at a time. Numba's modules have circular imports: of two threads that import it at the
  same time, one finds an incomplete module.
- No unnecessary imports. Numba imports SciPy (for linear algebra), cffi (for C functions), coverage
  (for reports) and PyYAML (for a file of its settings) if they are installed, some only when it
  compiles its first function. They took a third of the time from the start of a process to its
  first move.
- No threads for matrices. NumPy's OpenBLAS starts one for each processor, and each takes 0.1 s of
  processor time before it first waits. A program that multiplies large matrices imports NumPy
  first, or sets `OPENBLAS_NUM_THREADS`.
- No garbage collection. Numba creates a great number of objects. With them, a full collection
  delays the search and every answer by 70 ms of processor time, or 150 ms during compilation.
- No forks. A process forked during an import or compilation would have incomplete modules for ever,
  and locks of Python, Numba and LLVM that nothing releases. So a fork waits for its end.
"""

import gc
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from linage_bot.engine.forks import around_forks

_NOT_NEEDED = frozenset({"scipy", "cffi", "coverage", "yaml"})
_BLAS_THREADS = "OPENBLAS_NUM_THREADS"
_one_at_a_time = threading.RLock()


class _Refusal(MetaPathFinder):
    """An import hook that hides unnecessary packages from one thread only."""

    def __init__(self) -> None:
        self._thread = threading.get_ident()

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname in _NOT_NEEDED and threading.get_ident() == self._thread:
            raise ModuleNotFoundError(f"{fullname} is not needed here", name=fullname)
        return None


@contextmanager
def lean_loading() -> Iterator[None]:
    """Guard imports of Numba and of compiled modules, and compilation; other threads wait.

    Unnecessary packages are hidden from this thread only. If NumPy is first imported here, it uses
    one thread for matrices, unless the environment says how many. There is no garbage collection in
    the block. After it, the collector ignores all objects that exist then; the first compilation on
    a machine leaves some 70 MB. After a failure it does not ignore them, as the caller may try many
    times. Everything else is restored.
    """
    with _one_at_a_time:
        refusal, collecting = _Refusal(), gc.isenabled()
        sys.meta_path.insert(0, refusal)
        gc.disable()
        single = "numpy" not in sys.modules and _BLAS_THREADS not in os.environ
        if single:
            os.environ[_BLAS_THREADS] = "1"
        try:
            yield
            if collecting:
                gc.freeze()
        finally:
            if single:
                os.environ.pop(_BLAS_THREADS, None)
            sys.meta_path.remove(refusal)
            if collecting:
                gc.enable()


def _wait() -> None:
    """Make a fork wait for the end of loading and compilation, here or by Numba at a first call."""
    _one_at_a_time.acquire()
    compiling = sys.modules.get("numba.core.compiler_lock")
    _held.append(None if compiling is None else compiling.global_compiler_lock)
    if _held[-1] is not None:
        _held[-1].acquire()


def _resume() -> None:
    """Release the locks after a fork, in the parent and in the child."""
    lock = _held.pop()
    if lock is not None:
        lock.release()
    _one_at_a_time.release()


_held: list[Any] = []  # Numba's lock if it is held besides `_one_at_a_time`, or None
around_forks(_wait, _resume)
