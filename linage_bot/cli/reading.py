"""Files of the user: functions that read records and write documents, with one-line errors."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from linage_bot.cli.options import UserError, choose_game
from linage_bot.rules.game import Game, Position
from linage_bot.settings.files import read_file, write_whole
from protocol.session.text import encode

if TYPE_CHECKING:
    from linage_bot.records.record import Record

STDIN = "-"

record_argument = click.argument(
    "file", metavar="FILE.sgf", type=click.Path(path_type=Path, allow_dash=True)
)
read_as_option = click.option(
    "--game", metavar="ID", help="Read a file that names no game of linage-bot as this game."
)


def shown(file: Path) -> str:
    """Return a file's name as error messages print it."""
    return "stdin" if str(file) == STDIN else str(file)


def read_bytes(file: Path, most_bytes: int) -> bytes:
    """Read a whole file, `-` for stdin; raise `UserError`, also if it is too long."""
    try:
        if str(file) != STDIN:
            return read_file(file, most_bytes)
        data = read_stdin(most_bytes + 1)
    except OSError as error:
        raise UserError(f"{shown(file)}: {error.strerror}") from None
    if len(data) > most_bytes:
        raise UserError(f"stdin: longer than {most_bytes >> 20} MiB")
    return data


def read_stdin(most_bytes: int = -1) -> bytes:
    """Read at most `most_bytes` of stdin, -1 for all; return no bytes if it is closed."""
    return b"" if sys.stdin is None else sys.stdin.buffer.read(most_bytes)


def read_games(file: Path) -> list[str]:
    """Read the SGF of each game in a file, `-` for stdin; raise `UserError`."""
    from linage_bot.records.parsing import LONGEST_SGF
    from linage_bot.records.reading import split_sgf
    from linage_bot.records.record import BadRecord

    data = read_bytes(file, LONGEST_SGF)
    try:
        return split_sgf(data, lambda line: warn(shown(file), line))
    except BadRecord as error:
        raise UserError(f"{shown(file)}: {error}") from None


def read_record(file: Path, default_game: Game | None) -> tuple[Record, tuple[Position, ...]]:
    """Read the first game in a file, `-` for stdin, and its positions; raise `UserError`."""
    from linage_bot.records.parsing import LONGEST_SGF

    return record_of(read_bytes(file, LONGEST_SGF), default_game, shown(file))


def record_of(
    sgf: bytes | str, default_game: Game | None, name: str
) -> tuple[Record, tuple[Position, ...]]:
    """Read a game and its positions; raise `UserError`. Messages call the game `name`."""
    from linage_bot.records.reading import from_sgf
    from linage_bot.records.record import BadRecord

    try:
        record = from_sgf(sgf, default_game, lambda line: warn(name, line))
        return record, record.history().positions
    except BadRecord as error:
        raise UserError(f"{name}: {error}") from None


def warn(name: str, line: str) -> None:
    """Print a line about a file to stderr."""
    click.echo(f"linage-bot: {name}: {line}", err=True)


def read_as(file: Path, name: str | None) -> tuple[Record, tuple[Position, ...]]:
    """Read a record as `read_record` does; `name` is the user's default game. Raise `UserError`."""
    return read_record(file, chosen(name))


def chosen(name: str | None) -> Game | None:
    """Return the game that the user has named, or None; raise `UserError`."""
    return None if name is None else choose_game(name, None, None, ())


def print_document(text: str) -> None:
    """Print a page, a drawing or JSON to stdout, in UTF-8 for any console, as in a file."""
    if sys.stdout is not None:  # closed
        sys.stdout.flush()
        sys.stdout.buffer.write(encode(text))
        sys.stdout.buffer.flush()


def write_text(file: Path, text: str) -> None:
    """Write a whole file or leave it unchanged; raise `UserError`."""
    write_bytes(file, encode(text))


def write_bytes(file: Path, content: bytes) -> None:
    """Write a whole file or leave it unchanged; raise `UserError`."""
    try:
        if file.exists() and not file.is_file():  # a device or a pipe is written to, not replaced
            file.write_bytes(content)
            return
        write_whole(file, content)
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}") from None


def write_texts(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files into a folder, which is created if needed; raise `UserError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}") from None
    for name, text in texts.items():
        write_text(folder / name, text)
