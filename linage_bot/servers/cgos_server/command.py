"""`linage-bot serve cgos`: the server from its settings to its end."""

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
from linage_bot.servers.cgos_server.outside import Outside
from linage_bot.servers.cgos_server.server import LOOK_SECONDS, Server
from linage_bot.servers.cgos_server.settings import CgosServerSettings
from linage_bot.servers.cgos_server.sgf import SgfFolder
from linage_bot.servers.cgos_server.store import ServerStore
from linage_bot.servers.cgos_server.web import web_site
from linage_bot.servers.listening import listen
from linage_bot.settings.checks import SettingFault

_log = logging.getLogger(__name__)

_FAREWELL_SECONDS: Final = 0.2
"""How long the last messages may take to get out."""


async def run(reactor: Any, settings: CgosServerSettings) -> None:
    """Serve until the reactor stops; raises `SettingFault` for what the user has to mend."""
    admin_password = settings.admin_password()
    game = settings.game.configure()
    store = ServerStore.open(Path(settings.database), game)
    sgf = None
    if settings.sgf is not None:
        sgf = SgfFolder(Path(settings.sgf), game, settings.name)
        sgf.restore(store)
    failing: Deferred[None] = Deferred()
    glue = _Glue(reactor, failing)
    outside = Outside(
        now=reactor.seconds,
        today=lambda: datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S"),
        soon=partial(reactor.callLater, 0.0, glue.guarded),
        sleep=partial(deferLater, reactor),
        aside=partial(deferToThreadPool, reactor, reactor.getThreadPool()),
        start=glue.start,
    )
    server = Server(settings, store, outside, admin_password, sgf)
    await listen(reactor, "listen", settings.listen, connections(reactor, server, glue.guarded))
    if settings.web is not None:
        await listen(reactor, "web", settings.web, web_site(server.lobby))
    glue.repeat(server.look, LOOK_SECONDS)
    glue.repeat(server.lobby.pair, settings.pairing.interval_seconds)
    reactor.addSystemEventTrigger("before", "shutdown", glue.stop, server)
    reactor.addSystemEventTrigger("after", "shutdown", _close, store)  # nobody asks any more
    await failing


class _Glue:
    """Joins the server to the reactor, and ends everything when the store fails."""

    def __init__(self, reactor: Any, failing: Deferred[None]) -> None:
        self._reactor = reactor
        self._failing = failing
        self._over = False

    def guarded(self, act: Callable[..., None], *arguments: Any) -> None:
        """Do something that may write, unless it is all over."""
        if self._over:
            return
        try:
            act(*arguments)
        except SettingFault:
            self._failed(Failure())

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Have something done that waits in between."""
        Deferred.fromCoroutine(work).addErrback(self._failed)

    def stop(self, server: Server) -> Deferred[None]:
        """Say good-bye, and give it some time to get out."""
        self.guarded(server.stop)
        self._over = True
        return deferLater(self._reactor, _FAREWELL_SECONDS)

    def repeat(self, act: Callable[[], None], seconds: float) -> None:
        """Do something again and again."""
        call = LoopingCall(self.guarded, act)
        call.clock = self._reactor
        call.start(seconds, now=False)

    def _failed(self, failure: Failure) -> None:
        """What cannot be written must not be told: better no server than that."""
        failure.trap(SettingFault)
        if not self._over:
            self._over = True
            self._failing.errback(failure)


def _close(store: ServerStore) -> None:
    try:
        store.close()
    except SettingFault as fault:
        _log.error("%s", fault)
