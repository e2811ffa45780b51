"""`linage-bot docs`: the documentation, read offline."""

import webbrowser
from pathlib import Path

import click

from linage_bot.cli.options import UserError

SITE = Path(__file__).with_name("site")  # in wheels of releases; docs/conf.py says how it is built


@click.command()
def docs() -> None:
    """Open the installed documentation in a browser.

    Its path is printed, too, for machines without a browser.
    """
    page = SITE / "index.html"
    if not page.is_file():
        raise UserError(
            "docs: no offline copy is installed; read the folder docs of the repository, or build "
            "the site there: pip install -e '.[docs]' && python -m sphinx docs linage_bot/cli/site"
        )
    click.echo(page)
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    browser.open(page.as_uri())
