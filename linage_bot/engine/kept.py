"""What thinking goes on with, such as a search tree: kept where it was made, known by its name.

A table holds names; an engine, a proof, a review under way is made at the first use in whichever
process thinks, and stays there. Sent to another process, it is its name and how to make it, so that
process goes on with what it has, or begins anew.
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


class Kept(Generic[T]):
    """Something to be made where it is used, and to be used by one thread at a time."""

    def __init__(self, make: Callable[[], T]) -> None:
        self.name = uuid.uuid4().hex
        self._make = make
        self._made: T | None = None

    def __reduce__(self) -> tuple[Callable[..., Kept[T]], tuple[Any, ...]]:
        return _recalled, (self.name, self._make)

    @property
    def here(self) -> T:
        """What it is in this process."""
        if self._made is None:
            self._made = self._make()
        return self._made

    def forget(self) -> None:
        """Begin anew, here and wherever it was sent."""
        self._made, self.name = None, uuid.uuid4().hex


# Where it is sent to

_changing = threading.Lock()
_known: dict[str, tuple[float, Kept[Any]]] = {}  # with when it was used last; the latest at the end


@in_forked_children
def _forked() -> None:
    global _changing
    _changing = threading.Lock()
    _known.clear()  # a thread that is not here may be using any of them


def _recalled(name: str, make: Callable[[], Any]) -> Kept[Any]:
    """What is kept here by this name, or something to be made; what is left alone goes."""
    with _changing:
        now = time.monotonic()
        _, kept = _known.pop(name, (now, None))
        if kept is None:
            kept = Kept(make)
            kept.name = name
        _known[name] = now, kept
        for old, (used, _) in list(_known.items()):
            if len(_known) <= _MOST and used >= now - _IDLE_SECONDS:
                break
            del _known[old]
        return kept
