"""The command line, a module for each group of commands.

A command's module is imported when the command is used, and most other modules when it runs, so
that `gtp` starts at once.
"""

import importlib
import logging
import sys
from collections.abc import Iterator, Mapping

import click

from linage_bot.cli.options import OneLineErrors


def _show_version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        from linage_bot.cli.about import version_text

        click.echo(version_text())
        context.exit()


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


_MODULES = {
    "gtp": "gtp",
    "ugi": "ugi",
    "match": "match",
    "ladder": "ladder",
    "web": "web",
    "start": "start",
    "solve": "solve",
    "analyze": "analyze",
    "analysis": "analysis",
    "picture": "picture",
    "abstract-play-move": "servers",
    "abstract-play-games": "servers",
    "connect": "servers",
    "serve": "servers",
    "games": "games",
    "perft": "games",
    "bench": "games",
    "warm": "games",
    "docs": "docs",
}
"""The module of each command."""


class _Commands(Mapping[str, click.Command]):
    """The commands by name, each imported when it is wanted."""

    def __init__(self) -> None:
        self._imported: dict[str, click.Command] = {}

    def __getitem__(self, name: str) -> click.Command:
        if name not in self._imported:
            module = importlib.import_module(f"linage_bot.cli.{_MODULES[name]}")
            command: click.Command = getattr(module, name.replace("-", "_"))
            _take_verbose(command)
            self._imported[name] = command
        return self._imported[name]

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


@click.group(
    cls=OneLineErrors,
    commands=_Commands(),
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
