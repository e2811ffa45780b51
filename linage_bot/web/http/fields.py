"""Readers of the fields of requests: each returns a value of its type, or raises `HttpError`."""

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import attrs

from linage_bot.rules.game import LARGEST_KOMI, PASS, Player
from linage_bot.settings.playing import FULL_STRENGTH
from linage_bot.web.table.errors import ActionRefused, HttpError
from linage_bot.web.table.pie import PlayerKind

T = TypeVar("T")
AttrsT = TypeVar("AttrsT", bound=attrs.AttrsInstance)
_MOST = 1 << 31  # points of a board and changes of a tree are far fewer


def read_fields(kind: type[AttrsT], fields: Mapping[str, Any]) -> AttrsT:
    """Return the request of a class from a JSON object, by the types of the class's fields."""
    wanted = attrs.fields(kind)
    return kind(*(READERS[each.type](each.name, fields.get(each.name)) for each in wanted))


def read_secret(name: str, value: Any) -> str:
    """Return a secret. Raise `HttpError` unless it has 32 to 64 letters, digits, `_` or `-`."""
    if not re.fullmatch(r"[\w-]{32,64}", read_exactly(str, name, value), re.ASCII):
        raise HttpError(400, f"{name} must be a word of 32 to 64 letters and digits")
    return str(value)


def read_whole(name: str, value: Any, least: int = PASS, most: int = _MOST) -> int:
    """Return a whole number within bounds. Raise `HttpError`."""
    if not least <= read_exactly(int, name, value) <= most:
        raise HttpError(400, f"{name} must be a number from {least} to {most}")
    return int(value)


def read_exactly(kind: type[T], name: str, value: Any) -> T:
    """Return a value of exactly this type: in JSON `true` is not a number."""
    if type(value) is not kind:
        raise HttpError(400, f"{name} must be {_WORDS[kind]}")
    return value


def read_number(name: str, value: Any) -> float:
    """Return a number. Raise `HttpError`, or `ActionRefused` if it is larger than any komi."""
    if type(value) not in (int, float) or value != value:  # NaN does not equal itself
        raise HttpError(400, f"{name} must be a number")
    if not abs(value) <= LARGEST_KOMI:  # before the conversion: an int may be too large
        raise ActionRefused(f"{name} must be between -{LARGEST_KOMI} and {LARGEST_KOMI}")
    return float(value)


def read_player(name: str, value: Any) -> PlayerKind:
    """Return the level of an engine, or None for a person. Raise `HttpError`."""
    return None if value is None else read_whole(name, value, 0, FULL_STRENGTH)


_WORDS: dict[type, str] = {int: "a whole number", bool: "true or false", str: "text"}
READERS: dict[Any, Callable[[str, Any], Any]] = {
    int: read_whole,
    bool: partial(read_exactly, bool),
    str: partial(read_exactly, str),
    float: read_number,
    Player: lambda name, value: Player(read_whole(name, value, 0, 1)),
    PlayerKind: read_player,
}
