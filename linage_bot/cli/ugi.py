"""`linage-bot ugi`: the engine on stdin and stdout, with the UGI protocol."""

from typing import TYPE_CHECKING

import click

from linage_bot.cli.options import game_options, play_options
from linage_bot.cli.running import leave, serve_stdio
from linage_bot.rules.game import Game
from linage_bot.settings.playing import PlaySettings

if TYPE_CHECKING:
    from protocol.session.answering import Start
    from protocol.ugi.engine import UgiSession


@click.command()
@game_options
@play_options("visits", "seconds", "threads", "nodes", "seed", "level", "search", "solver")
def ugi(game: Game, play: PlaySettings) -> None:
    """Speak UGI on stdin and stdout.

    UGI is the protocol of cutegames; docs/ugi.md describes it. The options here set the initial
    values of the options that `setoption` changes.
    """
    from linage_bot.cli.compiling import compiling_shown
    from linage_bot.ugi import UgiEngine
    from protocol.ugi.engine import UgiSession

    def session(start: "Start") -> "UgiSession":
        engine = UgiEngine(game, play)
        return UgiSession(engine, start, on_close=engine.player.close)

    with compiling_shown(game):
        serve_stdio(session)
    leave(0)
