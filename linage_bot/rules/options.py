"""The options of a game that users can set, and their values as text.

A game declares its options with `option`, as fields of its class.
"""

from __future__ import annotations

from typing import Any

import attrs


class BadOption(ValueError):
    """A size, komi or option that the game does not have."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name}: {reason}")
        self.name = name
        self.reason = reason


def shortened(text: str) -> str:
    """Return a user's text, shortened to at most 60 characters for a message."""
    return text if len(text) <= 60 else f"{text[:57]}..."


@attrs.frozen
class Option:
    """An option of a game: its default, its help text and its permitted values."""

    default: int | str | bool
    help: str
    choices: tuple[str, ...] = ()
    minimum: int = 0
    maximum: int = 0

    @property
    def values(self) -> str:
        """The permitted values, in words."""
        if isinstance(self.default, bool):
            return "on or off"
        if self.choices:
            return " or ".join(self.choices)
        return f"{self.minimum} to {self.maximum}"

    def parse(self, name: str, text: str) -> int | str | bool:
        """Return the value that a user wrote as `text`; raises `BadOption`."""
        word = text.strip().lower()
        if isinstance(self.default, bool):
            if word in ("on", "true", "1"):
                return True
            if word in ("off", "false", "0"):
                return False
        elif self.choices:
            if word in self.choices:
                return word
        elif word.isascii() and word.isdigit() and len(word) < 6:
            value = int(word)
            if self.minimum <= value <= self.maximum:
                return value
        raise BadOption(name, f"{shortened(text)!r} is not one of its values: {self.values}")


def option(
    default: int | str | bool,
    help: str,  # noqa: A002 - the word of argparse and click
    choices: tuple[str, ...] = (),
    minimum: int = 0,
    maximum: int = 0,
) -> Any:
    """Return a field of a `Game` class that users can set; the game checks it when created."""
    declared = Option(default, help, choices, minimum, maximum)

    def check(_game: object, field: attrs.Attribute[Any], value: Any) -> None:
        if type(value) is not type(default):
            raise BadOption(field.name, f"{value!r} is not one of its values: {declared.values}")
        declared.parse(field.name, format_option(value))

    return attrs.field(
        default=default, validator=check, metadata={"option": declared}, kw_only=True
    )


def format_option(value: int | str | bool) -> str:
    """Return an option's value in the form that `Option.parse` reads."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
