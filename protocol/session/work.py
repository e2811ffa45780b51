"""Answers, and slow work that ends in an answer, for the sessions of every protocol."""

from collections.abc import Callable
from typing import Protocol

import attrs


@attrs.frozen
class Reply:
    """A whole answer; its lines are joined by newlines."""

    ok: bool
    text: str = ""
    id: int | None = None


@attrs.frozen
class ReplyLine:
    """One or more lines of a successful answer that is not complete yet."""

    text: str


Update = ReplyLine | Reply
"""Lines of an incomplete answer, to be sent at once, or the final reply of a work."""


class Work(Protocol):
    """The slow part of a command, done elsewhere while the session continues to read.

    Each method is called on the thread of the session and returns at once.  `stop` and
    `input_ended` are only called after `start`, perhaps more than once, perhaps when the work is
    already over.
    """

    @property
    def stopped_by_any_line(self) -> bool:
        """Whether any line stops the work, even a blank one, as for analysis."""

    def start(self, report: Callable[[Update], None]) -> None:
        """Begin; call `report` from any thread, last with a `Reply`, then no more."""

    def stop(self) -> None:
        """Finish as soon as possible with the result so far."""

    def input_ended(self) -> None:
        """Note that no interrupt can arrive any more; only a work without end must stop."""
