"""The controller's side of a conversation without I/O: what is asked, said, and how it fails.

Once an engine breaks the protocol nothing it says later can be matched to anything.  All that was
asked is then answered with one `RemoteProtocolError`, and `failure` keeps it for what is asked
later.
"""

import abc
from collections import deque
from collections.abc import Sequence
from typing import Final

from protocol.session.errors import ConnectionLost, LocalProtocolError, RemoteProtocolError
from protocol.session.work import Reply

TRANSCRIPT_LINES: Final = 50
SHOWN_CHARACTERS: Final = 200
"""Of each of these lines."""
SILENCE_SECONDS: Final = 5.0
"""How long the first answer of all, which is short and known, may pause once it has begun."""

Outcome = Reply | RemoteProtocolError | ConnectionLost
"""What becomes of a question: the engine's reply, or why there is none."""


class AskingSession(abc.ABC):
    """One conversation with one engine; a subclass knows which answer belongs to what."""

    def __init__(self) -> None:
        self.failure: RemoteProtocolError | ConnectionLost | None = None
        self._expected: deque[str] = deque()  # a word for each answer to come
        self._transcript: deque[str] = deque(maxlen=TRANSCRIPT_LINES)

    @property
    def waiting(self) -> int:
        """How many questions are not yet answered."""
        return len(self._expected)

    @property
    def transcript(self) -> tuple[str, ...]:
        """The last lines of the conversation, oldest first: `> ` what was asked, `< ` answered."""
        return tuple(self._transcript)

    @property
    @abc.abstractmethod
    def unfinished(self) -> str:
        """In words, what has come of an answer that is not over; empty if nothing has."""

    @abc.abstractmethod
    def send(self, name: str, *arguments: str) -> bytes:
        """Return the bytes that ask a question.

        Raises `LocalProtocolError` for what the protocol cannot ask, and the session's `failure`
        once there is one.
        """

    def tell(self, *words: str) -> bytes:
        """Return the bytes of a line that has no answer; raises what `send` does."""
        raise LocalProtocolError(f"{words[0]!r} has an answer")

    @abc.abstractmethod
    def receive_data(self, data: bytes) -> list[Outcome]:
        """Take what arrived; return what became of the oldest questions, in their order."""

    @abc.abstractmethod
    def interrupt(self) -> bytes:
        """Return the bytes that make the engine answer now, if it understands them."""

    def connection_lost(self, reason: str, log: Sequence[str] = ()) -> list[Outcome]:
        """Say that the engine is gone; every question still open ends with `ConnectionLost`.

        `log` is what the engine wrote on its standard error.
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

    def _note(self, mark: str, text: str) -> None:
        self._transcript.append(mark + text[:SHOWN_CHARACTERS])
