"""`linage-bot match`: matches and tournaments between engines."""

from pathlib import Path

import click

from linage_bot.cli.options import UserError, needing
from linage_bot.cli.running import run_until


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--accept-changes",
    is_flag=True,
    help="Go on although FILE was changed since the event began.",
)
@click.option("--report", metavar="DIR", help="Write an HTML page about all games there.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on the workers of a Dask cluster, tcp://HOST:8786, or on a local one.",
)
def match(file: Path, accept_changes: bool, report: str | None, cluster: str | None) -> None:
    """Play the engine-vs-engine games of FILE.toml.

    Started again, it plays what is missing. docs/match.md describes every key of the file.
    """
    from linage_bot.settings.checks import SettingFault
    from linage_bot.settings.match import MatchSettings
    from linage_bot.settings.reading import load

    try:
        settings = load(file, MatchSettings)
        if cluster is None:
            from linage_bot.match.command import run

            status = run_until(
                lambda reactor: run(reactor, settings, accept_changes=accept_changes, report=report)
            )
        else:
            with needing("cluster"):
                from linage_bot.match.cluster import run_on_cluster

            status = run_on_cluster(settings, cluster, None, accept_changes, report)
    except SettingFault as fault:
        raise UserError(f"{file}: {fault}") from None
    raise SystemExit(status)
