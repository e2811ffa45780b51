"""`linage-bot serve cgos`."""

from pathlib import Path

import click

from linage_bot.cli.running import run_service


@click.command("cgos")
@click.argument("file", type=click.Path(path_type=Path))
def serve_cgos(file: Path) -> None:
    """Host the rating server that FILE.toml describes, for engines that speak CGOS.

    A signal stops it; live games go on at the next start. docs/servers.md tells everything.
    """
    from twisted.internet import reactor

    from linage_bot.servers.cgos_server.command import run
    from linage_bot.servers.cgos_server.settings import CgosServerSettings
    from protocol.serving import use_monotonic_time

    use_monotonic_time(reactor)
    run_service(file, CgosServerSettings, run)
