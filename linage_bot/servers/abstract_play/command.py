"""The command `linage-bot connect abstract-play`: runs the bot until it is stopped."""

import logging
import time
from pathlib import Path
from typing import Any, Final

from twisted.internet.defer import Deferred

from linage_bot.jobs.executor import Executor
from linage_bot.servers.abstract_play.bot import Bot
from linage_bot.servers.abstract_play.endpoint import Endpoint, web_site
from linage_bot.servers.abstract_play.games import Games
from linage_bot.servers.abstract_play.settings import BotSettings
from linage_bot.servers.abstract_play.signatures import Verifier, read_key
from linage_bot.servers.abstract_play.site import SiteClient
from linage_bot.servers.abstract_play.store import BotStore
from linage_bot.servers.listening import listen
from linage_bot.servers.stopping import INTERRUPTED, catch_signals, fire_once

_log = logging.getLogger(__name__)

_FINISHED: Final = "finished"


async def run(reactor: Any, settings: BotSettings, executor: Executor | None = None) -> int:
    """Play until a signal comes and the searched moves are sent; return the exit status.

    A second signal ends it at once. Raise `SettingFault` for an error that the user can fix.
    """
    secret = settings.site.secret()
    store = BotStore(Path(settings.state))
    try:
        site = SiteClient(reactor, settings.site, secret)
        bot = Bot(reactor, settings, Games(settings, store), site, executor=executor)
        verifier = Verifier(read_key(settings.site.public_key), store.use)
        endpoint = Endpoint(settings.path, verifier, bot.challenged, bot.wanted, time.time)
        port: Any = await listen(reactor, "listen", settings.listen, web_site(endpoint))
        first: Deferred[Any] = Deferred()
        second: Deferred[Any] = Deferred()
        reactor.callWhenRunning(catch_signals, reactor, [first, second])
        bot.start()
        await first
        _log.info("finishing the current move; press Ctrl-C or send a signal again to stop at once")
        await port.stopListening()
        finished = Deferred.fromCoroutine(bot.stop())
        finished.addBoth(fire_once, second, _FINISHED)
        if await second != _FINISHED:
            bot.stop_searches()
            return INTERRUPTED
        return 0
    finally:
        store.close()
