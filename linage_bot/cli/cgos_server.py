"""`linage-bot serve cgos`."""

from __future__ import annotations

from pathlib import Path

import click

from linage_bot.cli.options import UserError
from linage_bot.cli.running import run_until


@click.command("cgos")
@click.argument("file", type=click.Path(path_type=Path))
def serve_cgos(file: Path) -> None:
    """Host the rating server that FILE.toml describes, for engines that speak CGOS.

    A signal stops it; live games go on at the next start. docs/servers.md tells everything.
    """
    from twisted.internet import reactor
    from twisted.internet.defer import Deferred

    from linage_bot.config import ConfigError, load
    from linage_bot.servers.cgos_server.command import run
    from linage_bot.servers.cgos_server.settings import ServerSettings
    from linage_bot.servers.settings import SettingFault
    from protocol.transports import use_monotonic_time

    try:
        settings = load(file, ServerSettings)
        use_monotonic_time(reactor)
        run_until(Deferred.fromCoroutine(run(reactor, settings)))
    except ConfigError as error:
        raise UserError(str(error)) from None
    except SettingFault as fault:
        raise UserError(f"{file}: {fault}") from None
