"""HTTP requests whose bodies are bounded."""

from typing import ClassVar, Final

from twisted.web.http import HTTPChannel
from twisted.web.server import Request

_TOO_LARGE: Final = (
    b"HTTP/1.1 413 Content Too Large\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
)


class BoundedRequest(Request):
    """A request whose connection is cut off once its body is too long."""

    longest_body: ClassVar[int] = 1 << 20
    channel: HTTPChannel
    _received = 0
    _is_cut_off = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802
        """Refuse a body whose announced length is too long."""
        too_long = length is not None and length > self.longest_body
        super().gotLength(0 if too_long else length)
        if too_long:
            self._cut_off()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        """Store a chunk of the body, unless the body has become too long."""
        self._received += len(data)
        if self._received > self.longest_body:
            self._cut_off()
        elif not self._is_cut_off:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802
        """Answer the request, unless it has been refused already."""
        if not self._is_cut_off:
            super().requestReceived(command, path, version)

    def _cut_off(self) -> None:
        if not self._is_cut_off:
            self._is_cut_off = True
            assert self.channel.transport is not None  # we are being sent something
            self.channel.transport.write(_TOO_LARGE)
            self.channel.loseConnection()
