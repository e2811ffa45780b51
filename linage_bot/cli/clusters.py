"""`--cluster`: the option that runs the work of a command on a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from linage_bot.cli.options import Integer, UserError, needing

if TYPE_CHECKING:
    from linage_bot.jobs.executor import Executor

cluster_option = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Use the workers of a Dask cluster at tcp://HOST:8786, or of a new one: local.",
)


workers_option = click.option(
    "--workers",
    type=Integer(1, 1024),
    default=os.cpu_count() or 1,
    show_default=True,
    help="Number of workers of `--cluster local`.",
)


@contextmanager
def cluster_at(address: str | None, workers: int, threads: int = 1) -> Iterator[Executor | None]:
    """Yield an executor on the cluster at an address; None if there is no address.

    `workers` is the size of a `local` cluster, and `threads` are the threads of a worker that a job
    uses. Raise `UserError` if there is no cluster.
    """
    if address is None:
        yield None
        return
    from linage_bot.settings.checks import SettingFault

    with needing("cluster"):
        from linage_bot.jobs.cluster import connected
    from linage_bot.jobs.cluster_executor import ClusterExecutor
    from linage_bot.jobs.executor import ClusterGone

    try:
        with connected(address, workers) as client:
            yield ClusterExecutor(client, threads)
    except SettingFault as fault:
        raise UserError(str(fault)) from None
    except ClusterGone as gone:
        raise UserError(f"--cluster: {gone}") from None
