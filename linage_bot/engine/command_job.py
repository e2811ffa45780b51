"""Slow commands, done by a worker."""

from __future__ import annotations

import logging
from collections.abc import Callable

from linage_bot.engine.worker import Worker, reason_of
from protocol.session.errors import CommandFailed
from protocol.session.work import Reply, ReplyLine, Update

_log = logging.getLogger(__name__)


class CommandJob(Worker[str]):
    """A `protocol.gtp.commands.Work`: calls `run` on a new thread and reports what it returns.

    `run` gets the job; it looks at `stopped` often, may call `progress`, and returns the (end of
    the) reply, or raises `CommandFailed`. The state of the session is its own meanwhile: no
    other command is answered before it returns.
    """

    def __init__(
        self,
        run: Callable[[CommandJob], str],
        *,
        stopped_by_any_line: bool = False,
        ends_by_itself: bool = False,
    ) -> None:
        """`ends_by_itself`: however fast the machine, and always alike; so at the end of the input,
        when nobody can wait for it in vain, it goes on.
        """  # noqa: D205
        super().__init__(lambda _stopped: run(self), self._ended)
        self.stopped_by_any_line = stopped_by_any_line
        self._ends_by_itself = ends_by_itself
        self._report: Callable[[Update], None] = lambda _update: None

    def start(self, report: Callable[[Update], None]) -> None:
        """Begin; `report` is called on the job's thread."""
        self._report = report
        self.begin()

    def input_ended(self) -> None:
        """Stop, unless the work is bounded by itself."""
        if not self._ends_by_itself:
            self.stop()

    def progress(self, text: str) -> None:
        """Send lines of the reply at once."""
        self._report(ReplyLine(text))

    def _ended(self, found: str | Exception) -> None:
        if isinstance(found, str):
            self._report(Reply(True, found))
        elif isinstance(found, CommandFailed):
            self._report(Reply(False, found.message))
        else:
            if not isinstance(found, MemoryError):
                _log.error("a search failed", exc_info=found)
            self._report(Reply(False, reason_of(found)))
