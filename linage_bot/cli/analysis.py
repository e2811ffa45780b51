"""`linage-bot analysis`: an analysis server for other programs, on stdin and stdout or on TCP."""

import errno
import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar

import click

from linage_bot.cli.clusters import cluster_at, cluster_option
from linage_bot.cli.options import FiniteNumber, expose_option, play_options, rules_options
from linage_bot.cli.running import leave, serve_on, serve_stdio
from linage_bot.servers.analysis.settings import (
    DEFAULT_VISITS,
    PROOF_SECONDS,
    VIEWS,
    AnalysisSettings,
)
from linage_bot.settings.playing import PlaySettings

_WHAT_OTHERS_CAN = "every client that connects can use this machine's processor and memory"

_FEWEST: Final = 8  # the fewest positions of a client that are sent to a cluster at once

F = TypeVar("F", bound=Callable[..., Any])


_IGNORED: Final = ("-config", "-override-config", "-model", "-human-model", "-analysis-threads")


def _katago_options(function: F) -> F:
    """Add the options with which clients start KataGo; all but one have no meaning here."""
    for name in _IGNORED:
        ignored = click.option(
            name,
            multiple=True,
            expose_value=False,
            hidden=True,
            help="An option of KataGo; ignored.",
        )
        function = ignored(function)
    at_once = click.option(
        "-quit-without-waiting",
        "hurried",
        is_flag=True,
        hidden=True,
        help="As in KataGo: at the end of the input, drop unfinished queries.",
    )
    return at_once(function)


@click.command()
@rules_options
@play_options(
    "visits",
    "seconds",
    "threads",
    "nodes",
    "seed",
    "search",
    "solver",
    visits={"default": DEFAULT_VISITS, "help": "Most search visits per position."},
    seconds={"help": "Most seconds per position."},
    threads={"default": os.cpu_count() or 1, "help": "Positions to analyse at once."},
    seed={"help": "Makes answers repeatable (with --visits); then no search tree is reused."},
)
@click.option(
    "--report-as",
    "view",
    type=click.Choice(tuple(VIEWS)),
    default="black",
    show_default=True,
    help="The player whose win rates and scores are reported.",
)
@click.option(
    "--proof-seconds",
    type=FiniteNumber(min=0),
    help="Most seconds to prove a position, if a proof is likely in that time; 0 for none."
    f"  [default: {PROOF_SECONDS:g}; less if few visits are the only limit]",
)
@click.option(
    "--listen",
    metavar="ENDPOINT",
    help="Serve TCP: tcp:5002, tcp:5002:interface=…; this command's --visits, --seconds, --threads"
    " and --nodes are then the most that clients get.",
)
@expose_option
@cluster_option
@_katago_options
def analysis(
    rules: Mapping[str, Any] | None,
    play: PlaySettings,
    view: str,
    proof_seconds: float | None,
    listen: str | None,
    expose: bool,
    cluster: str | None,
    hurried: bool,
) -> None:
    """Answer queries about positions for other programs.

    The protocol is KataGo's JSON protocol, on stdin and stdout or on TCP, for all games and many
    positions at once. docs/analysis.md describes every field.

    Programs written for KataGo send rules of Go: use --game, --size, --komi and --set to choose
    the game that such rules mean. The options with which they start KataGo (-config FILE, -model
    FILE) are accepted and ignored.
    """
    from linage_bot.jobs.executor import ThreadExecutor
    from linage_bot.servers.analysis.analyst import GameAnalyst, position_queue
    from linage_bot.servers.analysis.engine_pool import FULL_TREES, ClientEngines, EnginePool
    from protocol.kata.server import AnalysisSession

    settings = AnalysisSettings(
        play=play, view=view, proof_seconds=proof_seconds, local=listen is None, rules=rules
    )
    with cluster_at(cluster, play.threads) as executor:
        at_once = play.threads
        new_engines = partial(ClientEngines, EnginePool(FULL_TREES * play.nodes))
        if executor is None:
            queue = position_queue(ThreadExecutor(at_once, most_each=at_once))
        else:
            # Enough that no worker waits for the next position, even one that joins soon.
            at_once = max(_FEWEST, 2 * sum(executor.ready(None).values()))
            queue, new_engines = position_queue(executor), partial(ClientEngines)

        def session(start: Callable[[Any], None]) -> AnalysisSession[Any]:
            analyst = GameAnalyst(settings, queue, new_engines)
            return AnalysisSession(
                analyst, start, at_once, on_close=analyst.close, waits=not hurried
            )

        if listen is None:
            error = serve_stdio(session)
            if error is not None and error.errno != errno.EPIPE:  # results are lost
                raise click.ClickException(f"stdout: {error.strerror}")
        else:
            serve_on(listen, session, expose, _WHAT_OTHERS_CAN)
    leave(0)
