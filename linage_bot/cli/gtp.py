"""`linage-bot gtp`: the engine on stdin and stdout, or on TCP."""

import logging
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import click

from linage_bot.cli.options import (
    UserError,
    check_exposure,
    expose_option,
    game_options,
    play_options,
)
from linage_bot.cli.running import leave, run_until
from linage_bot.rules.game import Game
from linage_bot.settings.playing import PlaySettings

_WHAT_OTHERS_CAN = "whoever can connect can play and use this machine's processor and memory"
_log = logging.getLogger(__name__)


@click.command()
@game_options
@play_options()
@click.option(
    "--listen",
    metavar="ENDPOINT",
    help="Serve TCP: tcp:5001, tcp:5001:interface=…; clients may ask for no more visits, seconds,"
    " threads and nodes than these options say.",
)
@expose_option
def gtp(game: Game, play: PlaySettings, listen: str | None, expose: bool) -> None:
    """Speak GTP on stdin and stdout, or on TCP."""
    from linage_bot.gtp import GtpEngine, commands
    from protocol.engine import EngineSession, Start

    def session(start: Start) -> EngineSession[GtpEngine]:
        local = listen is None
        # What is drawn for a GUI goes out whole and at once.
        draw = partial(print, end="", file=sys.stderr, flush=True) if local else None
        engine = GtpEngine(game, play, local=local, draw=draw)
        return EngineSession(commands, engine, start, on_close=engine.player.close)

    if listen is None:
        from linage_bot.cli.compiling import compiling_shown

        with compiling_shown(game):
            _serve_stdio(session)
    else:
        _serve_endpoint(listen, session, expose)


def _serve_stdio(session: Callable[..., Any]) -> None:
    # Twisted's reactor imports TLS if it can; without it `name` is answered 50 ms earlier.
    sys.modules.setdefault("OpenSSL", None)  # type: ignore[arg-type]  # so documented for imports

    from protocol.serving import serve_stdio

    run_until(lambda reactor: serve_stdio(reactor, session))
    leave(0)


def _serve_endpoint(description: str, session: Callable[..., Any], expose: bool) -> None:
    from twisted.internet.defer import Deferred

    from protocol.endpoints import BadEndpoint, check_server
    from protocol.listening import clear_faults, place
    from protocol.serving import serve_endpoint

    async def serve(reactor: Any) -> None:
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
        run_until(serve)
    except BadEndpoint as error:
        raise UserError(f"--listen: {error}") from None
