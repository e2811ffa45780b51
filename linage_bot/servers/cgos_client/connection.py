"""The network connection of a participant, and the loop that renews a lost one."""

from __future__ import annotations

import contextlib
import logging
import random
import typing
from collections.abc import Callable
from typing import Any

from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.endpoints import clientFromString
from twisted.internet.error import ConnectError, ConnectingCancelledError
from twisted.internet.protocol import Factory, Protocol
from twisted.internet.task import deferLater
from twisted.protocols.policies import TimeoutMixin
from twisted.python.failure import Failure

from linage_bot.servers.cgos_client.settings import ReconnectSettings, ServerSettings
from protocol.transport.endpoints import check_client
from protocol.transport.listening import clear_faults

_log = logging.getLogger(__name__)


class LinkOwner(typing.Protocol):
    """The participant that a link reports to."""

    def connected(self, link: Link) -> None:
        """Begin a conversation on a new link."""

    def received(self, data: bytes) -> None:
        """Handle bytes from the server."""

    def lost(self) -> None:
        """Handle the loss of the link."""


class Link(TimeoutMixin, Protocol):
    """One connection; `over` fires with the reason when the connection is gone."""

    transport: Any

    def __init__(self, reactor: Any, owner: LinkOwner, silence_seconds: float) -> None:
        self.over: Deferred[str] = Deferred()
        self._reactor = reactor
        self._owner = owner
        self._silence_seconds = silence_seconds
        self._reason = ""

    def connectionMade(self) -> None:  # noqa: N802
        """Set the socket options and the timeout, and report the new connection to the owner."""
        set_no_delay = getattr(self.transport, "setTcpNoDelay", None)
        if set_no_delay is not None:
            set_no_delay(True)
            self.transport.setTcpKeepAlive(True)
        self.setTimeout(self._silence_seconds)
        self._owner.connected(self)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        """Pass bytes to the owner, unless the connection is being closed."""
        if not self._reason:
            self.resetTimeout()
            self._owner.received(data)

    def callLater(self, period: float, act: Callable[[], None]) -> Any:  # noqa: N802
        """Schedule the timeout of a silent connection on the given reactor."""
        return self._reactor.callLater(period, act)

    def timeoutConnection(self) -> None:  # noqa: N802
        """Close the connection after too long a silence of the server."""
        self.close("the server has been silent for too long")

    def connectionLost(self, reason: Failure | None = None) -> None:  # noqa: N802
        """Report the loss of the connection to the owner, and fire `over`."""
        self.setTimeout(None)
        self._owner.lost()
        why = "" if reason is None else reason.getErrorMessage()
        self.over.callback(self._reason or f"the connection was lost: {why}")

    def write(self, data: bytes) -> None:
        """Send bytes, unless the connection is being closed."""
        if data and not self._reason:
            self.transport.write(data)

    def close(self, reason: str) -> None:
        """Ignore further bytes, and close once the written ones are sent, within 1 s."""
        if not self._reason:
            self._reason = reason
            self.transport.loseConnection()
            # A peer that reads nothing would block the closing for ever.
            self._reactor.callLater(1.0, self._abort)

    def _abort(self) -> None:
        if not self.over.called:
            self.transport.abortConnection()


class Reconnector:
    """A loop that connects again and again until it is stopped."""

    def __init__(
        self,
        reactor: Any,
        name: str,
        server: ServerSettings,
        settings: ReconnectSettings,
        owner: LinkOwner,
    ) -> None:
        """Create a reconnector; raise `BadEndpoint` for an invalid address."""
        with clear_faults(server.address):
            check_client(server.address)
            self._endpoint: Any = clientFromString(reactor, server.address)
        self._reactor = reactor
        self._name = name
        self._settings = settings
        self._stopped = False
        self._waiting: Deferred[Any] | None = None  # for a connection, or to try again
        self._factory = Factory.forProtocol(lambda: Link(reactor, owner, server.silence_seconds))
        self._factory.noisy = False

    async def run(self) -> None:
        """Connect, wait for the loss of the connection, and repeat until `stop` is called."""
        failures = 0
        while not self._stopped:
            begun = self._reactor.seconds()
            self._waiting = self._endpoint.connect(self._factory)
            try:
                link: Link = await self._waiting
                reason = await link.over
            except (ConnectError, ConnectingCancelledError, OSError) as error:
                reason = f"cannot connect: {error}"
            if self._stopped:
                break
            steady = self._reactor.seconds() - begun >= self._settings.steady_seconds
            failures = 1 if steady else failures + 1
            seconds = self._settings.seconds(failures, random.random())
            _log.info("%s: %s; reconnecting in %.1f s", self._name, reason, seconds)
            self._waiting = deferLater(self._reactor, seconds)
            with contextlib.suppress(CancelledError):
                await self._waiting

    def stop(self) -> None:
        """Make no more connections; the owner has to close an open one."""
        self._stopped = True
        if self._waiting is not None:
            self._waiting.cancel()
