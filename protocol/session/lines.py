"""A splitter of a byte stream into lines of bounded length.

A line longer than the limit is reported once, as `Overlong` with its beginning, as soon as it
exceeds the limit; the rest up to its newline is discarded.  So memory stays bounded, and the next
line is read normally for callers that continue.
"""

import attrs

from protocol.session.text import without_mark

_SHOWN_BYTES = 32


@attrs.frozen
class Overlong:
    """A line beyond the limit; `start` is its beginning."""

    start: bytes


class LineSplitter:
    """A splitter that cuts a byte stream at newlines and discards the rest of overlong lines."""

    def __init__(self, max_bytes: int) -> None:
        """Set the longest allowed line to `max_bytes`, its newline not counted."""
        self._max_bytes = max_bytes
        self._rest = bytearray()
        self._discarding = False

    def receive_data(self, data: bytes) -> list[bytes | Overlong]:
        """Return the lines that `data` completes, without their newlines."""
        pieces = data.split(b"\n")
        last = pieces.pop()
        lines: list[bytes | Overlong] = []
        for piece in pieces:
            if self._rest:
                piece = bytes(self._rest) + piece
                self._rest.clear()
            if self._discarding:
                self._discarding = False
            elif len(piece) > self._max_bytes:
                lines.append(Overlong(piece[:_SHOWN_BYTES]))
            else:
                lines.append(without_mark(piece))
        if last and not self._discarding:
            self._rest += last
            if len(self._rest) > self._max_bytes:
                lines.append(Overlong(bytes(self._rest[:_SHOWN_BYTES])))
                self._rest.clear()
                self._discarding = True
        return lines

    @property
    def rest(self) -> bytes:
        """The received part of a line without its newline."""
        return bytes(self._rest)

    def receive_end(self) -> list[bytes | Overlong]:
        """Return the last line if it lacked its newline."""
        return self.receive_data(b"\n") if self._rest else []
