"""A session that answers requests in the order in which they arrive, without I/O.

A quick request is answered at once; a slow one begins a `Work`, and requests that change anything
wait until its last update.  The session is in one of four states:

    READY     the next request can be processed
    WORKING   a work runs
    STOPPING  the work has been stopped; its last update is still to come
    CLOSED    the session was ended, or its input ended and all is answered, or the peer vanished

To drive a session, pass it the received bytes and write the bytes it returns, see `serving.py`.  A
work that begins is passed to the `start` function given to the constructor.  One call may be
limited, in bytes and by `enough`: all received bytes are read before any request is answered, so
the points where calls end change no answer.
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
"""The number of queued requests beyond which the transport should stop reading."""

_PIECE_BYTES: Final = 1 << 10
"""The number of bytes read between two checks of `enough`."""

_log = logging.getLogger(__name__)

Request = TypeVar("Request")
Read = TypeVar("Read", covariant=True)

Start = Callable[[Work], None]
"""A function that starts a work, whose reports reach the session's `update` only later."""


class State(enum.Enum):
    """The state of a session, as described in the module's docstring."""

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
    """A decoder from bytes to requests."""

    def receive_data(self, data: bytes) -> Iterable[Read]:
        """Return the requests that `data` completes."""

    def receive_end(self) -> Iterable[Read]:
        """End the input; return the request of a last line without newline, if any."""


class AnsweringSession(abc.ABC, Generic[Request]):
    """One conversation with one controller; a subclass defines the requests.

    Each call has two limits: `max_output_bytes` of output (except that the last reply may exceed
    it; with 0 no request is answered), and `enough`, which is checked between lines.  The remaining
    work is left for the next call, which may bring no bytes; `has_more` says whether there is any.
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
        """Whether nothing more will be answered."""
        return self.state is State.CLOSED

    @property
    def wants_data(self) -> bool:
        """Whether reading should continue; false while many requests are queued."""
        return not self.closed and not self._unread and len(self._waiting) <= MAX_WAITING

    @property
    def has_more(self) -> bool:
        """Whether `receive_data(b"")` would process more, held back by the last call's limits."""
        return bool(self._unread) or (self.state is State.READY and bool(self._waiting))

    def receive_data(self, data: bytes) -> bytes:
        """Process received bytes and return the bytes to write now."""
        if self.closed or (self._input_ended and data):
            return b""
        starts = range(0, len(data), _PIECE_BYTES)
        self._unread.extend(data[start : start + _PIECE_BYTES] for start in starts)
        return self._process([])

    def receive_end(self) -> bytes:
        """Process the end of the peer's input and return the bytes to write now."""
        if self.closed or self._input_ended:
            return b""
        self._unread.append(None)
        self._input_ended = True
        # A work that begins later learns of it at its start.
        if self._work is not None:
            self._work.input_ended()
        return self._process([])

    def update(self, work: Work, update: Update) -> bytes:
        """Process a work's update and return the bytes to write; ignore updates after its end."""
        if work is not self._work or self.closed:
            return b""
        if isinstance(update, ReplyLine):
            return self._progress(update.text)
        self._work = None
        self._go(State.READY)
        return self._process([self._final_reply(update)])

    def may_be_lost(self, update: Update) -> bool:
        """Return whether an update may be dropped for a peer that does not read.

        Later lines replace a line of progress; a line without text opens the reply and must not be
        lost.
        """
        return isinstance(update, ReplyLine) and update.text != ""

    def failed(self, error: Exception) -> Reply:
        """Return the reply of a work that could not be started."""
        return Reply(False, f"internal error: {error!r}")

    def abandon(self) -> None:
        """Handle the loss of the peer: stop the work and answer nothing more."""
        if self._work is not None:
            self._work.stop()
        self._close()

    def probe(self) -> bytes:
        """Return bytes that the peer ignores at this moment; empty if there are none."""
        return b""

    # Defined by subclasses

    @abc.abstractmethod
    def _enqueue(self, request: Request) -> bytes:
        """Apply a request to the running work or queue it; return the bytes to write at once."""

    @abc.abstractmethod
    def _execute(self, request: Request) -> bytes:
        """Execute or begin a request and return the bytes to write; raises `CommandFailed`."""

    @abc.abstractmethod
    def _refusal(self, request: Request, reason: str) -> bytes:
        """Return the answer to a request that failed."""

    @abc.abstractmethod
    def _progress(self, text: str) -> bytes:
        """Return the bytes that report a running work's progress."""

    @abc.abstractmethod
    def _final_reply(self, reply: Reply) -> bytes:
        """Return the bytes that report the end of a work."""

    # Processing requests

    def _process(self, output: list[bytes]) -> bytes:
        """Read the received bytes, then answer; return `output` followed by the answers."""
        decoder = self._decoder
        while self._unread:
            piece = self._unread.popleft()
            requests = decoder.receive_end() if piece is None else decoder.receive_data(piece)
            output += map(self._enqueue, requests)
            if self._unread and self.enough():
                return b"".join(output)
        self._answer_waiting(output)
        return b"".join(output)

    def _answer_waiting(self, output: list[bytes]) -> None:
        """Answer until a work runs, the queue is empty, or this call's limit is reached."""
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
            return self._execute(request)
        except CommandFailed as failure:
            return self._refusal(request, failure.message)
        except Exception as error:
            # The conversation continues after any error; the traceback is for the developer.
            _log.exception("%r failed", request)
            return self._refusal(request, self.failed(error).text)

    def _begin(self, work: Work) -> bytes:
        """Begin a work; return the bytes to write at once."""
        self._go(State.WORKING)
        self._work = work
        self._start(work)
        return b""

    def _stop(self, work: Work) -> None:
        """Stop the running work, unless it is already stopping."""
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
