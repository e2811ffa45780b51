"""`--cluster`: where a command's work goes, if not to this process."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import click

from linage_bot.cli.options import UserError, needing

if TYPE_CHECKING:
    from linage_bot.engine.cluster import Crew

cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Use the workers of a Dask cluster, tcp://HOST:8786, or of a local one.",
)


workers_option = click.option(
    "--workers",
    type=click.IntRange(1, 1024),
    default=os.cpu_count() or 1,
    show_default=True,
    help="Of `--cluster local`.",
)


@contextmanager
def crew_at(address: str | None, workers: int) -> Iterator[Crew | None]:
    """Those who think at the address, `workers` of them if it is `local`; None if it is None.

    Raises `UserError`.
    """
    if address is None:
        yield None
        return
    from linage_bot.settings.checks import SettingFault

    with needing("cluster"):
        from linage_bot.engine.cluster import ClusterGone, Crew, connected
    try:
        with connected(address, workers) as client, closing(Crew(client)) as crew:
            yield crew
    except SettingFault as fault:
        raise UserError(str(fault)) from None
    except ClusterGone as gone:
        raise UserError(f"--cluster: {gone}") from None
