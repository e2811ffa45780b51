"""The check that an engine is open, and that one thread at a time calls it.

Search trees and proofs are compiled code without locks: two threads in one tree end the process.
"""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from linage_bot.engine.jit.progress import OnCompile, reporting_to

P = ParamSpec("P")
T = TypeVar("T")


class EngineClosed(RuntimeError):
    """A call of an engine after its `close`."""

    def __init__(self) -> None:
        super().__init__("the engine is closed; create another one")


class Calls:
    """The calls of one engine: at most one runs at a time, and none begins after `close`."""

    def __init__(self, on_compile: OnCompile | None = None) -> None:
        """Create them; waits for compilers during calls are reported to `on_compile`."""
        self.closed = False
        self._on_compile = on_compile
        self._running = threading.Lock()
        self._caller: int | None = None  # the thread whose call is running

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Run a block as the only call of the engine; raise `RuntimeError` if another one runs."""
        if not self._running.acquire(blocking=False):
            raise RuntimeError(
                "the engine is searching; wait until that call has returned,"
                " or create an engine for each thread"
            )
        self._caller = threading.get_ident()
        try:
            with reporting_to(self._on_compile):
                yield
        finally:
            self._caller = None
            self._running.release()

    def forked(self) -> bool:
        """End other threads' call in a forked child; return whether there was one."""
        caller = self._caller
        if caller == threading.get_ident():
            return False
        self._running, self._caller = threading.Lock(), None
        return caller is not None


class _Called(Protocol):
    calls: Calls


E = TypeVar("E", bound=_Called)


def exclusive(
    method: Callable[Concatenate[E, P], T],
) -> Callable[Concatenate[E, P], T]:
    """Make a method raise `EngineClosed` after `close`, and `RuntimeError` beside another call."""

    @functools.wraps(method)
    def call(self: E, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with self.calls.alone():
            if self.calls.closed:
                raise EngineClosed
            return method(self, *args, **kwargs)

    return call
