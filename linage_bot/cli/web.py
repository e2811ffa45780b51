"""`linage-bot web`: the board in a browser."""

import ipaddress
import os
import re
import webbrowser
from pathlib import Path
from typing import Any

import click

from linage_bot.cli.clusters import cluster_at, cluster_option, workers_option
from linage_bot.cli.given import given
from linage_bot.cli.network import local_address
from linage_bot.cli.options import (
    Integer,
    UserError,
    check_exposure,
    expose_option,
    game_options,
    play_options,
)
from linage_bot.cli.running import run_until
from linage_bot.rules.game import Game
from linage_bot.settings.playing import PlaySettings

_WHAT_OTHERS_CAN = (
    "all who see the address with its token can play and use this machine's processor"
)


def _checked_origin(_context: object, _option: object, value: str | None) -> str | None:
    """Return the origin as browsers send it, for comparison; raise `click.BadParameter`."""
    if value is None:
        return None
    scheme, separator, host = value.lower().removesuffix("/").partition("://")
    usual = {"http": ":80", "https": ":443"}
    if scheme not in usual or not separator or not re.fullmatch(r"[\w.-]+(:\d+)?", host, re.ASCII):
        raise click.BadParameter(f"{value!r} is not like https://board.example.org")
    return f"{scheme}://{host.removesuffix(usual[scheme])}"


@click.command()
@game_options
@click.option(
    "--port",
    type=Integer(0, 65535),
    default=8413,
    show_default=True,
    help="The TCP port to listen on; 0 for any free one.",
)
@click.option("--open", "open_browser", is_flag=True, help="Open the page in the browser.")
@play_options(
    "level",
    "visits",
    "seconds",
    "threads",
    "seed",
    level={
        "default": 4,
        "help": "Level preselected for the engine opponent, from 0 (random) to 27 (full strength).",
    },
    visits={"help": "Most search visits per move of the engine."},
    seconds={"default": 3.0, "help": "Most seconds per move of the engine."},
)
@click.option(
    "--listen",
    default="127.0.0.1",
    metavar="ADDRESS",
    show_default=True,
    help="The address to listen on; one that others can reach needs --expose.",
)
@expose_option
@click.option(
    "--games",
    "file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file in which games are stored; by default in the user's data folder.",
)
@click.option(
    "--origin",
    metavar="URL",
    callback=_checked_origin,
    help="Address of a reverse proxy before this server, such as https://board.example.org.",
)
@click.option(
    "--tables",
    type=Integer(1, 10_000),
    default=64,
    show_default=True,
    help="Most tables in memory at once; the others are stored on disk.",
)
@cluster_option
@workers_option
def web(
    game: Game,
    port: int,
    open_browser: bool,
    play: PlaySettings,
    listen: str,
    expose: bool,
    file: Path | None,
    origin: str | None,
    tables: int,
    cluster: str | None,
    workers: int,
) -> None:
    """Serve the board to a browser on this machine.

    The command prints the address to open. The address contains a secret token: browsers without
    it are refused.
    """
    address = _address(listen, expose)
    threads_chosen = given("threads")

    from twisted.internet.defer import Deferred
    from twisted.internet.error import CannotListenError
    from twisted.internet.threads import deferToThread

    from linage_bot.jobs.executor import Executor, ThreadExecutor
    from linage_bot.settings.checks import SettingFault
    from linage_bot.web.http.files import load_files
    from linage_bot.web.http.guard import Guard
    from linage_bot.web.http.site import Site, web_site
    from linage_bot.web.http.tables import TableRegistry
    from linage_bot.web.messages.events import send_changes, send_clock
    from linage_bot.web.thinking.scheduler import SearchScheduler
    from linage_bot.web.thinking.store import GameStore, usual_file

    executor: Executor

    async def serve(reactor: Any) -> None:
        scheduler = SearchScheduler(reactor, executor, send_changes, send_clock)
        factory = web_site(None, reactor)
        listening = reactor.listenTCP(port, factory, interface=address)
        store = GameStore.open(file or usual_file())
        registry = TableRegistry(reactor, play, scheduler, store, tables)
        port_bound = listening.getHost().port
        guard = Guard(store.token(), address, port_bound, origin, local_address())
        seats = (None, play.level)
        factory.resource = Site(guard, registry, reactor.callFromThread, load_files(), game, seats)
        scheduler.start()
        registry.start()
        reactor.addSystemEventTrigger("before", "shutdown", scheduler.stop)
        reactor.addSystemEventTrigger("after", "shutdown", store.close)
        where = origin or f"http://{_host(address)}:{guard.port}"
        url = f"{where}/?token={guard.token}"
        click.echo(url)
        if open_browser:
            reactor.callWhenRunning(deferToThread, _open, url)
        await Deferred()  # until a signal stops the reactor

    try:
        with cluster_at(cluster, workers, play.threads) as there:
            # One processor is left for the server, and for the browser if it runs here, too.
            at_once = max(1, ((os.cpu_count() or 2) - 1) // play.threads)
            executor = there or ThreadExecutor(at_once, most_each=1 if threads_chosen else at_once)
            run_until(serve)
    except SettingFault as fault:
        raise UserError(f"--{fault}; name another file with --games") from None
    except CannotListenError as error:
        from protocol.transport.listening import reason_of

        # Either may be the cause: a port in use, or an address of another machine.
        raise UserError(f"--listen {address} --port {port}: {reason_of(error)}") from None


def _address(text: str, expose: bool) -> str:
    """Return the address to listen on; raise `UserError`."""
    try:
        address = ipaddress.ip_address("127.0.0.1" if text == "localhost" else text)
    except ValueError:
        raise UserError(f"--listen: {text!r} is not an address such as 127.0.0.1 or ::1") from None
    check_exposure(str(address), expose, _WHAT_OTHERS_CAN)
    return str(address)


def _host(address: str) -> str:
    """Return the host part of a URL; for all interfaces, return the loopback address."""
    if ipaddress.ip_address(address).is_unspecified:
        return "[::1]" if ":" in address else "127.0.0.1"
    return f"[{address}]" if ":" in address else address


def _open(url: str) -> None:
    """Open the page in a browser, or say that there is none."""
    if not webbrowser.open(url):
        click.echo("--open: no browser can be opened here; open the address yourself", err=True)
