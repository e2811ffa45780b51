"""What the settings of all servers and bots share: checks of values, and secrets.

A secret is never in a settings file: it comes from the environment or from a file of its own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from linage_bot.settings.disk import is_passing


class SettingFault(Exception):
    """A setting that turned out to be wrong when it was used; `key` is its place in the file.

    What is `passing` may be well at the next start, though nobody mends it: a disk that is full.
    """

    def __init__(self, key: str, reason: str, passing: bool = False) -> None:
        super().__init__(f"{key}: {reason}")
        self.key = key
        self.reason = reason
        self.passing = passing


@attrs.frozen
class Secret:
    """A text that no message, log or traceback shows."""

    text: str = attrs.field(repr=False)

    def __str__(self) -> str:
        return "(secret)"


def read_secret(
    key: str, variable: str | None, file: str | None, environment: Mapping[str, str] = os.environ
) -> Secret:
    """The secret in an environment variable or, if none is named, in a file.

    `key` is where the file is told of in the settings, without `_env` or `_file`. Raises
    `SettingFault` if there is no secret.
    """
    if variable is not None:
        text = environment.get(variable, "").strip()
        if not text:
            raise SettingFault(f"{key}_env", f"${variable} is not set")
        return Secret(text)
    assert file is not None  # the settings' validator sees to it that one of them is given
    try:
        text = Path(file).read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise SettingFault(f"{key}_file", f"{file}: {reason}") from None
    if not text:
        raise SettingFault(f"{key}_file", f"{file}: empty")
    return Secret(text)


def make_folder(key: str, folder: Path) -> None:
    """See that a folder told under `key` is there and takes files, before there are any to lose.

    Raises `SettingFault`.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise SettingFault(key, f"{error.filename} is not a folder") from None
    except OSError as error:
        reason = f"{error.filename}: {error.strerror}"
        raise SettingFault(key, reason, is_passing(error)) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SettingFault(key, f"{folder}: no files can be written there")


def at_least(bound: float) -> Any:
    """A validator for numbers; None passes."""

    def check(_settings: object, _field: object, value: float | None) -> None:
        if value is not None and value < bound:
            raise ValueError(f"{value} is too small: at least {bound}")

    return check


def within(least: float, most: float) -> Any:
    """A validator for numbers with both bounds; None passes."""

    def check(_settings: object, _field: object, value: float | None) -> None:
        if value is not None and not least <= value <= most:
            raise ValueError(f"{value} is not a number from {least} to {most}")

    return check


def check_text(_settings: object, _field: attrs.Attribute[Any], value: Any) -> None:
    """A validator for words that may not be empty; None passes."""
    if value is not None and (not value.strip() or not value.isprintable()):
        raise ValueError(f"{value!r} is not a name")
