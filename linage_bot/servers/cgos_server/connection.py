"""Network connections of sessions, with a limit on unread bytes and no waiting for slow peers."""

import logging
from collections.abc import Callable
from typing import Any, Final

from twisted.internet.interfaces import IPushProducer
from twisted.internet.protocol import Factory, Protocol
from twisted.python.failure import Failure
from zope.interface import implementer

from linage_bot.servers.cgos_server.server import Server
from linage_bot.servers.cgos_server.session import ServerSession

_log = logging.getLogger(__name__)

_CLOSING_SECONDS: Final = 5.0
"""The time for a peer to read why its connection is closed."""


@implementer(IPushProducer)
class Connection(Protocol):
    """One connection; it ends if the peer leaves more than `unread_bytes` unread."""

    transport: Any
    _session: ServerSession  # since connectionMade

    def __init__(self, reactor: Any, server: Server, guarded: Callable[..., None]) -> None:
        self._reactor = reactor
        self._server = server
        self._guarded = guarded
        self._host = ""
        self._unread: int | None = None  # bytes since the peer stopped reading; None: it reads
        self._cut_off = False
        self._deadline: Any = None

    def connectionMade(self) -> None:  # noqa: N802
        """Begin a session, which greets the peer or refuses one connection too many."""
        if hasattr(self.transport, "setTcpNoDelay"):
            self.transport.setTcpNoDelay(True)
            self.transport.setTcpKeepAlive(True)
        self.transport.registerProducer(self, True)
        self._host = getattr(self.transport.getPeer(), "host", "local")
        self._session = self._server.connected(self, self._host)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        """Pass received bytes to the session."""
        self._guarded(self._session.receive_data, data)

    def connectionLost(self, reason: Failure | None = None) -> None:  # noqa: ARG002, N802
        """Report the loss of the connection to the server."""
        if self._deadline is not None and self._deadline.active():
            self._deadline.cancel()
        self._server.lost(self._session)

    def write(self, data: bytes) -> None:
        """Send bytes, or abort the connection if the peer has left too many unread."""
        if self._cut_off:
            return
        self.transport.write(data)
        if self._unread is not None:
            self._unread += len(data)
            if self._unread > self._server.limits.unread_bytes:
                _log.info("%s does not read its messages and is disconnected", self._host)
                self._cut_off = True
                self.transport.abortConnection()

    def close(self) -> None:
        """Close once the written bytes are sent; abort after 5 s if the peer does not read them."""
        self.transport.unregisterProducer()
        self.transport.loseConnection()
        if self._deadline is None:
            abort = self.transport.abortConnection
            self._deadline = self._reactor.callLater(_CLOSING_SECONDS, abort)

    def pauseProducing(self) -> None:  # noqa: N802
        """Begin to count unread bytes: the peer reads more slowly than we write."""
        self._unread = 0

    def resumeProducing(self) -> None:  # noqa: N802
        """Stop counting unread bytes: the peer has read everything."""
        self._unread = None

    def stopProducing(self) -> None:  # noqa: N802
        """Do nothing; `connectionLost` follows."""


def connections(reactor: Any, server: Server, guarded: Callable[..., None]) -> Any:
    """Return a factory of connections; `guarded` calls functions that may write to the store."""
    factory = Factory.forProtocol(lambda: Connection(reactor, server, guarded))
    factory.noisy = False
    return factory
