"""The controller's side of GTP without I/O: sends commands and matches replies to them.

GTP engines answer in order, so each reply belongs to the oldest unanswered command.  No ids are
sent: the order is enough, and some engines get ids wrong.
"""

from protocol.gtp.codec import Command, ReplyDecoder, encode_command
from protocol.session.asking import SHOWN_CHARACTERS, AskingSession, Outcome
from protocol.session.errors import RemoteProtocolError
from protocol.session.work import ReplyLine


class ControllerSession(AskingSession):
    """One conversation with one GTP engine."""

    def __init__(self) -> None:
        super().__init__()
        self._decoder = ReplyDecoder()

    @property
    def unfinished(self) -> str:
        """A description of a reply that no empty line has ended yet; empty if there is none."""
        begun = self._decoder.begun
        return f"an answer has begun, {begun!r}, but no empty line has ended it" if begun else ""

    def send(self, name: str, *arguments: str) -> bytes:
        """Return the bytes that send a command.

        Raises `LocalProtocolError` for a command that GTP cannot express, and the session's
        `failure` once it is set.
        """
        if self.failure is not None:
            raise self.failure
        data = encode_command(Command(name, arguments))
        self._expected.append(name)
        self._record("> ", data[: 4 * SHOWN_CHARACTERS].decode(errors="replace").rstrip("\n"))
        return data

    def receive_data(self, data: bytes) -> list[Outcome]:
        """Process received bytes; return the outcomes of the oldest commands, in their order."""
        if self.failure is not None:
            return []
        answers: list[Outcome] = []
        self._decoder.expected = self.waiting
        self._decoder.keeps_lines = self.keeps_lines
        for event in self._decoder.receive_data(data):
            if isinstance(event, ReplyLine):
                self._record("< ", event.text)
                self.on_line(event.text)
            elif isinstance(event, RemoteProtocolError):
                self._record("< ", event.line)
                answers += self._fail(event)
            elif not self._expected:
                error = RemoteProtocolError("response without a command", event.text[:80])
                answers += self._fail(error)
                break
            else:
                if not event.ok:
                    self._record("< ", f"? {event.text}")
                elif not event.text:
                    self._record("< ", "=")
                self._expected.popleft()
                answers.append(event)
        return answers

    def interrupt(self) -> bytes:
        """Return the bytes that stop the engine's running command, if it understands them."""
        self._record("> ", "# interrupt")
        return b"# interrupt\n"
