"""Slow protocol commands, run on a worker thread."""

from __future__ import annotations

import logging
from collections.abc import Callable

from linage_bot.engine.calls import EngineClosed
from linage_bot.engine.worker import Worker, reason_of
from protocol.session.errors import CommandFailed
from protocol.session.work import Reply, ReplyLine, Update

_log = logging.getLogger(__name__)


class CommandJob(Worker[str]):
    """A `protocol.gtp.commands.Work` that calls `run` on a new thread and reports its result.

    `run` receives the job; it checks `stopped` often, may call `progress`, and returns the (end of
    the) reply, or raises `CommandFailed`. While it runs it owns the session's state: no other
    command is answered before it returns.
    """

    def __init__(
        self,
        run: Callable[[CommandJob], str],
        *,
        stopped_by_any_line: bool = False,
        ends_by_itself: bool = False,
    ) -> None:
        """Create a job that calls `run`.

        `ends_by_itself`: the work is bounded and gives the same result at any machine speed, so it
        continues after the end of the input.
        """
        super().__init__(lambda _stopped: run(self), self._ended)
        self.stopped_by_any_line = stopped_by_any_line
        self._ends_by_itself = ends_by_itself
        self._report: Callable[[Update], None] = lambda _update: None

    def start(self, report: Callable[[Update], None]) -> None:
        """Start the job; `report` is called on the job's thread."""
        self._report = report
        self.begin()

    def input_ended(self) -> None:
        """Stop the job, unless it ends by itself."""
        if not self._ends_by_itself:
            self.stop()

    def progress(self, text: str) -> None:
        """Send lines of the reply immediately."""
        self._report(ReplyLine(text))

    def _ended(self, found: str | Exception) -> None:
        if isinstance(found, str):
            self._report(Reply(True, found))
        elif isinstance(found, CommandFailed):
            self._report(Reply(False, found.message))
        elif isinstance(found, EngineClosed):  # the client has gone
            self._report(Reply(False, str(found)))
        else:
            if not isinstance(found, MemoryError):
                _log.error("a search failed", exc_info=found)
            self._report(Reply(False, reason_of(found)))
