"""Server-sent events to one page."""

from typing import Any

from twisted.internet.interfaces import IPushProducer
from zope.interface import implementer


@implementer(IPushProducer)
class Stream:
    """Writes events to a request; a page that reads slowly gets the newest of each kind."""

    def __init__(self, request: Any) -> None:
        self._request = request
        self._waiting: dict[str, str] | None = None  # by kind, while the page does not read
        request.setHeader("Content-Type", "text/event-stream")
        request.setHeader("X-Accel-Buffering", "no")  # a reverse proxy would keep it to itself
        request.registerProducer(self, True)

    def send(self, kind: str, data: str) -> None:
        """One event, its data in one line."""
        text = f"event: {kind}\ndata: {data}\n\n"
        if self._waiting is None:
            self._request.write(text.encode())
        else:
            self._waiting.pop(kind, None)  # what was sent last comes last
            self._waiting[kind] = text

    def keep_alive(self) -> None:
        """A comment, so that nothing on the way takes the connection for dead."""
        if self._waiting is None:
            self._request.write(b":\n\n")

    def pauseProducing(self) -> None:  # noqa: N802
        """The page does not read, or not so fast."""
        self._waiting = self._waiting or {}

    def resumeProducing(self) -> None:  # noqa: N802
        """It does again."""
        waiting, self._waiting = self._waiting, None
        for text in (waiting or {}).values():
            self._request.write(text.encode())

    def stopProducing(self) -> None:  # noqa: N802
        """The page is gone."""
        self._waiting = {}
