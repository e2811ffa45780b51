"""Answers, and slow work that ends in one: what sessions of every protocol deal with."""

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
    """A line, or several, of a successful answer that is not over."""

    text: str


Update = ReplyLine | Reply
"""Lines of an answer that is not over, to be sent at once; or how a work has ended."""


class Work(Protocol):
    """The slow part of a command, done elsewhere while the session goes on listening.

    Each method is called on the thread of the session and returns at once.  `stop` and
    `input_ended` are only called after `start`, perhaps more than once, perhaps when the work is
    already over.
    """

    @property
    def stopped_by_any_line(self) -> bool:
        """True for analysis, which lasts until the next line, even a blank one."""

    def start(self, report: Callable[[Update], None]) -> None:
        """Begin; call `report` from any thread, last with a `Reply`, then no more."""

    def stop(self) -> None:
        """Finish as soon as possible with what is known."""

    def input_ended(self) -> None:
        """Go on, but know that nobody can interrupt any more: only a work without end stops."""
