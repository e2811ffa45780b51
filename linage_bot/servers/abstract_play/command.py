"""`linage-bot connect abstract-play`: the bot from its settings to its end."""

from __future__ import annotations

import logging
import os
import signal
import time
from pathlib import Path
from typing import Any, Final

from twisted.internet.defer import Deferred

from linage_bot.servers.abstract_play.bot import Bot
from linage_bot.servers.abstract_play.desk import Desk
from linage_bot.servers.abstract_play.endpoint import Endpoint, web_site
from linage_bot.servers.abstract_play.settings import BotSettings, key_of
from linage_bot.servers.abstract_play.signatures import Verifier
from linage_bot.servers.abstract_play.site import Site
from linage_bot.servers.abstract_play.store import Store, StoreFault
from linage_bot.servers.listening import listen
from linage_bot.servers.settings import SettingFault

_log = logging.getLogger(__name__)

INTERRUPTED: Final = 130
_FINISHED: Final = "finished"
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


async def run(reactor: Any, settings: BotSettings) -> int:
    """Play until a signal comes and the move being thought about is sent; the exit status.

    A second signal ends it at once. Raises `SettingFault` for what the user has to mend.
    """
    secret = settings.site.secret()
    try:
        store = Store.open(Path(settings.state))
    except StoreFault as fault:
        raise SettingFault("state", str(fault)) from None
    try:
        site = Site(reactor, settings.site, secret)
        bot = Bot(reactor, settings, Desk(settings, store), site)
        verifier = Verifier(key_of(settings.site.public_key), store)
        endpoint = Endpoint(settings.path, verifier, bot.challenged, bot.wanted, time.time)
        port: Any = await listen(reactor, "listen", settings.listen, web_site(endpoint))
        first: Deferred[Any] = Deferred()
        second: Deferred[Any] = Deferred()
        reactor.callWhenRunning(_catch_signals, reactor, [first, second])
        bot.start()
        await first
        _log.info("finishing the current move; a second signal quits at once")
        await port.stopListening()
        finished = Deferred.fromCoroutine(bot.stop())
        finished.addBoth(_fire, second, _FINISHED)
        if await second != _FINISHED:
            bot.hurry()
            return INTERRUPTED
        return 0
    finally:
        store.close()


def _fire(_result: object, deferred: Deferred[Any], value: object) -> None:
    if not deferred.called:
        deferred.callback(value)


def _catch_signals(reactor: Any, signals: list[Deferred[Any]]) -> None:
    """Let each signal fire the next Deferred; a third one kills."""

    def caught(number: int, _frame: object) -> None:
        reactor.callFromThread(received, number)

    def received(number: int) -> None:
        if not signals:
            os._exit(128 + number)
        _fire(None, signals.pop(0), number)

    for number in _SIGNALS:
        signal.signal(number, caught)
