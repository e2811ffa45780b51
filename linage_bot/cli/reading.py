"""Files that a command is given, game records above all: read, or refused in one line."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from linage_bot.cli.options import UserError, choose_game
from linage_bot.rules.game import Game, Position
from linage_bot.settings.files import read_file, write_whole

if TYPE_CHECKING:
    from linage_bot.records import Record

STDIN = "-"

record_argument = click.argument(
    "file", metavar="FILE.sgf", type=click.Path(path_type=Path, allow_dash=True)
)
read_as_option = click.option(
    "--game", metavar="ID", help="The game of a file that names none of ours."
)


def shown(file: Path) -> str:
    """A file's name as errors tell it."""
    return "stdin" if str(file) == STDIN else str(file)


def read_bytes(file: Path, most_bytes: int) -> bytes:
    """All of a file, `-` for stdin; raises `UserError`, for one that is too long as well."""
    try:
        if str(file) != STDIN:
            return read_file(file, most_bytes)
        data = sys.stdin.buffer.read(most_bytes + 1)
    except OSError as error:
        raise UserError(f"{shown(file)}: {error.strerror}") from None
    if len(data) > most_bytes:
        raise UserError(f"stdin: longer than {most_bytes >> 20} MiB")
    return data


def read_record(file: Path, default_game: Game | None) -> tuple[Record, tuple[Position, ...]]:
    """The game in a file, `-` for stdin, with its positions; raises `UserError`."""
    from linage_bot.records import LONGEST_SGF, BadRecord, from_sgf, read_sgf

    try:
        if str(file) == STDIN:
            record = from_sgf(sys.stdin.buffer.read(LONGEST_SGF + 1), default_game)
        else:
            record = read_sgf(file, default_game)
        return record, record.history().positions
    except OSError as error:
        raise UserError(f"{shown(file)}: {error.strerror}") from None
    except BadRecord as error:
        raise UserError(f"{shown(file)}: {error}") from None


def read_as(file: Path, name: str | None) -> tuple[Record, tuple[Position, ...]]:
    """As `read_record`, where the user has perhaps named the game; raises `UserError`."""
    return read_record(file, None if name is None else choose_game(name, None, None, ()))


def write_text(file: Path, text: str) -> None:
    """Write a whole file or none; raises `UserError`."""
    write_bytes(file, text.encode())


def write_bytes(file: Path, content: bytes) -> None:
    """Write a whole file or none; raises `UserError`."""
    try:
        if file.exists() and not file.is_file():  # a device or a pipe is written to, not replaced
            file.write_bytes(content)
            return
        write_whole(file, content)
    except OSError as error:
        raise UserError(f"{file}: {error.strerror}") from None


def write_texts(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files into a folder, which is made if need be; raises `UserError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder}: {error.strerror}") from None
    for name, text in texts.items():
        write_text(folder / name, text)
