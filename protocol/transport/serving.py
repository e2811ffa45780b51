"""Sessions on Twisted's transports: standard input and output, sockets.

This module is independent of the protocols: received bytes go to a session, its output is written,
works are started and their updates are passed to the reactor's thread.  While the peer does not
read, progress lines, which later ones replace, are dropped, but its input is still read: it may be
about to stop the output that it does not read.  Once its answers alone fill a buffer, nothing more
is answered or read; so memory stays bounded.  A client that sends much at once is answered in
slices, in turn with the others (`rounds.py`).

A client on a socket that sends no more may still wait for its answers, or have hung up.  Both look
alike until something is written to it, so after the end of its input it is probed periodically:
otherwise a long command would run without a recipient.
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
    """A connection between one session and a transport.

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
        self._process(self._session.receive_data(data))

    def readConnectionLost(self) -> None:  # noqa: N802
        self._input_ended = True
        self._begin_slice()
        self._process(self._session.receive_end())

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
        """Do a slice of the remaining work when the session's turn has come."""
        if not self._closing and not self._full:
            self._begin_slice()
            self._process(self._session.receive_data(b""))

    def _begin_slice(self) -> None:
        """Limit the session's next call, in time and in bytes."""
        self._round.begin_slice()
        self._session.max_output_bytes = self._room

    @property
    def _room(self) -> int:
        """The number of bytes that may be answered; less if the peer has stopped reading."""
        return max(0, MAX_OUTPUT_BYTES - self._kept) if self._stalled else MAX_OUTPUT_BYTES

    @property
    def _full(self) -> bool:
        return not self._room

    def _process(self, reply: bytes) -> None:
        """Write a reply, and schedule the remaining work."""
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
            _log.exception("a job failed to start")
            report(self._session.failed(error))

    def _updated(self, work: Any, update: Any) -> None:
        if self._closing or (self._stalled and self._session.may_be_lost(update)):
            return
        self._begin_slice()
        self._process(self._session.update(work, update))


class _ClientProtocol(_SessionProtocol):
    """A connection between a session and a client's socket."""

    def connectionMade(self) -> None:  # noqa: N802
        if hasattr(self.transport, "setTcpNoDelay"):
            self.transport.setTcpNoDelay(True)
            self.transport.setTcpKeepAlive(True)  # a peer without power does not hang up
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
    """The interface of a session used here, as described in `AnsweringSession`.

    It starts works, each with a `start` method that takes the function to call with its updates.
    """

    max_output_bytes: int | None
    enough: Callable[[], bool]

    @property
    def closed(self) -> bool:
        """Whether nothing more will be answered."""

    @property
    def wants_data(self) -> bool:
        """Whether reading should continue."""

    @property
    def has_more(self) -> bool:
        """Whether another call would process more."""

    def receive_data(self, data: bytes) -> bytes:
        """Process received bytes and return the bytes to write."""

    def receive_end(self) -> bytes:
        """Process the end of the input and return the bytes to write."""

    def update(self, work: Any, update: Any) -> bytes:
        """Process a work's update and return the bytes to write."""

    def may_be_lost(self, update: Any) -> bool:
        """Return whether an update may be dropped while the peer does not read."""

    def failed(self, error: Exception) -> Any:
        """Return the update of a work that could not be started."""

    def abandon(self) -> None:
        """Handle the loss of the peer."""

    def probe(self) -> bytes:
        """Return bytes that the peer ignores, to test whether it can still be written to."""


MakeSession = Callable[[Callable[[Any], None]], Conversation]
"""A function that makes a session from a function that starts its works."""

_LOOPBACKS: Final = {"tcp": "127.0.0.1", "tcp6": r"\:\:1", "ssl": "127.0.0.1"}
_BACKLOG: Final = 500
"""The number of connections that may wait to be accepted; further clients retry a second later."""


PROBE_SECONDS = 5.0
"""The interval between probes of a client that sends no more."""

_KEEP_ALIVE: Final = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""The seconds and tries until a client that lost power is declared gone, where they can be set."""

MAX_CONNECTIONS: Final = 100
"""The default limit of simultaneous clients, which bounds memory; further ones are hung up on."""


class _SessionFactory(Factory):
    """A factory of sessions for a server's connections, with a limit of simultaneous ones."""

    noisy = False

    def __init__(self, make: Callable[[], _SessionProtocol], most: int) -> None:
        self._make = make
        self._most = most
        self._connected = 0
        self._full = False

    def buildProtocol(self, _address: object) -> _SessionProtocol | None:  # noqa: N802
        """Return the protocol of a new connection, or None to close it."""
        if self._connected >= self._most:
            if not self._full:  # one line, however many try
                _log.warning("%s clients are connected, the limit; others are refused", self._most)
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
    """Listen on a Twisted endpoint string, one session per connection, at most `most` at once.

    An address of `tcp`, `tcp6` or `ssl` that names no interface means loopback; `interface=0.0.0.0`
    opens it to the network.  Returns a Deferred of the `IListeningPort`; it fails with
    `CannotListenError`.  Raises `ValueError` for a description that Twisted cannot read.
    """
    # Imported here because it takes 0.1 s, which `linage-bot gtp` on stdin does not need.
    from twisted.internet.endpoints import serverFromString

    round_ = Round(reactor)
    make = partial(_ClientProtocol, reactor, round_, make_session)
    factory = _SessionFactory(make, most)
    return serverFromString(reactor, _completed(description)).listen(factory)  # type: ignore[no-any-return, no-untyped-call]  # Twisted gives no types here


def _completed(description: str) -> str:
    """Return an endpoint string with a default interface and backlog, if it is of TCP or SSL."""
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
    when they cannot be: the reader is gone, or a disk is full. The caller then stops the reactor.
    """
    protocol = _SessionProtocol(reactor, Round(reactor), make_session)
    transport = DescriptorTransport(reactor, protocol, stdin, stdout)
    protocol.makeConnection(transport)  # type: ignore[no-untyped-call]  # nor here
    transport.start()
    return protocol.over


def use_monotonic_time(reactor: Any) -> None:
    """Make a reactor's timers independent of changes to the system's clock.

    Twisted uses wall time: set back by an hour, every timeout would be an hour late. Call this
    before any timer is started.
    """
    reactor.seconds = time.monotonic
