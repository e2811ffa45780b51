"""Objects that jobs use again, such as engines with their trees: they stay where they were made.

A table or a client holds a name. The engine, the proof or the review that it names is made at the
first use, in the process that runs the job, and stays there. Sent to another process, a
`StickyObject` is its name and the function that makes it: the process continues with the object
that it has by this name, or makes a new one.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from linage_bot.engine.forks import in_forked_children

T = TypeVar("T")

_MOST: Final = 64  # that were sent here; they hold trees
_IDLE_SECONDS: Final = 120.0  # without any use, until one that was sent here is let go


class StickyObject(Generic[T]):
    """An object that is made where it is used, by one thread at a time if it is not thread-safe."""

    def __init__(self, make: Callable[[], T]) -> None:
        self.name = uuid.uuid4().hex
        self.make = make
        self._made: T | None = None

    def __reduce__(self) -> tuple[Callable[..., StickyObject[T]], tuple[Any, ...]]:
        return _recalled, (self.name, self.make)

    @property
    def here(self) -> T:
        """The object in this process; made if there is none."""
        if self._made is None:
            made = self.make()
            with _changing:
                self._made = self._made or made
        return self._made

    def forget(self) -> None:
        """Have a new object made at the next use, here and on every worker."""
        self._made, self.name = None, uuid.uuid4().hex


# Where it is sent to

_changing = threading.Lock()
_known: dict[str, tuple[float, StickyObject[Any]]] = {}
"""By name, with the time of the last use; the latest at the end."""


@in_forked_children
def _forked() -> None:
    global _changing
    _changing = threading.Lock()
    _known.clear()  # a thread that is not here may be using any of them


def _recalled(name: str, make: Callable[[], Any]) -> StickyObject[Any]:
    """Return the object of this name, or a new one; objects that were idle for long are dropped."""
    with _changing:
        now = time.monotonic()
        _, kept = _known.pop(name, (now, None))
        if kept is None:
            kept = StickyObject(make)
            kept.name = name
        _known[name] = now, kept
        for old, (used, _) in list(_known.items()):
            if len(_known) <= _MOST and used >= now - _IDLE_SECONDS:
                break
            del _known[old]
        return kept
