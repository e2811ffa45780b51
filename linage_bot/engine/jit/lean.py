"""Loading compiled code without what would slow down the rest of the process, or break it.

Numba's modules import one another in circles: of two threads that import it at once one finds a
module half made. So one thread at a time loads anything.

Where they are installed, Numba imports SciPy (for linear algebra), cffi (for C functions) and
coverage (for reports), some of them only when it finds the first function on disk: a third of the
time from the start of a process to its first move.

With Numba loaded the garbage collector has so many objects to look at that a full collection holds
up the search and every answer: for 70 ms of processor time, and 150 in the midst of compiling.

A process that is forked in the midst of this would have modules half made for ever, and locks of
Python's, Numba's and LLVM's that nothing releases. So a fork waits until nothing is being loaded.
"""

import gc
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from linage_bot.engine.forks import around_forks

_NOT_NEEDED = frozenset({"scipy", "cffi", "coverage"})
_one_at_a_time = threading.RLock()


class _Refusal(MetaPathFinder):
    """Lets one thread find none of these packages; other threads import what they like."""

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
    """Around imports of Numba and of compiled modules, and around compiling; others wait for it.

    Extras are kept from this thread alone. There are no collections meanwhile, and none looks at
    what is there then: a machine's first compile leaves some 70 MB. All else is as before at the
    end. What failed leaves nothing out of the collector's sight, for it may be tried many times.
    """
    with _one_at_a_time:
        refusal, collecting = _Refusal(), gc.isenabled()
        sys.meta_path.insert(0, refusal)
        gc.disable()
        try:
            yield
            if collecting:
                gc.freeze()
        finally:
            sys.meta_path.remove(refusal)
            if collecting:
                gc.enable()


def _wait() -> None:
    """Let a fork wait for what is being loaded or compiled, here or at the first call."""
    _one_at_a_time.acquire()
    compiling = sys.modules.get("numba.core.compiler_lock")
    _held.append(None if compiling is None else compiling.global_compiler_lock)
    if _held[-1] is not None:
        _held[-1].acquire()


def _go_on() -> None:
    """Let others load, in the process that forked as in the one that was made."""
    lock = _held.pop()
    if lock is not None:
        lock.release()
    _one_at_a_time.release()


_held: list[Any] = []  # what is locked beside `_one_at_a_time`
around_forks(_wait, _go_on)
