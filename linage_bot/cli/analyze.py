"""`linage-bot analyze`: a recorded game judged move by move."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from linage_bot.cli.options import UserError, play_options
from linage_bot.cli.reading import (
    STDIN,
    read_as,
    read_as_option,
    record_argument,
    shown,
    write_text,
)
from linage_bot.settings.playing import PlaySettings

if TYPE_CHECKING:
    from linage_bot.review.judging import Progress

_HEAD_BYTES = 1000  # of a page, in which it says who made it


@click.command()
@record_argument
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Write here instead; - is stdout."
)
@click.option("--json", "as_json", is_flag=True, help="Print the same facts as JSON instead.")
@play_options(
    "visits",
    "seconds",
    "threads",
    "seed",
    visits={"help": "Most visits a search.  [default: 50000]"},
    seconds={"help": "Most seconds a search."},
    seed={"default": 1, "help": "The same finds the same (with --visits and one thread)."},
)
@read_as_option
def analyze(
    file: Path, output: Path | None, as_json: bool, play: PlaySettings, game: str | None
) -> None:
    """Judge a recorded game and write an HTML report.

    The page goes to FILE.html beside FILE.sgf. It has graphs of win rate and score, the largest
    mistakes with diagrams, the phases, the exact endgame of Linage, and every move.
    Every position is searched, and the one after each best move: a game on 9x9 takes less than a
    minute on a quiet machine. docs/analyze.md says what the numbers mean.
    """
    from linage_bot.review import review

    record, _ = read_as(file, game)
    if not record.moves:
        raise UserError(f"{shown(file)}: a game without moves")
    target = output or (Path(STDIN) if as_json or str(file) == STDIN else _beside(file))
    _check(target, file)
    with _progress() as progress:
        found = review(record, play, progress)
    if as_json:
        from linage_bot.review.plain import to_json

        text = to_json(found) + "\n"
    else:
        from linage_bot.review.page import to_html

        text = to_html(found)
    if str(target) == STDIN:
        click.echo(text, nl=False)
    else:
        write_text(target, text)
        click.echo(f"Report: {target}", err=True)


def _beside(file: Path) -> Path:
    """The page's place unless the user names one; raises `UserError` if somebody else's is there.

    An earlier report is replaced: it can be made again.
    """
    from linage_bot.drawing.html import GENERATOR

    page = file.with_suffix(".html")
    try:
        with page.open("rb") as stream:
            head = stream.read(_HEAD_BYTES)
    except FileNotFoundError:
        return page
    except OSError as error:
        raise UserError(f"{page}: {error.strerror}") from None
    if GENERATOR.encode() not in head:
        raise UserError(f"{page} is there and no report of ours; name another file with -o")
    return page


def _check(target: Path, file: Path) -> None:
    """Find out before the work what would make it vain; raises `UserError`."""
    if str(target) == STDIN:
        return
    if target.exists() and file.exists() and target.samefile(file):
        raise UserError(f"-o: {target} is the record itself")
    if target.is_dir():
        raise UserError(f"{target}: Is a directory")
    if not os.access(target.parent, os.W_OK):
        there = target.parent.is_dir()
        raise UserError(f"{target.parent}: {'not writable' if there else 'no such folder'}")


@contextmanager
def _progress() -> Iterator[Progress]:
    """A bar on stderr while there is something to wait for; nothing where no terminal is."""
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
