"""The controller's side of UGI without I/O: sends requests and matches answers to them.

Only four requests have an answer; the others are sent with `notify`. Lines that answer no request,
mainly `info`, are kept in the transcript, passed to `on_line` and otherwise ignored, as UCI
requires; but an unexpected answer breaks the protocol.
"""

from typing import Final

from protocol.session.asking import AskingSession, Outcome
from protocol.session.errors import LocalProtocolError, RemoteProtocolError
from protocol.session.lines import LineSplitter, Overlong
from protocol.session.work import Reply

MAX_LINE_BYTES: Final = 1 << 20
MAX_DESCRIPTION_LINES: Final = 1 << 12
"""The number of lines that an engine may send about itself before `ugiok`."""

_ANSWERS: Final = {"ugi": "ugiok", "isready": "readyok", "go": "bestmove", "query": "response"}
_NEVER: Final = ""  # the answer to `quit`, which is the end


class UgiControllerSession(AskingSession):
    """One conversation with one UGI engine; its expected items are the first words of answers."""

    def __init__(self) -> None:
        super().__init__()
        self._lines = LineSplitter(MAX_LINE_BYTES)
        self._description: list[str] = []
        self._greeted = False

    @property
    def unfinished(self) -> str:
        """A description of an incomplete line or engine description; empty if there is none."""
        if rest := self._lines.rest[:80].decode(errors="replace").strip():
            return f"{rest!r} was received, but not the end of that line"
        last = self._description[-1:]
        return f"{last[0][:80]!r} was received, but no 'ugiok'" if last else ""

    def send(self, name: str, *arguments: str) -> bytes:
        """Return the bytes of a request that has an answer, or of `quit`.

        The answer to `ugi` is the engine's whole description, to `isready` it is empty, to `query`
        and `go` it is the words after `response` and the word after `bestmove`. Raises
        `LocalProtocolError` for a request that has no answer or that UGI cannot express, and the
        session's `failure` once it is set.
        """
        answer = _NEVER if name == "quit" else _ANSWERS.get(name)
        if answer is None:
            raise LocalProtocolError(f"{name!r} has no answer")
        data = self.notify(name, *arguments)
        self._expected.append(answer)
        return data

    def notify(self, *words: str) -> bytes:
        """Return the bytes of a line that has no answer; raises the same errors as `send`."""
        if self.failure is not None:
            raise self.failure
        line = " ".join(words)
        if not line.strip() or not line.isprintable():
            raise LocalProtocolError(f"UGI cannot send {line[:80]!r}")
        try:
            data = line.encode() + b"\n"
        except UnicodeEncodeError:
            raise LocalProtocolError(f"{line[:80]!r} cannot be written in UTF-8") from None
        self._record("> ", line)
        return data

    def receive_data(self, data: bytes) -> list[Outcome]:
        """Process received bytes; return the outcomes of the oldest requests, in their order."""
        answers: list[Outcome] = []
        for line in self._lines.receive_data(data):
            if self.failure is not None:
                break
            if isinstance(line, Overlong):
                start = line.start.decode(errors="replace")
                self._record("< ", start)
                answers += self._fail(RemoteProtocolError("line too long", start[:80]))
            else:
                answers += self._read(line.decode(errors="replace").strip())
        return answers

    def interrupt(self) -> bytes:
        """Return the bytes that make the engine answer now."""
        return self.notify("stop")

    def _read(self, line: str) -> list[Outcome]:
        if not line:
            return []
        self._record("< ", line)
        first, *rest = line.split()
        expected = self._expected[0] if self._expected else _NEVER
        if first not in _ANSWERS.values():
            if expected == "ugiok" and not self._greeted:
                return self._describe(first, line)
            self.on_line(line)
            return []
        if first != expected:
            return self._fail(RemoteProtocolError("response without a command", line[:80]))
        self._expected.popleft()
        if first == "ugiok":
            self._greeted = True
            text, self._description = "\n".join(self._description), []
            return [Reply(True, text)]
        # An engine may send more after the move, such as the reply it expects.
        return [Reply(True, rest[0] if first == "bestmove" and rest else " ".join(rest))]

    def _describe(self, first: str, line: str) -> list[Outcome]:
        if first[0] in "=?" or len(self._description) >= MAX_DESCRIPTION_LINES:
            remedy = "check that the program speaks UGI"
            return self._fail(RemoteProtocolError("not an answer to 'ugi'", line[:80], remedy))
        self._description.append(line)
        return []
