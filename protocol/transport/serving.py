"""Sessions on Twisted's transports: standard input and output, sockets.

It decides nothing about any protocol: bytes go to a session, what it returns is written, works are
started and their updates brought to the reactor's thread.  While the peer does not read, progress
lines, which the next ones replace, are dropped, but it is still heard: it may be about to stop what
it does not read.  Once its answers alone fill a buffer, nothing more is answered or read; so memory
stays bounded.  Who sends much at once is answered in slices, in turn with the others (`rounds.py`).

A client on a socket that sends no more may still wait for its answers, or have hung up.  Both look
alike until something is written to it, so after the end of its input it is probed now and then:
else a long command would be worked at for nobody.
"""

import logging
import socket
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final
from typing import Protocol as Structure

from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IHalfCloseableProtocol, IPushProducer
from twisted.internet.protocol import Factory, Protocol
from twisted.python.failure import Failure
from zope.interface import implementer

from protocol.transport.rounds import Round
from protocol.transport.stdio import MAX_OUTPUT_BYTES, DescriptorTransport

_log = logging.getLogger(__name__)


@implementer(IHalfCloseableProtocol, IPushProducer)
class _SessionProtocol(Protocol):
    """Joins one session to a transport.

    `over` fires when the connection is gone, with the error of a descriptor that ended it.
    """

    transport: Any

    def __init__(self, reactor: Any, round_: Round, make_session: "MakeSession") -> None:
        self._reactor = reactor
        self._round = round_
        self._session = make_session(self._start)
        self._session.enough = round_.enough
        self._stalled = False  # the peer does not read
        self._kept = 0  # bytes written since it last stopped reading
        self._reading = True
        self._input_ended = False
        self._closing = False
        self.over: Deferred[OSError | None] = Deferred()

    def connectionMade(self) -> None:  # noqa: N802
        self.transport.registerProducer(self, True)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        self._begin_slice()
        self._go_on(self._session.receive_data(data))

    def readConnectionLost(self) -> None:  # noqa: N802
        self._input_ended = True
        self._begin_slice()
        self._go_on(self._session.receive_end())

    def writeConnectionLost(self) -> None:  # noqa: N802
        self._session.abandon()

    def connectionLost(self, reason: Failure | OSError | None = None) -> None:  # noqa: N802
        self._closing = True
        self._session.abandon()
        self.over.callback(reason if isinstance(reason, OSError) else None)

    def pauseProducing(self) -> None:  # noqa: N802
        self._stalled = True
        self._kept = 0

    def resumeProducing(self) -> None:  # noqa: N802
        self._stalled = False
        if not self._closing:
            self._round.join(self._work_on)

    def stopProducing(self) -> None:  # noqa: N802
        self._session.abandon()

    def _work_on(self) -> None:
        """Do a slice of what is left, now that it is our turn."""
        if not self._closing and not self._full:
            self._begin_slice()
            self._go_on(self._session.receive_data(b""))

    def _begin_slice(self) -> None:
        """Bound what the session does next, in time and in bytes."""
        self._round.begin_slice()
        self._session.max_output_bytes = self._room

    @property
    def _room(self) -> int:
        """How much more is answered: to a peer that does not read, as much as is kept for it."""
        return max(0, MAX_OUTPUT_BYTES - self._kept) if self._stalled else MAX_OUTPUT_BYTES

    @property
    def _full(self) -> bool:
        return not self._room

    def _go_on(self, reply: bytes) -> None:
        """Write, and see to it that what is left has its turn."""
        session = self._session
        if reply:
            self._kept += len(reply)
            self.transport.write(reply)
        if session.closed:
            if not self._closing:
                self._closing = True
                self.transport.unregisterProducer()
                self.transport.loseConnection()
            return
        if session.has_more and not self._full:
            self._round.join(self._work_on)
        if not self._input_ended:
            self._read(session.wants_data and not self._full)

    def _read(self, wanted: bool) -> None:
        if wanted and not self._reading:
            self.transport.resumeProducing()
        elif self._reading and not wanted:
            self.transport.pauseProducing()
        self._reading = wanted

    def _start(self, work: Any) -> None:
        def report(update: Any) -> None:
            self._reactor.callFromThread(self._updated, work, update)

        try:
            work.start(report)
        except Exception as error:
            _log.exception("a work failed to start")
            report(self._session.failed(error))

    def _updated(self, work: Any, update: Any) -> None:
        if self._closing or (self._stalled and self._session.may_be_lost(update)):
            return
        self._begin_slice()
        self._go_on(self._session.update(work, update))


class _ClientProtocol(_SessionProtocol):
    """Joins a session to a client's connection."""

    def connectionMade(self) -> None:  # noqa: N802
        if hasattr(self.transport, "setTcpNoDelay"):
            self.transport.setTcpNoDelay(True)
            self.transport.setTcpKeepAlive(True)  # a peer that lost its power says no farewell
            for option in _KEEP_ALIVE.keys() & vars(socket).keys():
                number, value = getattr(socket, option), _KEEP_ALIVE[option]
                self.transport.getHandle().setsockopt(socket.IPPROTO_TCP, number, value)
        super().connectionMade()

    def readConnectionLost(self) -> None:  # noqa: N802
        super().readConnectionLost()
        self._reactor.callLater(PROBE_SECONDS, self._probe)

    def _probe(self) -> None:
        """Write, which fails the second time at the latest if the client has hung up."""
        if self._closing:
            return
        if not self._stalled:
            self.transport.write(self._session.probe())
        self._reactor.callLater(PROBE_SECONDS, self._probe)


class Conversation(Structure):
    """A session as it is driven here; `AnsweringSession` says what each of these means.

    What it starts are its works, each with a `start` that takes what is to hear of its updates.
    """

    max_output_bytes: int | None
    enough: Callable[[], bool]

    @property
    def closed(self) -> bool:
        """Whether nothing more will be answered."""

    @property
    def wants_data(self) -> bool:
        """Whether to read on."""

    @property
    def has_more(self) -> bool:
        """Whether it would do more if it was called again."""

    def receive_data(self, data: bytes) -> bytes:
        """Take what arrived; what to write."""

    def receive_end(self) -> bytes:
        """Hear that no more arrives; what to write."""

    def update(self, work: Any, update: Any) -> bytes:
        """Take what a work reports; what to write."""

    def may_be_lost(self, update: Any) -> bool:
        """Whether a report need not be written while the peer does not read."""

    def failed(self, error: Exception) -> Any:
        """The report of a work that could not be started."""

    def abandon(self) -> None:
        """Hear that the peer has vanished."""

    def probe(self) -> bytes:
        """Return what means nothing to the peer, to see whether it can still be written to."""


MakeSession = Callable[[Callable[[Any], None]], Conversation]
"""Makes a session that starts its works with what it is given."""

_LOOPBACKS: Final = {"tcp": "127.0.0.1", "tcp6": r"\:\:1", "ssl": "127.0.0.1"}
_BACKLOG: Final = 500
"""Connections that may wait to be accepted; beyond it clients try again, a second later."""


PROBE_SECONDS = 5.0
"""How often a client that sends no more is probed."""

_KEEP_ALIVE: Final = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""After how many seconds and tries a client is gone that lost its power, where this can be set."""

MAX_CONNECTIONS: Final = 100
"""How many clients a server has at once, so that its memory is bounded; others are hung up on."""


class _SessionFactory(Factory):
    """Makes a session for each connection of a server, up to a number of them at once."""

    noisy = False

    def __init__(self, make: Callable[[], _SessionProtocol], most: int) -> None:
        self._make = make
        self._most = most
        self._connected = 0
        self._full = False

    def buildProtocol(self, _address: object) -> _SessionProtocol | None:  # noqa: N802
        """Return the protocol of a new connection, None to close it."""
        if self._connected >= self._most:
            if not self._full:  # one line, however many try
                _log.warning("%s clients are connected; others are refused", self._most)
            self._full = True
            return None
        self._connected += 1
        protocol = self._make()
        protocol.over.addCallback(self._left)
        return protocol

    def _left(self, reason: OSError | None) -> OSError | None:
        self._connected -= 1
        self._full = False
        return reason


def serve_endpoint(
    reactor: Any, description: str, make_session: MakeSession, most: int = MAX_CONNECTIONS
) -> Deferred[Any]:
    """Listen on a Twisted endpoint string, one session per connection, at most so many at once.

    An address of `tcp`, `tcp6` or `ssl` that names no interface means loopback; `interface=0.0.0.0`
    opens it to the network.  Returns a Deferred of the `IListeningPort`; it fails with
    `CannotListenError`.  Raises `ValueError` for a description that Twisted cannot read.
    """
    # Not above: these take 0.1 s to import, which `linage-bot gtp` on stdin would pay in vain.
    from twisted.internet.endpoints import serverFromString

    round_ = Round(reactor)
    make = partial(_ClientProtocol, reactor, round_, make_session)
    factory = _SessionFactory(make, most)
    return serverFromString(reactor, _completed(description)).listen(factory)  # type: ignore[no-any-return, no-untyped-call]  # Twisted gives no types here


def _completed(description: str) -> str:
    """Return an endpoint string with what it leaves open, if it is one of TCP."""
    interface = _LOOPBACKS.get(description.partition(":")[0])
    if interface is not None:
        if ":interface=" not in description:
            description += f":interface={interface}"
        if ":backlog=" not in description:
            description += f":backlog={_BACKLOG}"
    return description


def serve_stdio(
    reactor: Any, make_session: MakeSession, stdin: int = 0, stdout: int = 1
) -> Deferred[OSError | None]:
    """Run one session on two file descriptors: pipes, files, a terminal, `/dev/null`.

    The Deferred fires when the session is over and all its answers are written, or with the error
    when they cannot be: nobody reads them any more, or a disk is full. The caller then stops the
    reactor.
    """
    protocol = _SessionProtocol(reactor, Round(reactor), make_session)
    transport = DescriptorTransport(reactor, protocol, stdin, stdout)
    protocol.makeConnection(transport)  # type: ignore[no-untyped-call]  # nor here
    transport.start()
    return protocol.over


def use_monotonic_time(reactor: Any) -> None:
    """Make a reactor's timers independent of the system's clock being set.

    Twisted keeps them by wall time: set back by an hour, every time-out would be an hour late. To
    be called before anything is timed.
    """
    reactor.seconds = time.monotonic
