"""Searches on threads of their own, and their results back on the reactor's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from linage_bot.web.tasks import Found


class SearchThreads:
    """A thread for each search."""

    def __init__(self, reactor: Any) -> None:
        self._reactor = reactor

    def run(self, work: Callable[[], Found], done: Callable[[Found | Exception], None]) -> None:
        """Call `work` on a thread, then `done` on the reactor's with what it returns or raises."""

        def search() -> None:
            found: Found | Exception
            try:
                found = work()
            except Exception as error:  # whatever it is, the session is told
                found = error
            self._reactor.callFromThread(done, found)

        # A daemon: whoever is in a hurry to exit need not wait for a compiler.
        threading.Thread(target=search, name="search", daemon=True).start()

    def call(self, function: Callable[[], None]) -> None:
        """Call a function on the reactor's thread soon; from any thread."""
        self._reactor.callFromThread(function)
