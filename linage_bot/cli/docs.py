"""`linage-bot docs`: the documentation, read offline."""

import webbrowser
from importlib import metadata
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
            f"docs: no offline copy is installed; read {_address()}, or build one in a copy of "
            "the repository: pip install -e '.[docs]' && python -m sphinx docs linage_bot/cli/site"
        )
    click.echo(page)
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    browser.open(page.as_uri())


def _address() -> str:
    """Return the address of the Markdown that the project's metadata names."""
    urls = metadata.metadata("linage-bot").get_all("Project-URL") or []
    addresses: dict[str, str] = dict(url.split(", ", 1) for url in urls)
    return addresses["Documentation"]
