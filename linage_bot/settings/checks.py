"""The common parts of all settings: the one class of fault, checks of values, and secrets.

A secret is never in a settings file: it comes from the environment or from a file of its own.
"""

from __future__ import annotations

import contextlib
import errno
import math
import numbers
import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from protocol.session.text import decode

PASSING_ERRNOS: Final = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)
"""The system's error numbers for a disk that is full, or fails."""

IN_FILES: Final = "in files"
"""The metadata of a field; False if files cannot have it, as for a function."""


class SettingFault(ValueError):
    """A wrong setting; `key` is its place in the file, or empty.

    A `passing` fault, such as a full disk, may be gone at the next start without any change.
    """

    def __init__(self, key: str, reason: str, passing: bool = False) -> None:
        super().__init__(key, reason, passing)  # all of it, so that it can be pickled
        self.key = key
        self.reason = reason
        self.passing = passing

    def __str__(self) -> str:
        return f"{self.key}: {self.reason}" if self.key else self.reason


@contextlib.contextmanager
def file_under(key: str, path: Path, other: str = "another program") -> Iterator[None]:
    """Raise `SettingFault` for an error of the system or SQLite with the file named by `key`.

    `other` names the program that may hold a lock on a database: "another server".
    """
    import sqlite3  # here, for the engine checks its settings without any database

    try:
        yield
    except OSError as error:
        reason, passing = error.strerror or str(error), error.errno in PASSING_ERRNOS
        raise SettingFault(key, f"{error.filename or path}: {reason}", passing) from None
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        reason = f"{other} is using it" if code == sqlite3.SQLITE_BUSY else str(error)
        passing = code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
        raise SettingFault(key, f"{path}: {reason}", passing) from None
    except UnicodeDecodeError:
        raise SettingFault(key, f"{path}: not UTF-8 text") from None
    except UnicodeEncodeError as error:
        raise SettingFault(key, unnameable(error)) from None


def unnameable(error: UnicodeEncodeError) -> str:
    """Return a message that the locale's encoding lacks a letter of a file name."""
    return (
        f"{error.object[:200]}: cannot be a file name in the locale's encoding {error.encoding};"
        " set LC_ALL=C.UTF-8"
    )


@attrs.frozen
class Secret:
    """A text that no message, log or traceback shows."""

    text: str = attrs.field(repr=False)

    def __str__(self) -> str:
        return "(secret)"


def read_secret(
    key: str, variable: str | None, file: str | None, environment: Mapping[str, str] = os.environ
) -> Secret:
    """Return the secret in an environment variable or, if none is named, in a file.

    `key` is the setting that names the file, without `_env` or `_file`. Raises `SettingFault` if
    there is no secret.
    """
    if variable is not None:
        text = environment.get(variable, "").strip()
        if not text:
            raise SettingFault(f"{key}_env", f"${variable} is not set")
        return Secret(text)
    assert file is not None  # `one_source` ensures that one of them is given
    with file_under(f"{key}_file", Path(file)):
        text = decode(Path(file).read_bytes()).strip()
    if not text:
        raise SettingFault(f"{key}_file", f"{file}: empty")
    return Secret(text)


def make_folder(key: str, folder: Path) -> None:
    """Create the folder named by `key` and check that files can be written to it.

    Raises `SettingFault`.
    """
    with file_under(key, folder):
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except (FileExistsError, NotADirectoryError) as error:
            raise SettingFault(key, f"{error.filename} is not a folder") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SettingFault(key, f"{folder}: not writable")


# ----------------------------------------------------------------------------- validators


def at_least(bound: float) -> Any:
    """Return a validator for numbers with a lower bound; None passes."""

    def check(_settings: object, _field: object, value: float | None) -> None:
        if value is not None:
            _check_number(value)
            if value < bound:
                raise ValueError(f"{value} is too small; the minimum is {bound}")

    return check


def check_whole(_settings: object, _field: object, value: Any) -> None:
    """Raise `ValueError` unless a value is a whole number; None passes."""
    if value is not None:
        _check_number(value, whole=True)


def check_switch(_settings: object, _field: object, value: Any) -> None:
    """Raise `ValueError` unless a value is True or False."""
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is not True or False")


def within(least: float, most: float) -> Any:
    """Return a validator for numbers with both bounds; None passes."""

    def check(_settings: object, _field: object, value: float | None) -> None:
        if value is not None:
            _check_kind(value)
            if not least <= value <= most:
                raise ValueError(f"{value} is not a number from {least} to {most}")

    return check


def limit(*, whole: bool = False, infinite: bool = False) -> Any:
    """Return a validator that calls `check_limit` with the field's name; None passes."""

    def check(_settings: object, field: attrs.Attribute[Any], value: Any) -> None:
        if value is not None and not (infinite and value == math.inf):
            check_limit(field.name, value, whole=whole)

    return check


def check_limit(name: str, value: Any, *, whole: bool = False, most: float | None = None) -> None:
    """Raise `ValueError`, with the name, unless a limit is a finite number from 0 up to `most`.

    A search with any other limit could continue for ever.
    """
    try:
        _check_number(value, whole=whole)
        if value < 0:
            raise ValueError(f"{value} is negative")
        if most is not None and value > most:
            raise ValueError(f"{value} is more than {most:g}")
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def _check_number(value: Any, *, whole: bool = False) -> None:
    _check_kind(value, whole=whole)
    if not -math.inf < value < math.inf:  # compared, as a whole number may be too large for a float
        raise ValueError(f"{value} is not a finite number")
    if whole and not isinstance(value, numbers.Integral):
        raise ValueError(f"{value!r} is not a whole number")


def _check_kind(value: Any, *, whole: bool = False) -> None:
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise ValueError(f"{value!r} is not a {'whole ' * whole}number")


def one_of(words: Collection[str]) -> Any:
    """Return a validator for a choice of words."""

    def check(_settings: object, _field: object, value: str) -> None:
        if value not in words:
            raise ValueError(f"{value!r} is none of {', '.join(words)}")

    return check


def check_text(_settings: object, _field: attrs.Attribute[Any], value: Any) -> None:
    """Raise `ValueError` unless a text is printable and not blank; None passes."""
    if value is not None and (not value.strip() or not value.isprintable()):
        raise ValueError(f"{value!r} is not a name")


def one_source(settings: object, field: attrs.Attribute[Any], value: str | None) -> None:
    """Raise `ValueError` unless one of `…_file` and `…_env` is given, and not both."""
    variable = f"{field.name.removesuffix('_file')}_env"
    if (value is None) == (getattr(settings, variable) is None):
        raise ValueError(f"give exactly one of {variable} and {field.name}")
