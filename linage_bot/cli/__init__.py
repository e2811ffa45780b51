"""The command line, a module for each group of commands.

Each command imports most of its modules when it runs, so that `gtp` starts at once.
"""

import logging
import sys

import click

from linage_bot.cli import (
    analysis,
    analyze,
    docs,
    games,
    gtp,
    ladder,
    match,
    picture,
    servers,
    solve,
    start,
    ugi,
    web,
)
from linage_bot.cli.options import OneLineErrors


def _show_version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from linage_bot.cli.about import version_text

        click.echo(version_text())
        context.exit()


@click.group(
    cls=OneLineErrors,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version, the commit, and whether compiled code is included.",
)
@click.option("-v", "--verbose", is_flag=True, help="Log more to stderr.")
def main(verbose: bool) -> None:
    """Play, analyze and solve Linage and related games."""
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.DEBUG if verbose else logging.INFO,
        format="linage-bot: %(message)s",
    )
    for library in ("numba", "matplotlib"):  # they log their own internals
        logging.getLogger(library).setLevel(logging.WARNING)


def _be_verbose(_context: click.Context, _parameter: click.Parameter, verbose: bool) -> None:
    if verbose:
        logging.getLogger().setLevel(logging.DEBUG)


def _take_verbose(command: click.Command) -> None:
    """Accept `-v` after a command's name, too, so that users can add it anywhere in a line."""
    command.params.append(
        click.Option(
            ["-v", "--verbose"],
            is_flag=True,
            expose_value=False,
            callback=_be_verbose,
            help="Log more to stderr.",
        )
    )
    if isinstance(command, click.Group):
        for each in command.commands.values():
            _take_verbose(each)


for command in (
    gtp.gtp,
    ugi.ugi,
    match.match,
    ladder.ladder,
    web.web,
    start.start,
    solve.solve,
    analyze.analyze,
    analysis.analysis,
    picture.picture,
    servers.abstract_play_move,
    servers.abstract_play_games,
    servers.connect,
    servers.serve,
    games.games,
    games.perft,
    games.bench,
    games.warm,
    docs.docs,
):
    main.add_command(command)
for command in main.commands.values():
    _take_verbose(command)
