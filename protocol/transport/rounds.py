"""Fair scheduling among the sessions of one process: each busy one gets a slice in every round."""

from collections.abc import Callable
from typing import Any, Final

SLICE_SECONDS: Final = 0.003
"""The time for which one session may delay the others, except for its last command."""


class Round:
    """The sessions that have more to do; each does a slice of it, in turn.

    Between two slices the reactor handles all other events, so a client that sends one line waits
    for little more than one slice, however many others have thousands waiting.
    """

    def __init__(self, reactor: Any) -> None:
        """Use a `reactor` that has `callLater` and `seconds`."""
        self._reactor = reactor
        self._waiting: dict[Callable[[], None], None] = {}  # a queue without duplicates
        self._until = 0.0

    def begin_slice(self) -> None:
        """Start a slice of work; `enough` returns whether it is over."""
        self._until = self._reactor.seconds() + SLICE_SECONDS

    def enough(self) -> bool:
        """Return whether the slice that was begun last is over."""
        return bool(self._reactor.seconds() >= self._until)

    def join(self, work_on: Callable[[], None]) -> None:
        """Schedule `work_on` for its turn: once, however often it joins before that."""
        if not self._waiting:
            self._reactor.callLater(0, self._next)
        self._waiting[work_on] = None

    def _next(self) -> None:
        work_on = next(iter(self._waiting))
        del self._waiting[work_on]
        if self._waiting:
            self._reactor.callLater(0, self._next)
        work_on()
