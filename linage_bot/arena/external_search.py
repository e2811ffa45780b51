"""A search in another process, from the lines that report it to analyses."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Final

from linage_bot.arena.blocking_process import LineStream
from linage_bot.engine.analysis import Analysis
from linage_bot.engine.limits import Limits
from protocol.session.errors import RemoteProtocolError

_POLL_SECONDS: Final = 0.05  # between two checks of the limits

ReadLines = Callable[[Sequence[str]], Analysis | None]
"""A function that returns the analysis in new lines of a search; None if they hold none."""


class ExternalSearch:
    """A search that has begun; `next` returns its analyses, at most one in each interval."""

    def __init__(
        self,
        stream: LineStream,
        read: ReadLines,
        limits: Limits,
        interval_seconds: float,
        stopped: threading.Event,
    ) -> None:
        self._stream = stream
        self._read = read
        self._limits = limits
        self._interval_seconds = interval_seconds
        self._stopped = stopped
        self._began = self._due = time.monotonic()
        self._latest: Analysis | None = None
        self._unseen: Analysis | None = None  # the latest one, if `next` has not returned it
        self._over = False

    def next(self) -> Analysis | None:
        """Wait for the next analysis and return it; None after the last one.

        Raises `EngineTimeout` if there is none in time, `RemoteProtocolError` for lines that make
        no sense, and the errors of `LineStream.read`.
        """
        self._over = self._over or self._stream.ended  # by another call of the engine
        while not self._over:
            wait = _POLL_SECONDS
            if self._unseen is not None:
                wait = min(wait, max(0.0, self._due - time.monotonic()))
            self._receive(self._stream.read(wait))
            self._over = self._stopped.is_set() or self._ends()
            if self._over:
                self._receive(self._stream.stop())
            elif time.monotonic() < self._due:
                continue
            if self._unseen is not None:
                self._due = time.monotonic() + self._interval_seconds
                break
        found, self._unseen = self._unseen, None
        return found

    def close(self) -> None:
        """Stop the search; raises the errors of `LineStream.stop`."""
        self._stream.stop()

    def _receive(self, lines: Sequence[str]) -> None:
        found = self._read(lines) if lines else None
        if found is not None:
            self._latest = self._unseen = found

    def _ends(self) -> bool:
        """Return whether the search has ended or reached a limit."""
        latest, limits = self._latest, self._limits
        if latest is None:
            if self._stream.ended:
                raise RemoteProtocolError("the search has ended without an analysis")
            if self._stream.silent:
                raise self._stream.timeout()
            return False
        return (
            self._stream.ended
            or self._stream.silent
            or latest.settled
            or (limits.visits is not None and latest.visits >= limits.visits)
            or (limits.seconds is not None and time.monotonic() >= self._began + limits.seconds)
        )
