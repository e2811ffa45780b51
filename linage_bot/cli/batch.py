"""Reviews of many records, several at once, with one progress bar.

Each page is written as soon as it is ready.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import click

from linage_bot.cli.options import UserError
from linage_bot.cli.reading import (
    STDIN,
    print_document,
    read_games,
    record_of,
    shown,
    write_text,
)
from linage_bot.cli.reports import beside, check_target
from linage_bot.settings.playing import PlaySettings

if TYPE_CHECKING:
    from linage_bot.jobs.executor import Executor
    from linage_bot.jobs.queue import Job
    from linage_bot.records.record import Record
    from linage_bot.review.judging import Progress
    from linage_bot.review.writing import Form
    from linage_bot.rules.game import Game


@attrs.frozen
class GameFile:
    """A record to be judged, and the file for its report.

    `target` is None if the report has no file of its own. `index` is the record's number among
    several games in one file.
    """

    file: Path
    record: Record
    target: Path | None
    index: int | None = None

    @property
    def moves(self) -> int:
        """The number of moves in the record."""
        return len(self.record.moves)

    @property
    def origin(self) -> dict[str, object]:
        """The record's file, and its number in it if any, for the JSON report."""
        index = {} if self.index is None else {"index": self.index}
        return {"file": str(self.file), **index}


def files_of(paths: Iterable[Path]) -> list[Path]:
    """Return the named files, and for folders the SGF files in them at any depth, each once.

    Raise `UserError` for a folder without SGF files.
    """
    found: dict[Path, None] = {}
    for path in paths:
        inside = sorted(_games_in(path)) if path.is_dir() else [path]
        if not inside:
            raise UserError(f"{path}: no SGF file in this folder")
        found |= dict.fromkeys(inside)
    return list(found)


def _games_in(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.suffix.lower() == ".sgf" and file.is_file())


def judge_all(
    files: list[Path],
    output: Path | None,
    executor: Executor,
    *,
    as_json: bool,
    play: PlaySettings,
    default: Game | None,
    read: Mapping[Path, list[str]],
) -> None:
    """Judge all games in these files and write a report on each; `read` has files read earlier.

    Pages are written beside their records or to the folder `output`. JSON is written to the file
    `output` or to stdout, one line for each game. A game that cannot be judged is reported in one
    line, and the others are still judged. At the end raise `UserError` if there was such a game.
    """
    faults: list[UserError] = []
    jobs = list(_jobs(files, output, as_json=as_json, default=default, faults=faults, read=read))
    total = len(jobs) + len(faults)
    form: Form = "line" if as_json else "page"
    lines: list[str] = []
    with _bar(jobs) as bar:
        for fault in faults:
            bar.print(f"linage-bot: {fault}")
        for job, found in _judged(jobs, play, form, executor, bar):
            if isinstance(found, UserError):
                faults.append(found)
                bar.print(f"linage-bot: {_name(job.file, job.index)}: {found}")
            elif job.target is not None:
                write_text(job.target, found)
                bar.print(f"Report: {job.target}")
            elif output is None or str(output) == STDIN:
                print_document(found)
            else:
                lines.append(found)
    if lines and output is not None:
        write_text(output, "".join(lines))
        click.echo(f"Report: {output}", err=True)
    if faults:
        raise UserError(f"{len(faults)} of {total} games could not be reviewed")


def _jobs(
    files: list[Path],
    output: Path | None,
    *,
    as_json: bool,
    default: Game | None,
    faults: list[Any],
    read: Mapping[Path, list[str]],
) -> Iterator[GameFile]:
    """Yield the games to judge; add the errors in the files to `faults`."""
    if as_json:
        if output is not None:
            check_target(output, files)
    elif output is not None:
        _check_folder(output)
    targets: dict[Path, str] = {}
    for file in files:
        try:
            if str(file) == STDIN and len(files) > 1:
                raise UserError("stdin: cannot be one of several files; review it alone")
            games = read[file] if file in read else read_games(file)
        except UserError as fault:
            faults.append(fault)
            continue
        for index, sgf in enumerate(games, 1) if len(games) > 1 else ((None, games[0]),):
            name, target = _name(file, index), None
            try:
                record, _ = record_of(sgf, default, name)
                if not record.moves:
                    raise UserError(f"{name}: the game has no moves")
                if not as_json:
                    target = _page(file, index, len(games), output)
                    if targets.setdefault(target, name) != name:
                        reason = f"its report would replace the report on {targets[target]}"
                        raise UserError(f"{name}: {reason}")
            except UserError as fault:
                faults.append(fault)
            else:
                yield GameFile(file, record, target, index)


def _name(file: Path, index: int | None) -> str:
    """Return the name of a game in messages to the user."""
    return shown(file) if index is None else f"{shown(file)}: game {index}"


def _page(file: Path, index: int | None, games: int, output: Path | None) -> Path:
    """Return the path of a game's page, such as `games-02.html` of several; raise `UserError`."""
    if str(file) == STDIN:
        if output is None:
            raise UserError("-o: the pages of several games need a folder; name one, or add --json")
        file = Path("stdin.sgf")
    if index is not None:
        file = file.with_stem(f"{file.stem}-{index:0{len(str(games))}}")
    return beside(file if output is None else output / file.name)


def _check_folder(output: Path) -> None:
    if str(output) == STDIN:
        raise UserError("-o: the pages of several games need a folder; name one, or add --json")
    try:
        output.mkdir(exist_ok=True)
    except OSError as error:
        raise UserError(f"-o: {output}: {error.strerror}") from None
    if not os.access(output, os.W_OK):
        raise UserError(f"-o: {output}: not writable")


def review_job(
    record: Record,
    play: PlaySettings,
    form: Form,
    origin: Mapping[str, object],
    progress: Progress,
) -> Job[None, str]:
    """Return a job that reviews a game and writes the report."""
    from linage_bot.jobs.queue import Job

    def show(so_far: tuple[str, int, int]) -> None:
        progress(*so_far)

    work = partial(_reviewed, record, play, form, origin)
    return Job(None, work, record.game, report=show, parallel=True)


def _reviewed(
    record: Record,
    play: PlaySettings,
    form: Form,
    origin: Mapping[str, object],
    _stopped: threading.Event,
    report: Callable[[tuple[str, int, int]], None],
    processors: int,
) -> str:
    from linage_bot.review.writing import written_review

    return written_review(record, play, form, origin, lambda *so_far: report(so_far), processors)


def _judged(
    files: list[GameFile], play: PlaySettings, form: Form, executor: Executor, bar: _Shown
) -> Iterator[tuple[GameFile, str | UserError]]:
    """Yield each game as soon as it is done, with its report or the error in its record.

    Raise any other exception: it is a defect of this program.
    """
    from linage_bot.jobs.queue import run_all
    from linage_bot.records.record import BadRecord

    def progress(file: GameFile, doing: str, done: int, _total: int) -> None:
        if doing == "searching":
            bar.reached(file, done)

    jobs = {
        number: review_job(file.record, play, form, file.origin, partial(progress, file))
        for number, file in enumerate(files)
    }
    for number, found in run_all(executor, jobs):
        file = files[number]
        bar.reached(file, file.moves)
        if isinstance(found, str):
            yield file, found
        elif isinstance(found, BadRecord):
            yield file, UserError(str(found))
        else:
            raise found


class _Shown:
    """The progress of all games on a terminal, below the lines printed with `print`."""

    def __init__(self, console: Any, bars: Any, jobs: list[GameFile]) -> None:
        self._console = console
        self._bars = bars
        self._bar = bars.add_task("", total=sum(job.moves for job in jobs), games=len(jobs), done=0)
        self._reached: dict[str, int] = {}
        self._moves = {_name(job.file, job.index): job.moves for job in jobs}

    def reached(self, job: GameFile, done: int) -> None:
        """Set the number of searched positions of a game. May be called on any thread."""
        self._reached[_name(job.file, job.index)] = done
        finished = sum(self._reached.get(name, -1) == moves for name, moves in self._moves.items())
        self._bars.update(self._bar, completed=sum(self._reached.values()), done=finished)

    def print(self, words: str) -> None:
        """Print a line to stderr."""
        self._console.print(words, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def _bar(jobs: list[GameFile]) -> Iterator[_Shown]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.fields[done]} of {task.fields[games]} games"),
        BarColumn(),
        TextColumn("{task.completed:.0f}/{task.total:.0f} positions"),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bars:
        yield _Shown(console, bars, jobs)
