"""`linage-bot connect`, `serve` and `abstract-play-…`: clients and hosts of game servers."""

from __future__ import annotations

import functools
import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import click

from linage_bot.cli.clusters import cluster_at, cluster_option, workers_option
from linage_bot.cli.options import Integer, OneLineErrors, UserError, needing, play_options
from linage_bot.cli.reading import read_bytes, read_stdin, shown, write_texts
from linage_bot.cli.running import leave, run_service
from linage_bot.engine.limits import Limits
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.playing import PlaySettings

if TYPE_CHECKING:
    pass

_log = logging.getLogger(__name__)

_LONGEST_ARCHIVE = 64 << 20  # bytes: some 20,000 games

_folder = click.Path(path_type=Path, file_okay=False)
_file_argument = click.argument("file", type=click.Path(path_type=Path))


@click.group(cls=OneLineErrors)
def connect() -> None:
    """Play on a game server."""


@connect.command("abstract-play")
@_file_argument
@cluster_option
@workers_option
def connect_abstract_play(file: Path, cluster: str | None, workers: int) -> None:
    """Play Linage on Abstract Play as the bot that FILE.toml describes.

    Press Ctrl-C once to finish the current move and stop, twice to stop at once.
    docs/abstract-play.md has all details.
    """
    with needing("servers"):
        from linage_bot.servers.abstract_play.command import run
        from linage_bot.servers.abstract_play.settings import BotSettings

    with cluster_at(cluster, workers) as executor:
        play = functools.partial(run, executor=executor)
        status = run_service(file, BotSettings, play)
    leave(status)


@connect.command("cgos")
@_file_argument
def connect_cgos(file: Path) -> None:
    """Play on CGOS servers with the engines that FILE.toml describes.

    Press Ctrl-C once to finish the current games and stop, twice to stop at once. docs/cgos.md has
    all details.
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

    Press Ctrl-C to stop it; its games resume at the next start. docs/cgos-server.md has all
    details.
    """
    from linage_bot.servers.cgos_server.command import run
    from linage_bot.servers.cgos_server.settings import CgosServerSettings

    run_service(file, CgosServerSettings, run)


@click.command("abstract-play-move")
@play_options("visits", "seconds", "threads", "seed", "resign_rate")
@click.option(
    "--explain", is_flag=True, help="Print the position in the site's notation and in ours."
)
def abstract_play_move(play: PlaySettings, explain: bool) -> None:
    """Print the move to send in a game of Abstract Play.

    The game is read from stdin as JSON: a state, a webhook, a response to `get_game`, or
    {"variants": [], "moves": []}. With --explain the move is the last line. No move is printed if
    the game is over.
    """
    from linage_bot.engine.engine import Engine
    from linage_bot.servers.abstract_play.decision import BotMoveChooser
    from linage_bot.servers.abstract_play.explain import explain as explained
    from linage_bot.servers.abstract_play.payloads import read_game
    from linage_bot.servers.abstract_play.position import BadGame, Phase

    try:
        site = read_game(read_stdin()).position()
    except (SettingFault, BadGame) as error:
        raise UserError(f"stdin: {error}") from None
    if explain:
        click.echo(explained(site))
    if site.phase is Phase.OVER:
        _log.info("the game is over")
        return
    choice = BotMoveChooser(Engine(play), Limits.of(play), threading.Event()).choose(site)
    _log.info("%s: %s", choice.word, choice.reason)
    click.echo(choice.word)


@click.command("abstract-play-games")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option("--sgf", type=_folder, metavar="DIR", help="Write the games to this folder.")
@click.option("--openings", type=_folder, metavar="DIR", help="Write the openings to this folder.")
@click.option(
    "--stones",
    type=Integer(1, 40),
    default=6,
    show_default=True,
    help="Number of stones in an opening.",
)
def abstract_play_games(file: Path, sgf: Path | None, openings: Path | None, stones: int) -> None:
    """Convert the games that Abstract Play publishes.

    FILE.json is the site's list of games; - is stdin. With --sgf each game becomes a file for
    `linage-bot analyze`. With --openings the first stones of each game become a line for
    `[openings]` of `linage-bot match`, in one file for each board size and line length. Without
    either option the games are only counted. docs/abstract-play.md describes where to find the
    file.
    """
    from linage_bot.records.writing import to_sgf
    from linage_bot.servers.abstract_play.archive import Archived, openings_of, read_archive

    try:
        entries = list(read_archive(read_bytes(file, _LONGEST_ARCHIVE)))
    except SettingFault as error:
        raise UserError(f"{shown(file)}: {error}") from None
    games = [entry for entry in entries if isinstance(entry, Archived)]
    for entry in entries:
        if not isinstance(entry, Archived):
            _log.warning("%s", entry)
    lists = openings_of((game.record for game in games), stones)
    if sgf is not None:
        write_texts(sgf, {f"{game.id}.sgf": to_sgf(game.record) for game in games})
    if openings is not None:
        head = f"# Openings of games on Abstract Play: their first {stones} stones."
        texts = {f"{name}.txt": "\n".join((head, *lines, "")) for name, lines in lists.items()}
        write_texts(openings, texts)
    count = sum(map(len, lists.values()))
    skipped = len(entries) - len(games)
    click.echo(f"games: {len(games)}, openings: {count}, skipped: {skipped}")
