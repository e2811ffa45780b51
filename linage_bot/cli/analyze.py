"""`linage-bot analyze`: a report on recorded games, move by move."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from linage_bot.cli.clusters import cluster_at, cluster_option
from linage_bot.cli.options import UserError, play_options
from linage_bot.cli.reading import (
    STDIN,
    chosen,
    print_document,
    read_as_option,
    read_games,
    record_of,
    shown,
    write_text,
)
from linage_bot.cli.reports import beside, check_target
from linage_bot.settings.playing import PlaySettings

if TYPE_CHECKING:
    from linage_bot.jobs.executor import Executor
    from linage_bot.review.judging import Progress
    from linage_bot.rules.game import Game


@click.command()
@click.argument(
    "files",
    metavar="FILE.sgf…",
    type=click.Path(path_type=Path, allow_dash=True),
    nargs=-1,
    required=True,
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The report's file, - for stdout; a folder for the pages of several games.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print JSON instead of a page; one line for each game if there are several.",
)
@play_options(
    "visits",
    "seconds",
    "threads",
    "seed",
    visits={"help": "Most visits per search.  [default: 50000]"},
    seconds={"help": "Most seconds per search."},
    seed={"default": 1, "help": "Makes reports repeatable (with --visits and one thread)."},
)
@read_as_option
@cluster_option
def analyze(
    files: tuple[Path, ...],
    output: Path | None,
    as_json: bool,
    play: PlaySettings,
    game: str | None,
    cluster: str | None,
) -> None:
    """Review recorded games in an HTML report on each.

    The report is written to FILE.html beside FILE.sgf. In a folder, all SGF files are reviewed;
    in a file with several games, all of them. The page shows graphs of win rate and score, the
    largest mistakes with diagrams, the phases, the exact endgame and every move. Every position is
    searched, and the position after each best move: a game of Linage on 9x9 takes less than a
    minute on an otherwise idle machine. docs/analyze.md explains the numbers.
    """
    from linage_bot.cli.batch import files_of, judge_all
    from linage_bot.jobs.executor import ThreadExecutor

    default = chosen(game)
    alone = len(files) == 1 and not files[0].is_dir()
    read = {files[0]: read_games(files[0])} if alone else {}
    games = read[files[0]] if alone else []
    at_once = max(1, (os.cpu_count() or 1) // play.threads)
    with cluster_at(cluster, 1 if len(games) == 1 else at_once) as there:
        executor = there or ThreadExecutor(at_once, most_each=at_once)
        how: dict[str, Any] = {"as_json": as_json, "play": play, "default": default}
        if len(games) == 1:
            _analyze_one(files[0], games[0], output, executor, **how)
        else:
            judge_all(files_of(files), output, executor, read=read, **how)


def _analyze_one(
    file: Path,
    sgf: str,
    output: Path | None,
    executor: Executor,
    *,
    as_json: bool,
    play: PlaySettings,
    default: Game | None,
) -> None:
    from linage_bot.cli.batch import review_job
    from linage_bot.jobs.queue import run_all

    record, _ = record_of(sgf, default, shown(file))
    if not record.moves:
        raise UserError(f"{shown(file)}: the game has no moves")
    target = output or (Path(STDIN) if as_json or str(file) == STDIN else beside(file))
    check_target(target, [file])
    with _progress() as progress:
        job = review_job(record, play, "json" if as_json else "page", {}, progress)
        ((_, text),) = run_all(executor, {file: job})
    if isinstance(text, Exception):
        raise text
    if str(target) == STDIN:
        print_document(text)
    else:
        write_text(target, text)
        click.echo(f"Report: {target}", err=True)


@contextmanager
def _progress() -> Iterator[Progress]:
    """Show a progress bar on stderr, if it is a terminal; yield the function that updates it."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    shown = console.is_terminal
    with Bars(*columns, console=console, transient=True, disable=not shown) as bars:
        bar = bars.add_task("")

        def show(doing: str, done: int, total: int) -> None:
            if doing != bars.tasks[bar].description:
                bars.reset(bar)
            bars.update(bar, description=doing, completed=done, total=total)

        yield show
