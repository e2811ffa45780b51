"""`linage-bot connect cgos`."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import click

from linage_bot.cli.options import UserError
from linage_bot.cli.running import run_until


@click.command("cgos")
@click.argument("file", type=click.Path(path_type=Path))
def connect_cgos(file: Path) -> None:
    """Play on CGOS servers with the engines that FILE.toml describes.

    The first signal finishes the games, the second quits. docs/servers.md tells everything.
    """
    from twisted.internet import reactor
    from twisted.internet.defer import Deferred

    from linage_bot.config import ConfigError, load
    from linage_bot.servers.cgos_client.command import run
    from linage_bot.servers.cgos_client.settings import ClientSettings
    from linage_bot.servers.settings import SettingFault
    from protocol.transports import use_monotonic_time

    use_monotonic_time(reactor)
    try:
        status = run_until(Deferred.fromCoroutine(run(reactor, load(file, ClientSettings))))
    except ConfigError as error:
        raise UserError(str(error)) from None
    except SettingFault as fault:
        raise UserError(f"{file}: {fault}") from None
    logging.shutdown()
    os._exit(status or 0)
