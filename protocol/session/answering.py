"""A session that answers what is asked in the order in which it came, without I/O.

A quick request is answered at once; a slow one begins a `Work`, and what changes anything waits
behind it until its last update.  The session is in one of four states:

    READY     the next request can be taken
    WORKING   a work runs
    STOPPING  that work was told to stop; its last update is still to come
    CLOSED    the peer was let go, or its input ended and every answer is out, or it vanished

How to drive a session, see `serving.py`: give it what arrives, and write what it returns.  A work
that begins is given to the `start` that the session was made with.  One call may be bounded, in
bytes and by `enough`: all that has arrived is read before any of it is answered, so where the calls
end changes no answer.
"""

import abc
import enum
import logging
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final, Generic, Protocol, TypeVar

from protocol.session.errors import CommandFailed
from protocol.session.work import Reply, ReplyLine, Update, Work

MAX_WAITING: Final = 1000
"""A session with more requests than this waiting asks its transport to stop reading."""

_PIECE_BYTES: Final = 1 << 10
"""How much is read before it is asked whether that is enough for this call."""

_log = logging.getLogger(__name__)

Request = TypeVar("Request")
Read = TypeVar("Read", covariant=True)

Start = Callable[[Work], None]
"""Has a work started; what it reports comes to the session's `update`, but never at once."""


class State(enum.Enum):
    """Where a session is; the module's docstring says what each state means."""

    READY = enum.auto()
    WORKING = enum.auto()
    STOPPING = enum.auto()
    CLOSED = enum.auto()


_NEXT_STATES: Final = {
    State.READY: {State.WORKING, State.CLOSED},
    State.WORKING: {State.STOPPING, State.READY, State.CLOSED},
    State.STOPPING: {State.READY, State.CLOSED},
    State.CLOSED: {State.CLOSED},
}


class Decoder(Protocol[Read]):
    """Reads bytes as requests."""

    def receive_data(self, data: bytes) -> Iterable[Read]:
        """Return the requests that `data` completes."""

    def receive_end(self) -> Iterable[Read]:
        """Say that no more bytes come; a last line without newline still counts."""


class AnsweringSession(abc.ABC, Generic[Request]):
    """One conversation with one controller; a subclass knows what is asked in it.

    Two things bound a call: `max_output_bytes` what it returns (but for its last reply; with 0 no
    request is answered), and `enough`, asked between lines, when it is to end.  The rest waits
    until the next call, which may bring no bytes.  `has_more` says that there is some.
    `start` is called for each work that begins, `on_close` once, when the session becomes CLOSED.
    """

    def __init__(
        self, decoder: Decoder[Request], start: Start, on_close: Callable[[], None] | None
    ) -> None:
        self.state = State.READY
        self.max_output_bytes: int | None = None
        self.enough: Callable[[], bool] = lambda: False
        self._decoder = decoder
        self._start = start
        self._on_close = on_close
        self._unread: deque[bytes | None] = deque()  # None: the end of the input
        self._waiting: deque[Request] = deque()
        self._input_ended = False
        self._work: Work | None = None

    @property
    def closed(self) -> bool:
        """True when nothing more will be answered."""
        return self.state is State.CLOSED

    @property
    def wants_data(self) -> bool:
        """False while so much waits that reading more should pause."""
        return not self.closed and not self._unread and len(self._waiting) <= MAX_WAITING

    @property
    def has_more(self) -> bool:
        """True when `receive_data(b"")` would do more, which a bound on the last call held back."""
        return bool(self._unread) or (self.state is State.READY and bool(self._waiting))

    def receive_data(self, data: bytes) -> bytes:
        """Take what arrived and return what to write now."""
        if self.closed or (self._input_ended and data):
            return b""
        starts = range(0, len(data), _PIECE_BYTES)
        self._unread.extend(data[start : start + _PIECE_BYTES] for start in starts)
        return self._go_on([])

    def receive_end(self) -> bytes:
        """Say that the peer sends no more, and return what to write now."""
        if self.closed or self._input_ended:
            return b""
        self._unread.append(None)
        self._input_ended = True
        # A work that begins from now on hears it at its start.
        if self._work is not None:
            self._work.input_ended()
        return self._go_on([])

    def update(self, work: Work, update: Update) -> bytes:
        """Take what a work reports and return what to write now; reports after its end are lost."""
        if work is not self._work or self.closed:
            return b""
        if isinstance(update, ReplyLine):
            return self._progress(update.text)
        self._work = None
        self._go(State.READY)
        return self._go_on([self._last_words(update)])

    def may_be_lost(self, update: Update) -> bool:
        """Whether a peer that does not read misses nothing without it.

        Later lines replace a line of progress; one without text opens the reply.
        """
        return isinstance(update, ReplyLine) and update.text != ""

    def failed(self, error: Exception) -> Reply:
        """What a work reports that could not be started."""
        return Reply(False, f"internal error: {error!r}")

    def abandon(self) -> None:
        """Say that the peer vanished: stop the work and answer nothing more."""
        if self._work is not None:
            self._work.stop()
        self._close()

    def probe(self) -> bytes:
        """Return what means nothing to the peer at this moment; empty where there is no such."""
        return b""

    # What a subclass knows

    @abc.abstractmethod
    def _note(self, request: Request) -> bytes:
        """Obey what concerns the running work, and queue the rest; what to write at once."""

    @abc.abstractmethod
    def _obey(self, request: Request) -> bytes:
        """Do what is asked, or begin to; what to write.  Raises `CommandFailed`."""

    @abc.abstractmethod
    def _refusal(self, request: Request, reason: str) -> bytes:
        """The answer to a request that was not obeyed."""

    @abc.abstractmethod
    def _progress(self, text: str) -> bytes:
        """What to write of a work that goes on."""

    @abc.abstractmethod
    def _last_words(self, reply: Reply) -> bytes:
        """What to write of how a work ended."""

    # The way of a request

    def _go_on(self, output: list[bytes]) -> bytes:
        """Read what has arrived, then answer, behind what is to be written already."""
        decoder = self._decoder
        while self._unread:
            piece = self._unread.popleft()
            requests = decoder.receive_end() if piece is None else decoder.receive_data(piece)
            output += map(self._note, requests)
            if self._unread and self.enough():
                return b"".join(output)
        self._answer_waiting(output)
        return b"".join(output)

    def _answer_waiting(self, output: list[bytes]) -> None:
        """Answer until a work runs, nothing waits, or it is enough for one call."""
        size, limit = sum(map(len, output)), self.max_output_bytes
        while self._waiting and self.state is State.READY and (limit is None or size < limit):
            output.append(self._answer(self._waiting.popleft()))
            size += len(output[-1])
            if self.enough():
                break
        if self._input_ended and self.state is State.READY and not self._waiting:
            self._close()

    def _answer(self, request: Request) -> bytes:
        try:
            return self._obey(request)
        except CommandFailed as failure:
            return self._refusal(request, failure.message)
        except Exception as error:
            # Whatever it is, the conversation goes on; the traceback is for whoever mends it.
            _log.exception("%r failed", request)
            return self._refusal(request, self.failed(error).text)

    def _begin(self, work: Work) -> bytes:
        """Begin a work; what to write at once."""
        self._go(State.WORKING)
        self._work = work
        self._start(work)
        return b""

    def _stop(self, work: Work) -> None:
        """Have the running work stop, unless it was told to already."""
        if self.state is State.WORKING:
            self._go(State.STOPPING)
            work.stop()

    # The end

    def _go(self, state: State) -> None:
        assert state in _NEXT_STATES[self.state], f"{self.state} cannot become {state}"
        self.state = state

    def _close(self) -> None:
        self._go(State.CLOSED)
        self._unread.clear()
        self._waiting.clear()
        self._work = None
        on_close, self._on_close = self._on_close, None
        if on_close is not None:
            on_close()
