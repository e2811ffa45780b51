"""The command `linage-bot serve cgos`: runs the server until it is stopped."""

import logging
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Final

from twisted.internet.defer import Deferred
from twisted.internet.task import LoopingCall, deferLater
from twisted.internet.threads import deferToThreadPool
from twisted.python.failure import Failure

from linage_bot.servers.cgos_server.connection import connections
from linage_bot.servers.cgos_server.environment import Environment
from linage_bot.servers.cgos_server.server import LOOK_SECONDS, Server
from linage_bot.servers.cgos_server.settings import CgosServerSettings
from linage_bot.servers.cgos_server.sgf import SgfFolder
from linage_bot.servers.cgos_server.store import ServerStore
from linage_bot.servers.cgos_server.web import web_site
from linage_bot.servers.listening import listen
from linage_bot.settings.checks import SettingFault

_log = logging.getLogger(__name__)

_FAREWELL_SECONDS: Final = 0.2
"""The time for the last messages to be sent."""


async def run(reactor: Any, settings: CgosServerSettings) -> None:
    """Serve until the reactor stops; raise `SettingFault` for an error that the user can fix."""
    admin_password = settings.admin_password()
    game = settings.game.configure()
    store = ServerStore.open(Path(settings.database), game)
    sgf = None
    if settings.sgf is not None:
        sgf = SgfFolder(Path(settings.sgf), game, settings.name)
        sgf.restore(store)
    failing: Deferred[None] = Deferred()
    glue = _ReactorBridge(reactor, failing)
    environment = Environment(
        now=reactor.seconds,
        today=lambda: datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S"),
        soon=partial(reactor.callLater, 0.0, glue.guarded),
        sleep=partial(deferLater, reactor),
        in_thread=partial(deferToThreadPool, reactor, reactor.getThreadPool()),
        start=glue.start,
    )
    server = Server(settings, store, environment, admin_password, sgf)
    await listen(reactor, "listen", settings.listen, connections(reactor, server, glue.guarded))
    if settings.web is not None:
        await listen(reactor, "web", settings.web, web_site(server.lobby))
    glue.repeat(server.look, LOOK_SECONDS)
    glue.repeat(server.lobby.pair, settings.pairing.interval_seconds)
    reactor.addSystemEventTrigger("before", "shutdown", glue.stop, server)
    reactor.addSystemEventTrigger("after", "shutdown", _close, store)  # no more requests come
    await failing


class _ReactorBridge:
    """A bridge from the server to the reactor, which ends everything when the store fails."""

    def __init__(self, reactor: Any, failing: Deferred[None]) -> None:
        self._reactor = reactor
        self._failing = failing
        self._over = False

    def guarded(self, act: Callable[..., None], *arguments: Any) -> None:
        """Call a function that may write to the store, unless the server has ended."""
        if self._over:
            return
        try:
            act(*arguments)
        except SettingFault:
            self._failed(Failure())

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a coroutine."""
        Deferred.fromCoroutine(work).addErrback(self._failed)

    def stop(self, server: Server) -> Deferred[None]:
        """Stop the server, and give its last messages some time to be sent."""
        self.guarded(server.stop)
        self._over = True
        return deferLater(self._reactor, _FAREWELL_SECONDS)

    def repeat(self, act: Callable[[], None], seconds: float) -> None:
        """Call a function at intervals, first after one interval."""
        call = LoopingCall(self.guarded, act)
        call.clock = self._reactor
        call.start(seconds, now=False)

    def _failed(self, failure: Failure) -> None:
        """End the server after a failed write, so that it reports nothing that is not stored."""
        failure.trap(SettingFault)
        if not self._over:
            self._over = True
            self._failing.errback(failure)


def _close(store: ServerStore) -> None:
    try:
        store.close()
    except SettingFault as fault:
        _log.error("%s", fault)
