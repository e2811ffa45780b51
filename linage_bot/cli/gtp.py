"""`linage-bot gtp`: the engine on stdin and stdout, or on TCP."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from typing import Any

import click

from linage_bot.cli.exposure import check_exposure
from linage_bot.cli.options import (
    Seconds,
    UserError,
    game_options,
    resign_option,
    resign_rate,
    threads_option,
)
from linage_bot.cli.running import run_until
from linage_bot.engine.limits import MOST_NODES
from linage_bot.rules.game import Game

_WHAT_OTHERS_CAN = "whoever can connect can play and use this machine's processor and memory"
_log = logging.getLogger(__name__)


@click.command()
@game_options
@click.option("--visits", type=click.IntRange(1), help="Most visits a move.")
@click.option("--seconds", type=Seconds(0), help="Most seconds a move.")
@threads_option
@click.option(
    "--nodes",
    type=click.IntRange(1 << 15, 10**9),
    default=MOST_NODES,
    show_default=True,
    help="Most positions in memory; one takes 72 bytes.",
)
@click.option("--seed", type=click.IntRange(0), help="Makes play repeatable (with --visits).")
@resign_option
@click.option(
    "--level",
    type=click.IntRange(1, 10),
    default=10,
    show_default=True,
    help="From a beginner to full strength.",
)
@click.option("--ponder", is_flag=True, help="Think while the opponent does.")
@click.option(
    "--search",
    type=click.Choice(["rave", "uct"]),
    default="rave",
    show_default=True,
    help="The tree search; uct is the plain one, for comparison.",
)
@click.option(
    "--solver",
    type=click.Choice(["on", "off"]),
    default="on",
    show_default=True,
    help="Let proofs end a game, and in Linage what is known of regions guide the search.",
)
@click.option(
    "--listen",
    metavar="ENDPOINT",
    help="Serve TCP: tcp:5001, tcp:5001:interface=…; clients may ask for no more visits, seconds,"
    " threads and nodes than these options say.",
)
@click.option("--expose", is_flag=True, help="Let --listen name an address others can reach.")
def gtp(
    game: Game,
    visits: int | None,
    seconds: float | None,
    threads: int,
    nodes: int,
    seed: int | None,
    resign: str,
    level: int,
    ponder: bool,
    search: str,
    solver: str,
    listen: str | None,
    expose: bool,
) -> None:
    """Speak GTP on stdin and stdout, or on TCP."""
    from linage_bot.engine.engine import AgentSettings
    from linage_bot.gtp import COMMANDS, GtpEngine
    from linage_bot.gtp.bounds import Bounds
    from protocol.engine import EngineSession, Start

    settings = AgentSettings(
        visits,
        seconds,
        threads,
        seed,
        resign_rate(resign),
        search,
        ponder,
        level,
        solver == "on",
        nodes,
    )

    def session(start: Start) -> EngineSession[GtpEngine]:
        if listen is None:
            engine = GtpEngine(game, settings, draw=_draw)
        else:
            engine = GtpEngine(game, settings, may_use_files=False, bounds=Bounds(settings))
        return EngineSession(COMMANDS, engine, start, on_close=engine.close)

    if listen is None:
        _serve_stdio(session)
    else:
        _serve_endpoint(listen, session, expose)


def _draw(text: str) -> None:
    """What is drawn for a GUI goes out whole and at once."""
    sys.stderr.write(text)
    sys.stderr.flush()


def _serve_stdio(session: Callable[..., Any]) -> None:
    # Twisted's reactor imports TLS if it can; without it `name` is answered 50 ms earlier.
    sys.modules.setdefault("OpenSSL", None)  # type: ignore[arg-type]  # so documented for imports

    from twisted.internet import reactor

    from protocol.serving import serve_stdio, use_monotonic_time

    use_monotonic_time(reactor)
    run_until(serve_stdio(reactor, session))
    # A thread may still be compiling what nobody waits for any more; leave without it.
    logging.shutdown()
    os._exit(0)


def _serve_endpoint(description: str, session: Callable[..., Any], expose: bool) -> None:
    from twisted.internet import reactor
    from twisted.internet.defer import Deferred

    from protocol.endpoints import BadEndpoint, check_server
    from protocol.listening import clear_faults, place
    from protocol.serving import serve_endpoint, use_monotonic_time

    use_monotonic_time(reactor)

    async def serve() -> None:
        with clear_faults(description):
            check_server(description)
            port = await serve_endpoint(reactor, description, session)
        # Nobody has been let in yet: that takes the reactor, which is here.
        host = getattr(port.getHost(), "host", None)  # a socket of the file system has none
        if host is not None:
            check_exposure(host, expose, _WHAT_OTHERS_CAN)
        _log.info("listening on %s", place(port))
        await Deferred()  # until a signal stops the reactor

    try:
        run_until(Deferred.fromCoroutine(serve()))
    except BadEndpoint as error:
        raise UserError(f"--listen: {error}") from None
