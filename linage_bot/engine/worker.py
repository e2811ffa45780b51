"""Slow commands on threads of their own, so that the reactor's thread is always free.

Not even the start of a thread is waited for: Python returns from it when the thread runs, and on a
busy machine that takes a while.
"""

from __future__ import annotations

import functools
import logging
import queue
import threading
from collections.abc import Callable

from protocol.commands import Failed, Finished, Progress, Update
from protocol.errors import CommandFailed

_log = logging.getLogger(__name__)


class Job:
    """A `protocol.commands.Work`: calls `run` on a new thread and reports what it returns.

    `run` gets the job; it looks at `stopped` often, may call `progress`, and returns the (end of
    the) reply, or raises `CommandFailed`. The state of the session is its own meanwhile: no
    other command is answered before it returns.
    """

    def __init__(
        self,
        run: Callable[[Job], str],
        *,
        stopped_by_any_line: bool = False,
        ends_by_itself: bool = False,
    ) -> None:
        """`ends_by_itself`: however fast the machine, and always alike; so at the end of the input,
        when nobody can wait for it in vain, it goes on.
        """  # noqa: D205
        self.stopped_by_any_line = stopped_by_any_line
        self.stopped = threading.Event()
        self._run = run
        self._ends_by_itself = ends_by_itself
        self._report: Callable[[Update], None] = lambda _update: None

    def start(self, report: Callable[[Update], None]) -> None:
        """Begin; `report` is called on the job's thread."""
        self._report = report
        _starter().put(self._start_thread)

    def stop(self) -> None:
        """Finish as soon as possible with what is known."""
        self.stopped.set()

    def input_ended(self) -> None:
        """Stop, unless the work is bounded by itself."""
        if not self._ends_by_itself:
            self.stopped.set()

    def progress(self, text: str) -> None:
        """Send lines of the reply at once."""
        self._report(Progress(text))

    def _start_thread(self) -> None:
        try:
            # A daemon: whoever is in a hurry to exit need not wait for a compiler.
            threading.Thread(target=self._work, name="search", daemon=True).start()
        except RuntimeError as error:  # the system has no more threads
            self._report(Failed(f"internal error: {error}"))

    def _work(self) -> None:
        try:
            update: Update = Finished(self._run(self))
        except CommandFailed as failure:
            update = Failed(failure.message)
        except Exception as error:
            _log.exception("a search failed")
            update = Failed(f"internal error: {error!r}")
        self._report(update)


@functools.cache
def _starter() -> queue.SimpleQueue[Callable[[], None]]:
    """Where to put what starts a thread; a thread of its own does all that, one after another."""
    asked: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()

    def start_all() -> None:
        while True:
            asked.get()()

    threading.Thread(target=start_all, name="starter", daemon=True).start()
    return asked
