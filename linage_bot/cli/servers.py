"""`linage-bot connect`, `serve` and `abstract-play-move`: at game servers, and hosting one."""

import logging
import sys
import threading
from pathlib import Path

import click

from linage_bot.cli.options import OneLineErrors, UserError, needing, play_options
from linage_bot.cli.running import leave, run_service
from linage_bot.engine.limits import Limits
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.playing import PlaySettings

_log = logging.getLogger(__name__)

_file_argument = click.argument("file", type=click.Path(path_type=Path))


@click.group(cls=OneLineErrors)
def connect() -> None:
    """Play on a game server."""


@connect.command("abstract-play")
@_file_argument
def connect_abstract_play(file: Path) -> None:
    """Play Linage on Abstract Play as the bot that FILE.toml describes.

    The first signal finishes the move, the second quits. docs/servers.md tells everything.
    """
    with needing("servers"):
        from linage_bot.servers.abstract_play.command import run
        from linage_bot.servers.abstract_play.settings import BotSettings

    leave(run_service(file, BotSettings, run))


@connect.command("cgos")
@_file_argument
def connect_cgos(file: Path) -> None:
    """Play on CGOS servers with the engines that FILE.toml describes.

    The first signal finishes the games, the second quits. docs/servers.md tells everything.
    """
    from linage_bot.servers.cgos_client.command import run
    from linage_bot.servers.cgos_client.settings import ClientSettings

    leave(run_service(file, ClientSettings, run))


@click.group(cls=OneLineErrors)
def serve() -> None:
    """Host a game server."""


@serve.command("cgos")
@_file_argument
def serve_cgos(file: Path) -> None:
    """Host the rating server that FILE.toml describes, for engines that speak CGOS.

    A signal stops it; live games go on at the next start. docs/servers.md tells everything.
    """
    from linage_bot.servers.cgos_server.command import run
    from linage_bot.servers.cgos_server.settings import CgosServerSettings

    run_service(file, CgosServerSettings, run)


@click.command("abstract-play-move")
@play_options("visits", "seconds", "threads", "seed", "resign_rate")
@click.option("--explain", is_flag=True, help="Print the position as the site and as we see it.")
def abstract_play_move(play: PlaySettings, explain: bool) -> None:
    """Print the move to send in a game of Abstract Play.

    The game is read from stdin as JSON: a state, a webhook, an answer to `get_game`, or
    {"variants": [], "moves": []}.
    With --explain the move is the last line. Nothing is printed when the game is over.
    """
    from linage_bot.engine.engine import Engine
    from linage_bot.servers.abstract_play.decision import Chooser
    from linage_bot.servers.abstract_play.explain import explain as explained
    from linage_bot.servers.abstract_play.payloads import read_game
    from linage_bot.servers.abstract_play.position import BadGame, Phase

    try:
        site = read_game(sys.stdin.buffer.read()).position()
    except (SettingFault, BadGame) as error:
        raise UserError(f"stdin: {error}") from None
    if explain:
        click.echo(explained(site))
    if site.phase is Phase.OVER:
        _log.info("the game is over")
        return
    choice = Chooser(Engine(play), Limits.of(play), threading.Event()).choose(site)
    _log.info("%s: %s", choice.word, choice.reason)
    click.echo(choice.word)
