"""A stream of bytes cut into lines, with a bound.

A line longer than the bound is reported once, as `Overlong` with its beginning, as soon as it is
known to be too long; what follows up to its newline is thrown away.  So memory stays bounded and
the next line is read as if nothing had been, for those who want to go on.
"""

import attrs

from protocol.session.text import without_mark

_SHOWN_BYTES = 32


@attrs.frozen
class Overlong:
    """Stands for a line beyond the bound; `start` is how it began."""

    start: bytes


class LineSplitter:
    """Cuts a stream of bytes at newlines and forgets the rest of an overlong line."""

    def __init__(self, max_bytes: int) -> None:
        """`max_bytes`: the longest line, its newline not counted."""
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
        """What has come of a line whose newline has not."""
        return bytes(self._rest)

    def receive_end(self) -> list[bytes | Overlong]:
        """Return the last line if it lacked its newline."""
        return self.receive_data(b"\n") if self._rest else []
