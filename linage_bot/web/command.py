"""`linage-bot web`: the board in a browser, from the address it prints to its end."""

import ipaddress
import os
import secrets
import webbrowser
from collections.abc import Callable
from typing import Any

import attrs
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThread
from twisted.web.resource import Resource

from linage_bot.rules.game import Game
from linage_bot.settings.playing import PlaySettings
from linage_bot.web.files import load_files
from linage_bot.web.guard import Guard
from linage_bot.web.rooms import Rooms
from linage_bot.web.site import Site, web_site
from linage_bot.web.turns import Turns


@attrs.frozen(kw_only=True)
class WebSettings:
    """Where to listen, what to propose, and how engines think. The level is the seat's."""

    game: Game
    level: int
    agent: PlaySettings
    address: str
    port: int  # 0: any that is free
    open_browser: bool = False


async def run(reactor: Any, settings: WebSettings, tell: Callable[[str], None]) -> None:
    """Serve until a signal comes; `tell` gets the address to open, once it can be opened.

    Raises `CannotListenError`.
    """
    # One processor is left for answering, and for the browser if it is on this machine.
    at_once = max(1, ((os.cpu_count() or 2) - 1) // settings.agent.threads)
    rooms = Rooms(reactor, settings.agent, Turns(reactor, at_once))
    factory = web_site(Resource(), reactor)
    port = reactor.listenTCP(settings.port, factory, interface=settings.address)
    guard = Guard(secrets.token_urlsafe(24), settings.address, port.getHost().port)
    seats = (None, settings.level)
    # Nobody is let in before this function returns, so the empty resource is never seen.
    factory.resource = Site(guard, rooms, deferToThread, load_files(), settings.game, seats)
    rooms.start()
    reactor.addSystemEventTrigger("before", "shutdown", rooms.stop)
    address = f"http://{_host(settings.address)}:{guard.port}/?token={guard.token}"
    tell(address)
    if settings.open_browser:
        reactor.callWhenRunning(deferToThread, webbrowser.open, address)
    await Deferred()


def _host(address: str) -> str:
    """As it stands in an address; all interfaces are reached by the loopback, too."""
    if ipaddress.ip_address(address).is_unspecified:
        return "[::1]" if ":" in address else "127.0.0.1"
    return f"[{address}]" if ":" in address else address
