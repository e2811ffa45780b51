"""`linage-bot connect cgos`."""

import logging
import os
from pathlib import Path

import click

from linage_bot.cli.running import run_service


@click.command("cgos")
@click.argument("file", type=click.Path(path_type=Path))
def connect_cgos(file: Path) -> None:
    """Play on CGOS servers with the engines that FILE.toml describes.

    The first signal finishes the games, the second quits. docs/servers.md tells everything.
    """
    from twisted.internet import reactor

    from linage_bot.servers.cgos_client.command import run
    from linage_bot.servers.cgos_client.settings import ClientSettings
    from protocol.serving import use_monotonic_time

    use_monotonic_time(reactor)
    status = run_service(file, ClientSettings, run)
    logging.shutdown()
    os._exit(status or 0)
