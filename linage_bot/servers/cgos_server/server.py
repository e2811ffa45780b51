"""The server assembled from its parts, without a socket; run by `command` and by tests."""

import logging
from typing import Final

from linage_bot.servers.cgos_server.environment import Environment
from linage_bot.servers.cgos_server.limits import origin
from linage_bot.servers.cgos_server.lobby import Lobby
from linage_bot.servers.cgos_server.login import Login
from linage_bot.servers.cgos_server.outbox import Peer
from linage_bot.servers.cgos_server.session import ServerSession
from linage_bot.servers.cgos_server.settings import CgosServerSettings
from linage_bot.servers.cgos_server.sgf import SgfFolder
from linage_bot.servers.cgos_server.store import ServerStore
from linage_bot.settings.checks import Secret

_log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 0.5
"""The interval between calls of `look`."""
_STATISTICS_SECONDS: Final = 60.0


class Server:
    """The lobby and the connections to it."""

    def __init__(
        self,
        settings: CgosServerSettings,
        store: ServerStore,
        environment: Environment,
        admin_password: Secret | None = None,
        sgf: SgfFolder | None = None,
    ) -> None:
        self.lobby = Lobby(settings, store, environment, sgf)
        self.limits = settings.limits
        self._login = Login(store, self.limits.registrations_per_hour, admin_password, environment)
        self._sessions: dict[ServerSession, str] = {}  # and the addresses that count
        self._reported_at = environment.now()
        self._reported_pace = self.lobby.outbox.pace()

    def connected(self, peer: Peer, address: str) -> ServerSession:
        """Return a session for a new connection; refuse and close one connection too many."""
        session = ServerSession(self.lobby, self._login, peer, address)
        own, all_here = origin(address), list(self._sessions.values())
        if len(all_here) >= self.limits.connections:
            session.refuse("too many connections")
        elif all_here.count(own) >= self.limits.connections_per_address:
            session.refuse("too many connections from your address")
        else:
            self._sessions[session] = own
            session.begin()
        return session

    def lost(self, session: ServerSession) -> None:
        """Handle the loss of a session's connection."""
        session.lost()
        self._sessions.pop(session, None)

    def look(self) -> None:
        """End overdue games, check silent sessions, and send statistics each minute."""
        self.lobby.look_at_clocks()
        for session in list(self._sessions):
            session.look_at_time()
        now = self.lobby.environment.now()
        if now - self._reported_at >= _STATISTICS_SECONDS:
            self._reported_at = now
            self._send_statistics()

    def stop(self) -> None:
        """Announce the stop and close all sessions; games continue after the next start."""
        self.lobby.inform("the server is stopping; games continue after its next start")
        for session in list(self._sessions):
            session.close()
        self.lobby.outbox.settle()

    def _send_statistics(self) -> None:
        lobby = self.lobby
        lobby.inform(f"Games in progress: {len(lobby.live_games)} Players: {len(lobby.players)}")
        pace = lobby.outbox.pace()
        if pace != self._reported_pace:
            self._reported_pace = pace
            _log.info("%s", pace)
