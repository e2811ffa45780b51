"""`linage-bot start`: a first demonstration that works on any machine."""

import webbrowser
from pathlib import Path

import click

from linage_bot.cli.match import match
from linage_bot.cli.web import web


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.pass_context
def start(context: click.Context, file: Path) -> None:
    """Open the board in a browser, or play a first match.

    If no browser can be opened, the engines that FILE.toml describes play the match.
    """
    try:
        webbrowser.get()
    except webbrowser.Error:
        click.echo(f"no browser can be opened here, so two engines play {file}", err=True)
        context.invoke(match, file=file)
    else:
        context.invoke(web, open_browser=True)
