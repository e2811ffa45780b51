"""`linage-bot match`: matches and tournaments between engines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from linage_bot.cli.clusters import cluster_option
from linage_bot.cli.options import F, UserError, needing
from linage_bot.cli.running import run_until

if TYPE_CHECKING:
    from linage_bot.match.report import TextReport
    from linage_bot.settings.match import MatchSettings

_OPTIONS: Final = (
    click.argument("file", type=click.Path(path_type=Path)),
    click.option(
        "--accept-changes",
        is_flag=True,
        help="Continue although FILE has changed since the first game.",
    ),
    click.option(
        "--report", metavar="DIR", help="Write an HTML page about all games to this folder."
    ),
    cluster_option,
)


def event_options(function: F) -> F:
    """Add FILE and the options; all but FILE are for `play`."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def play(
    event: MatchSettings,
    cluster: str | None,
    report_class: type[TextReport] | None = None,
    **how: Any,
) -> int | None:
    """Play an event here or on a cluster and return the exit status; raise `SettingFault`."""
    if cluster is None:
        from linage_bot.match.command import run

        return run_until(lambda reactor: run(reactor, event, report_class=report_class, **how))
    with needing("cluster"):
        from linage_bot.match.cluster import run_on_cluster
    return run_on_cluster(event, cluster, report_class=report_class, **how)


@click.command()
@event_options
def match(file: Path, **how: Any) -> None:
    """Play games between engines, as FILE.toml describes.

    After an interruption, run it again to play the missing games. docs/match.md describes every
    key of the file.
    """
    from linage_bot.settings.checks import SettingFault
    from linage_bot.settings.match import MatchSettings
    from linage_bot.settings.reading import load

    try:
        raise SystemExit(play(load(file, MatchSettings), **how))
    except SettingFault as fault:
        raise UserError(f"{file}: {fault}") from None
