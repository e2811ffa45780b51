"""`linage-bot web`: the board in a browser, from the address it prints to its end."""

import ipaddress
import os
import secrets
import webbrowser
from collections.abc import Callable
from typing import Any

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


async def run(
    reactor: Any,
    *,
    game: Game,
    play: PlaySettings,
    address: str,
    port: int,
    open_browser: bool,
    tell: Callable[[str], None],
) -> None:
    """Serve until a signal comes; `tell` gets the address to open, once it can be opened.

    `game` and an engine of the level in `play` are proposed; port 0 is any that is free. Raises
    `CannotListenError`.
    """
    # One processor is left for answering, and for the browser if it is on this machine.
    at_once = max(1, ((os.cpu_count() or 2) - 1) // play.threads)
    turns = Turns(reactor, at_once)
    rooms = Rooms(reactor, play, turns)
    factory = web_site(Resource(), reactor)
    listening = reactor.listenTCP(port, factory, interface=address)
    guard = Guard(secrets.token_urlsafe(24), address, listening.getHost().port)
    seats = (None, play.level)
    # Nobody is let in before this function returns, so the empty resource is never seen.
    factory.resource = Site(guard, rooms, deferToThread, load_files(), game, seats)
    rooms.start()
    reactor.addSystemEventTrigger("before", "shutdown", turns.stop)
    url = f"http://{_host(address)}:{guard.port}/?token={guard.token}"
    tell(url)
    if open_browser:
        reactor.callWhenRunning(deferToThread, webbrowser.open, url)
    await Deferred()


def _host(address: str) -> str:
    """As it stands in an address; all interfaces are reached by the loopback, too."""
    if ipaddress.ip_address(address).is_unspecified:
        return "[::1]" if ":" in address else "127.0.0.1"
    return f"[{address}]" if ":" in address else address
