"""The server put together from its parts, without a socket: what `command` runs and tests drive."""

import logging
from typing import Final

from linage_bot.servers.cgos_server.admin import Admin
from linage_bot.servers.cgos_server.encounters import Encounters
from linage_bot.servers.cgos_server.game import RefereedGame
from linage_bot.servers.cgos_server.limits import Addresses, origin
from linage_bot.servers.cgos_server.lobby import Lobby
from linage_bot.servers.cgos_server.login import Login
from linage_bot.servers.cgos_server.outbox import Outbox, Peer
from linage_bot.servers.cgos_server.outside import Outside
from linage_bot.servers.cgos_server.ratings import Rated, Rater, Ratings
from linage_bot.servers.cgos_server.refusals import Refusals
from linage_bot.servers.cgos_server.rows import ABORTED
from linage_bot.servers.cgos_server.session import ServerParts, ServerSession
from linage_bot.servers.cgos_server.settings import CgosServerSettings
from linage_bot.servers.cgos_server.sgf import SgfFolder
from linage_bot.servers.cgos_server.store import ServerStore
from linage_bot.servers.cgos_server.viewers import Viewers
from linage_bot.settings.checks import Secret

_log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 0.5
"""How often `look` is to be called."""
_NEWS_SECONDS: Final = 60.0


class Server:
    """All parts of the server and the connections to them."""

    def __init__(
        self,
        settings: CgosServerSettings,
        store: ServerStore,
        outside: Outside,
        admin_password: Secret | None = None,
        sgf: SgfFolder | None = None,
    ) -> None:
        self.settings = settings
        self.store = store
        self.limits = settings.limits
        self.outbox = Outbox(store.commit, lambda act: outside.later(0.0, act), outside.now)
        self._now = outside.now
        self._sgf = sgf
        self._addresses = Addresses(settings.limits)
        viewers = Viewers(settings.game.configure(), store, self.outbox)
        encounters = Encounters(store)
        self.lobby = Lobby(
            settings=settings,
            store=store,
            encounters=encounters,
            ratings=Ratings(settings.ratings, store.players()),
            viewers=viewers,
            outbox=self.outbox,
            outside=outside,
            game_ended=self._game_ended,
        )
        self._parts = ServerParts(
            lobby=self.lobby,
            viewers=viewers,
            admin=Admin(self.lobby, store, outside.now),
            login=Login(store, self._addresses, admin_password, outside),
            outbox=self.outbox,
            limits=settings.limits,
            now=outside.now,
            refused=Refusals(outside.now).tell,
        )
        self._sessions: dict[ServerSession, str] = {}  # and the addresses that count
        scores = encounters.scores
        self._rater = Rater(settings.ratings, lambda: [*scores.values()], self._rated, outside)
        if scores:
            self._rater.ask()  # the last run may have ended before its last list
        self._told_at = self._now()
        self._told_pace = self.outbox.pace()

    def connected(self, peer: Peer, address: str) -> ServerSession:
        """A session for a new connection; one connection too many is told so and closed."""
        session = ServerSession(self._parts, peer, address)
        reason = self._addresses.connected(origin(address))
        if reason is None:
            self._sessions[session] = origin(address)
            session.begin()
        else:
            session.refuse(reason)
        return session

    def lost(self, session: ServerSession) -> None:
        """A connection is gone."""
        session.lost()
        address = self._sessions.pop(session, None)
        if address is not None:
            self._addresses.lost(address)

    def look(self) -> None:
        """See to all that happens by itself: time that runs out, silence, news."""
        self.lobby.look_at_clocks()
        for session in list(self._sessions):
            session.look_at_time()
        now = self._now()
        if now - self._told_at >= _NEWS_SECONDS:
            self._told_at = now
            self._tell_news()

    def pair(self) -> None:
        """Begin games, unless only the administrator may."""
        if self.settings.pairing.automatic:
            self.lobby.pair()

    def stop(self) -> None:
        """Say good-bye; games go on when the server is started again."""
        self.lobby.inform("the server stops; games go on when it is back")
        for session in list(self._sessions):
            session.close()
        self.outbox.settle()

    def _tell_news(self) -> None:
        lobby = self.lobby
        lobby.inform(f"Games in progress: {len(lobby.live_games)} Players: {len(lobby.players)}")
        pace = self.outbox.pace()
        if pace != self._told_pace:
            self._told_pace = pace
            _log.info("%s", pace)

    def _game_ended(self, live: RefereedGame) -> None:
        if live.row.ending != ABORTED:
            self._rater.ask()
        if self._sgf is not None:
            try:
                self._sgf.keep(live.row, live.moves)
            except OSError as error:
                _log.error("game %d has no SGF file: %s", live.row.number, error)

    def _rated(self, ratings: list[Rated]) -> None:
        """Take a new rating list."""
        self.lobby.ratings.replace(ratings)
        self.store.keep_ratings(ratings)
        self.outbox.wake()
