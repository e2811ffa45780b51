"""Thinking in the opponent's time, on a thread of its own."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from linage_bot.engine.limits import Limits

if TYPE_CHECKING:
    from linage_bot.engine.search.think import Thinking

_SECONDS = 600.0  # the opponent may have gone for good


class Pondering:
    """A search that goes on in the background, once begun, until it is told to stop."""

    def __init__(self, thinking: Thinking) -> None:
        self._enough = threading.Event()
        self._thread = threading.Thread(
            target=self._run, args=(thinking,), name="ponder", daemon=True
        )

    def begin(self) -> None:
        """Think, unless told to stop before."""
        self._thread.start()

    def stop(self) -> None:
        """Have it end soon; for threads that must not wait, and at any time."""
        self._enough.set()

    def end(self) -> None:
        """Have it end, and wait until its tree is free; only once it has begun."""
        self.stop()
        self._thread.join()

    def _run(self, thinking: Thinking) -> None:
        if not self._enough.is_set():
            thinking.run(Limits(seconds=_SECONDS), self._enough)
