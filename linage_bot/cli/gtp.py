"""`linage-bot gtp`: the engine on stdin and stdout, or on TCP."""

import sys
from functools import partial
from pathlib import Path

import click

from linage_bot.cli.options import (
    FiniteNumber,
    Integer,
    expose_option,
    game_options,
    needing,
    play_options,
)
from linage_bot.cli.running import leave, serve_on, serve_stdio
from linage_bot.rules.game import Game
from linage_bot.settings.network import EVALUATED_AT, MOST_VISITS, SHARE
from linage_bot.settings.playing import PlaySettings

_WHAT_OTHERS_CAN = "every client that connects can use this machine's processor and memory"


@click.command()
@game_options
@play_options()
@click.option(
    "--listen",
    metavar="ENDPOINT",
    help="Serve TCP: tcp:5001, tcp:5001:interface=…; this command's --visits, --seconds, --threads"
    " and --nodes are then the most that clients get.",
)
@expose_option
@click.option(
    "--network",
    "model",
    type=click.Path(path_type=Path),
    metavar="FILE.onnx",
    help="A neural network that helps the search, see docs/network.md.",
)
@click.option(
    "--network-share",
    "share",
    type=FiniteNumber(0, 1),
    default=SHARE,
    show_default=True,
    help="Share of the network in a visit's value; the rest is the playout's.",
)
@click.option(
    "--network-visits",
    "evaluated_at",
    type=Integer(1, MOST_VISITS),
    default=EVALUATED_AT,
    show_default=True,
    help="Visits at which the network evaluates a position.",
)
def gtp(
    game: Game,
    play: PlaySettings,
    listen: str | None,
    expose: bool,
    model: Path | None,
    share: float,
    evaluated_at: int,
) -> None:
    """Speak GTP on stdin and stdout, or on TCP."""
    if model is not None:
        with needing("network"):
            from linage_bot.engine.network import load_network  # imports NumPy

            play = play.changed(network=load_network(model, game, share, evaluated_at))
    from linage_bot.gtp import GtpEngine, commands
    from protocol.gtp.engine import EngineSession
    from protocol.session.answering import Start

    def session(start: Start) -> EngineSession[GtpEngine]:
        local = listen is None
        # A drawing for a GUI is written whole and flushed at once.
        draw = partial(print, end="", file=sys.stderr, flush=True) if local else None
        engine = GtpEngine(game, play, local=local, draw=draw)
        return EngineSession(commands, engine, start, on_close=engine.close)

    if listen is None:
        from linage_bot.cli.compiling import compiling_shown

        with compiling_shown(game):
            serve_stdio(session)
        leave(0)
    serve_on(listen, session, expose, _WHAT_OTHERS_CAN)
