"""The controller's side of a conversation without I/O: questions, answers and failures.

Once an engine breaks the protocol, no later line can be matched to a question.  All open questions
are then answered with one `RemoteProtocolError`, which `failure` keeps for later questions.
"""

import abc
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final

from protocol.session.errors import ConnectionLost, LocalProtocolError, RemoteProtocolError
from protocol.session.work import Reply

TRANSCRIPT_LINES: Final = 50
SHOWN_CHARACTERS: Final = 200
"""The number of characters kept of each transcript line."""
SILENCE_SECONDS: Final = 5.0
"""The longest pause allowed within the very first answer, which is short and known."""

Outcome = Reply | RemoteProtocolError | ConnectionLost
"""The outcome of a question: the engine's reply, or the reason why there is none."""


class AskingSession(abc.ABC):
    """One conversation with one engine; a subclass matches answers to questions.

    `on_line` is called with each line that precedes the end of an answer: in GTP it is a part of a
    successful answer, in UGI it answers nothing, as `info`. Set `keeps_lines` to False while the
    only open question is one that is answered until it is interrupted: its lines are then passed to
    `on_line` alone, so that memory stays bounded.
    """

    def __init__(self) -> None:
        self.failure: RemoteProtocolError | ConnectionLost | None = None
        self.on_line: Callable[[str], None] = lambda _line: None
        self.keeps_lines = True
        self._expected: deque[str] = deque()  # a word for each answer to come
        self._transcript: deque[str] = deque(maxlen=TRANSCRIPT_LINES)

    @property
    def waiting(self) -> int:
        """The number of unanswered questions."""
        return len(self._expected)

    @property
    def transcript(self) -> tuple[str, ...]:
        """The last lines of the conversation, oldest first: `> ` marks questions, `< ` answers."""
        return tuple(self._transcript)

    @property
    @abc.abstractmethod
    def unfinished(self) -> str:
        """A description of the received part of an incomplete answer; empty if there is none."""

    @abc.abstractmethod
    def send(self, name: str, *arguments: str) -> bytes:
        """Return the bytes that send a question.

        Raises `LocalProtocolError` if the protocol cannot express it, and the session's `failure`
        once it is set.
        """

    def notify(self, *words: str) -> bytes:
        """Return the bytes of a line that has no answer; raises the same errors as `send`."""
        raise LocalProtocolError(f"{words[0]!r} has a reply")

    @abc.abstractmethod
    def receive_data(self, data: bytes) -> list[Outcome]:
        """Process received bytes; return the outcomes of the oldest questions, in their order."""

    @abc.abstractmethod
    def interrupt(self) -> bytes:
        """Return the bytes that make the engine answer now, if it understands them."""

    def connection_lost(self, reason: str, log: Sequence[str] = ()) -> list[Outcome]:
        """Handle the loss of the engine; every open question ends with `ConnectionLost`.

        `log` holds the last lines of the engine's standard error.
        """
        if self.failure is not None:
            return []
        last_lines = (*self.transcript[-10:], *(f"! {line}" for line in log[-10:]))
        if self.waiting and self.unfinished:
            reason = f"{reason}: {self.unfinished}"
        return self._fail(ConnectionLost(reason, last_lines))

    def _fail(self, failure: RemoteProtocolError | ConnectionLost) -> list[Outcome]:
        self.failure = failure
        count = self.waiting
        self._expected.clear()
        return [failure] * count

    def _record(self, mark: str, text: str) -> None:
        self._transcript.append(mark + text[:SHOWN_CHARACTERS])
