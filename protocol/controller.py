"""The controller's side of GTP without I/O: what is asked, and which answer belongs to it.

GTP engines answer in order, so each reply belongs to the oldest command that has none.  No ids are
sent: order already says it, and some engines get them wrong.

Once an engine breaks the protocol nothing it says later can be matched to anything.  All that was
asked is then answered with one `RemoteProtocolError`, and `failure` keeps it for what is asked
later.
"""

from collections import deque
from collections.abc import Sequence
from typing import Final

from protocol.codec import Command, Reply, ReplyDecoder, ReplyLine, encode_command
from protocol.errors import ConnectionLost, RemoteProtocolError

TRANSCRIPT_LINES: Final = 50
_SHOWN_CHARACTERS: Final = 200


Outcome = Reply | RemoteProtocolError | ConnectionLost
"""What becomes of a command: the engine's reply, or why there is none."""


class ControllerSession:
    """One conversation with one engine."""

    def __init__(self) -> None:
        self.failure: RemoteProtocolError | ConnectionLost | None = None
        self._decoder = ReplyDecoder()
        self.waiting = 0
        """How many commands are not yet answered."""
        self._transcript: deque[str] = deque(maxlen=TRANSCRIPT_LINES)

    @property
    def transcript(self) -> tuple[str, ...]:
        """The last lines of the conversation, oldest first: `> ` what was asked, `< ` answered."""
        return tuple(self._transcript)

    def send(self, name: str, *arguments: str) -> bytes:
        """Return the bytes that ask a command.

        Raises `LocalProtocolError` for what GTP cannot say, and the session's `failure` once there
        is one.
        """
        if self.failure is not None:
            raise self.failure
        data = encode_command(Command(name, arguments))
        self.waiting += 1
        self._note("> ", data[: 4 * _SHOWN_CHARACTERS].decode(errors="replace").rstrip("\n"))
        return data

    def receive_data(self, data: bytes) -> list[Outcome]:
        """Take what arrived; return what became of the oldest commands, in their order."""
        if self.failure is not None:
            return []
        answers: list[Outcome] = []
        for event in self._decoder.receive_data(data):
            if isinstance(event, ReplyLine):
                self._note("< ", event.text)
            elif isinstance(event, RemoteProtocolError):
                self._note("< ", event.line)
                answers += self._fail(event)
            elif not self.waiting:
                answers += self._fail(RemoteProtocolError("answer without a question", event.text))
                break
            else:
                if not event.ok:
                    self._note("< ", f"? {event.text}")
                elif not event.text:
                    self._note("< ", "=")
                self.waiting -= 1
                answers.append(event)
        return answers

    def interrupt(self) -> bytes:
        """Return the bytes that stop whatever the engine does now, if it understands them."""
        self._note("> ", "# interrupt")
        return b"# interrupt\n"

    def connection_lost(self, reason: str, log: Sequence[str] = ()) -> list[Outcome]:
        """Say that the engine is gone; every command still asked ends with `ConnectionLost`.

        `log` is what the engine wrote on its standard error.
        """
        if self.failure is not None:
            return []
        last_lines = (*self.transcript[-10:], *(f"! {line}" for line in log[-10:]))
        return self._fail(ConnectionLost(reason, last_lines))

    def _fail(self, failure: RemoteProtocolError | ConnectionLost) -> list[Outcome]:
        self.failure = failure
        waiting, self.waiting = self.waiting, 0
        return [failure] * waiting

    def _note(self, mark: str, text: str) -> None:
        self._transcript.append(mark + text[:_SHOWN_CHARACTERS])
