"""The bytes of the Go Text Protocol, version 2, both directions, without I/O.

Pass received bytes to a decoder and read the events it returns; the `encode_` functions return the
bytes to send.  The result never depends on how the bytes were split in transit, except that an
overlong line is reported as soon as it exceeds the limit.

Every buffer is bounded.  A command line longer than `MAX_LINE_BYTES` becomes one `BadLine` and its
rest is discarded; a reply longer than `MAX_REPLY_BYTES` or `MAX_REPLY_LINES` is the engine's
error.
"""

import re
from typing import Final

import attrs

from protocol.session.errors import LocalProtocolError, RemoteProtocolError
from protocol.session.lines import LineSplitter, Overlong
from protocol.session.work import Reply, ReplyLine

MAX_LINE_BYTES: Final = 1 << 20
MAX_REPLY_BYTES: Final = 16 << 20
MAX_REPLY_LINES: Final = 1 << 16
MAX_ID: Final = 2**31 - 1

_TAB_TO_SPACE: Final = bytes.maketrans(b"\t", b" ")
# NUL stays: a line that holds one is refused, not repaired.
_DROPPED_IN_COMMANDS: Final = bytes([*range(1, 9), *range(10, 32), 127])
_DROPPED_IN_REPLIES: Final = bytes([*range(9), *range(11, 32), 127])
_BEGINS_REPLY: Final = re.compile(rb"[=?]\d*(?:\s|$)")
_SHOWN_BYTES: Final = 80


@attrs.frozen
class Command:
    """One command as the controller sent it."""

    name: str
    arguments: tuple[str, ...] = ()
    id: int | None = None


@attrs.frozen
class BlankLine:
    """A line without a command; it has no reply but stops a running analysis."""


@attrs.frozen
class Interrupt:
    """The line `# interrupt`: finish the running command with the result so far."""


@attrs.frozen
class BadLine:
    """A line that cannot be a command; `reason` is the text of its error reply."""

    reason: str
    id: int | None = None


CommandEvent = Command | BlankLine | Interrupt | BadLine


ReplyEvent = Reply | ReplyLine | RemoteProtocolError


class CommandDecoder:
    """A decoder from bytes to commands and signals, for the engine."""

    def __init__(self, max_line_bytes: int = MAX_LINE_BYTES) -> None:
        self._lines = LineSplitter(max_line_bytes)

    def receive_data(self, data: bytes) -> list[CommandEvent]:
        """Return one event for every line that `data` completes."""
        return [_read_command(line) for line in self._lines.receive_data(data)]

    def receive_end(self) -> list[CommandEvent]:
        """End the input and return the event of a last line without newline, if any."""
        return [_read_command(line) for line in self._lines.receive_end()]


def _read_command(line: bytes | Overlong) -> CommandEvent:
    if isinstance(line, Overlong):
        start = line.start.translate(_TAB_TO_SPACE, _DROPPED_IN_COMMANDS)
        # The number counts only if its end was seen.
        first = start.split(maxsplit=1)[:1] if b" " in start.lstrip() else []
        return BadLine("syntax error: line too long", _read_id(first))
    line = line.translate(_TAB_TO_SPACE, _DROPPED_IN_COMMANDS)
    if b"#" in line:
        if line.strip() == b"# interrupt":
            return Interrupt()
        line = line[: line.index(b"#")]
    words = line.split()
    if not words:
        return BlankLine()
    id_ = None
    if words[0].isdigit():
        id_ = _read_id(words)
        if id_ is None:
            return BadLine(f"syntax error: id beyond {MAX_ID}")
        if len(words) == 1:
            return BadLine("syntax error: id without a command", id_)
        del words[0]
    if b"\0" in line:
        return BadLine("syntax error: NUL byte", id_)
    try:
        name, *arguments = [word.decode() for word in words]
    except UnicodeDecodeError:
        return BadLine("syntax error: not UTF-8", id_)
    return Command(name, tuple(arguments), id_)


def _read_id(words: list[bytes]) -> int | None:
    """Return the number that `words` begins with if it is a valid id, else None."""
    if not words or not words[0].isdigit():
        return None
    digits = words[0].lstrip(b"0") or b"0"
    # Ten digits at most: int() of thousands of them is slow and then an error.
    if len(digits) > 10 or int(digits) > MAX_ID:
        return None
    return int(digits)


def encode_reply(reply: Reply) -> bytes:
    """Return the bytes of a whole answer.

    The space after `=` or `?` is always present, because GoGui reads the text after it.  Empty
    lines inside the text would end the reply, so each becomes a line of one space.
    """
    mark = b"=" if reply.ok else b"?"
    return b"%b%b %b\n\n" % (mark, _id_bytes(reply.id), _sanitized(reply.text))


def encode_reply_start(command_id: int | None) -> bytes:
    """Return the line that opens a streaming answer."""
    return b"=%b \n" % _id_bytes(command_id)


def encode_reply_lines(text: str) -> bytes:
    """Return further lines of a streaming answer; empty text adds none."""
    lines = _sanitized(text)
    if not lines:
        return b""
    return b" " * lines.startswith(b"\n") + lines + b"\n"


def encode_reply_end() -> bytes:
    """Return the empty line that ends a streaming answer."""
    return b"\n"


def _id_bytes(command_id: int | None) -> bytes:
    return b"" if command_id is None else b"%d" % command_id


def _sanitized(text: str) -> bytes:
    """Return the text without control characters and without empty lines."""
    # A file name from the operating system may hold bytes that are not UTF-8.
    data = text.encode(errors="backslashreplace").translate(None, _DROPPED_IN_REPLIES)
    data = data.rstrip(b"\n")
    if b"\n\n" in data:
        # Twice, since three newlines in a row are two overlapping pairs.
        data = data.replace(b"\n\n", b"\n \n").replace(b"\n\n", b"\n \n")
    return data


def encode_command(command: Command) -> bytes:
    """Return the line that sends `command`.

    Raises `LocalProtocolError` when the engine would read something else: a control character, a
    `#`, an empty or numeric name, an id out of range.
    """
    name = command.name
    line = " ".join((name, *command.arguments))
    if not name or " " in name or (name.isascii() and name.isdigit()):
        raise LocalProtocolError(f"{name!r} cannot be the name of a command")
    # isprintable is quick but too strict: it refuses some spaces that file names may hold.
    if not line.isprintable() and any(c < " " or c == "\x7f" for c in line):
        raise LocalProtocolError(f"control character in command {line[:80]!r}")
    if "#" in line:
        raise LocalProtocolError(f"{line[:80]!r} would be cut at '#'")
    if command.id is not None:
        if not 0 <= command.id <= MAX_ID:
            raise LocalProtocolError(f"id {command.id} is not in 0..{MAX_ID}")
        line = f"{command.id} {line}"
    try:
        return line.encode() + b"\n"
    except UnicodeEncodeError:
        raise LocalProtocolError(f"{line[:80]!r} cannot be written in UTF-8") from None


class ReplyDecoder:
    """A decoder from bytes to replies, for the controller.

    Accepts CRLF, extra blank lines between replies and a missing space after `=`.  The first
    invalid line ends the conversation: a `RemoteProtocolError` is then the last event (a value, not
    raised, so that the replies before it are not lost) and all later bytes are ignored.

    `expected`, set by the caller, is the number of replies to come; each complete reply lowers it.
    While it is more than one, a reply's line that looks like the beginning of another reply is an
    error: the engine forgot the empty line after its reply.

    Unless `keeps_lines`, a successful reply's lines are only reported as `ReplyLine`; then a reply
    without end takes no memory.
    """

    def __init__(self, max_reply_bytes: int = MAX_REPLY_BYTES) -> None:
        self.expected = 0
        self.keeps_lines = True
        self._max_reply_bytes = max_reply_bytes
        self._lines = LineSplitter(max_reply_bytes)
        self._text = bytearray()
        self._line_count = 0
        self._ok: bool | None = None  # None: between replies
        self._id: int | None = None
        self._failed = False
        self._replied = False

    def receive_data(self, data: bytes) -> list[ReplyEvent]:
        """Return the lines and replies that `data` completes."""
        events: list[ReplyEvent] = []
        for line in self._lines.receive_data(data):
            if self._failed:
                break
            self._read_line(line, events)
        return events

    @property
    def begun(self) -> str:
        """The beginning of an incomplete reply; empty between replies."""
        rest = self._lines.rest[:_SHOWN_BYTES].decode(errors="replace")
        if self._failed or self._ok is None:
            return "" if self._failed else rest.strip()
        return f"{self._shown}\n{rest}".strip()

    @property
    def _shown(self) -> str:
        """The beginning of the reply that is being read, up to its last complete line."""
        text = self._text[:_SHOWN_BYTES].decode(errors="replace")
        return f"{'=' if self._ok else '?'} {text}".strip()

    def _read_line(self, line: bytes | Overlong, events: list[ReplyEvent]) -> None:
        if isinstance(line, Overlong):
            self._fail(events, "reply too long", line.start)
            return
        line = line.rstrip(b"\r")
        if self._ok is None:
            if line and not line.isspace():
                self._read_first_line(line, events)
        elif line and self.expected > 1 and _BEGINS_REPLY.match(line):
            before = f"an answer has begun, {self._shown!r}, but no empty line has ended it"
            self._fail(events, f"{before} before the next", line)
        elif line:
            self._add(line, events)
        else:
            self._finish(events)

    def _read_first_line(self, line: bytes, events: list[ReplyEvent]) -> None:
        mark = line[:1]
        if mark not in (b"=", b"?"):
            self._fail(events, "a reply begins with neither '=' nor '?'", line)
            return
        self._ok = mark == b"="
        head, _, text = line[1:].partition(b" ")
        self._id = _read_id([head])
        text = (line[1:] if self._id is None else text).strip()
        if text:
            self._add(text, events)

    def _add(self, line: bytes, events: list[ReplyEvent]) -> None:
        if self._ok and not self.keeps_lines:
            events.append(ReplyLine(line.decode(errors="replace")))
            return
        size = len(self._text) + len(line)
        if size >= self._max_reply_bytes or self._line_count >= MAX_REPLY_LINES:
            self._fail(events, "reply too long", line)
            return
        self._line_count += 1
        if self._text:
            self._text += b"\n"
        self._text += line
        if self._ok:
            events.append(ReplyLine(line.decode(errors="replace")))

    def _finish(self, events: list[ReplyEvent]) -> None:
        events.append(Reply(self._ok is True, self._text.decode(errors="replace"), self._id))
        self._replied = True
        self.expected = max(0, self.expected - 1)
        self._ok = None
        self._text.clear()
        self._line_count = 0

    def _fail(self, events: list[ReplyEvent], reason: str, line: bytes) -> None:
        self._failed = True
        shown = line[:_SHOWN_BYTES].decode(errors="replace")
        unheard = not self._replied and self._ok is None
        remedy = "check that the program speaks GTP" if unheard else ""
        events.append(RemoteProtocolError(reason, shown, remedy))
