"""Server-sent events to one page."""

from typing import Any

from twisted.internet.interfaces import IPushProducer
from zope.interface import implementer


@implementer(IPushProducer)
class Stream:
    """A stream of events to one page; a slow page gets only the newest event of each kind."""

    def __init__(self, request: Any) -> None:
        self._request = request
        self._waiting: dict[str, str] | None = None  # by kind, while the page does not read
        request.setHeader("Content-Type", "text/event-stream")
        request.setHeader("X-Accel-Buffering", "no")  # a reverse proxy would buffer the events
        request.registerProducer(self, True)

    def send(self, kind: str, data: str) -> None:
        """Send one event, its data in one line."""
        text = f"event: {kind}\ndata: {data}\n\n"
        if self._waiting is None:
            self._request.write(text.encode())
        else:
            self._waiting.pop(kind, None)  # the newest event comes last
            self._waiting[kind] = text

    def keep_alive(self) -> None:
        """Send a comment, so that no proxy closes the connection as idle."""
        if self._waiting is None:
            self._request.write(b":\n\n")

    def pauseProducing(self) -> None:  # noqa: N802
        """Hold events back, because the page reads too slowly."""
        self._waiting = self._waiting or {}

    def resumeProducing(self) -> None:  # noqa: N802
        """Send the events that were held back."""
        waiting, self._waiting = self._waiting, None
        for text in (waiting or {}).values():
            self._request.write(text.encode())

    def stopProducing(self) -> None:  # noqa: N802
        """Drop all events, because the page is gone."""
        self._waiting = {}
