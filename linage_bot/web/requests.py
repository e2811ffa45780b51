"""Requests of the page, from JSON to a table or an action. What is not as expected is `Refused`.

What a person may well ask for but cannot have, such as a board of 99 lines, is `Declined`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

import attrs

from linage_bot.records import BadRecord, Record, from_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.game import LARGEST_KOMI, PASS, BadOption, Game, Player
from linage_bot.web import actions
from linage_bot.web.errors import Declined, Refused, Unconfirmed
from linage_bot.web.links import from_link
from linage_bot.web.seats import HIGHEST_LEVEL, Seat
from linage_bot.web.table import Table

Fields = dict[str, Any]
T = TypeVar("T")

ACTIONS: dict[str, type[actions.Action]] = {
    "play": actions.Play,
    "undo": actions.Undo,
    "redo": actions.Redo,
    "resign": actions.Resign,
    "look": actions.Look,
    "play-on": actions.PlayOn,
    "pause": actions.Pause,
    "sit": actions.Sit,
    "offer": actions.OfferKomi,
    "choose": actions.TakeSide,
    "analyse": actions.ShowAnalysis,
}
"""What a page can do at a table, by the last word of the path; a body of JSON names the rest."""


def read_body(body: bytes) -> Fields:
    """The JSON object of a body."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not JSON") from None
    if not isinstance(fields, dict):
        raise Refused(400, "the body is not a JSON object")
    return fields


def read_action(word: str, fields: Fields) -> actions.Action:
    """The action of this name; its fields are read as their types say. Raises `Declined` too."""
    if word not in ACTIONS:
        raise Refused(404, "there is no such action")
    kind = attrs.resolve_types(ACTIONS[word])
    return kind(
        **{each.name: _READERS[each.type](fields, each.name) for each in attrs.fields(kind)}
    )


def read_table(fields: Fields) -> Table:
    """The table that a page asks for: a new game, a file or a link. Takes a while for long ones.

    Raises `Declined`, and `Unconfirmed` for a file with variations unless `mainLine` says that they
    may go.
    """
    seats = _seats(fields)
    try:
        if "sgf" in fields:
            data = _text(fields, "sgf").encode("utf-8", "replace")  # JSON can hold half a letter
            record = from_sgf(data)
            table = Table.of(record, seats)
            if record.variations and fields.get("mainLine") is not True:
                raise Unconfirmed(_about_variations(record.variations))
            return table
        if "link" in fields:
            return Table.of(from_link(_text(fields, "link")), seats)
    except BadRecord as error:
        raise Declined(str(error)) from None
    game = _game(fields)
    with_pie = fields.get("pie", False) is True and game.pie != "none"
    return Table.of(Record(game), seats, with_pie=with_pie)


def _about_variations(count: int) -> str:
    files, them = ("1 variation", "it") if count == 1 else (f"{count} variations", "them")
    return (
        f"Beside its main line this file has {files}. The page cannot keep {them}: only the main"
        f" line would open, and Save would write the game without {them}."
    )


def _game(fields: Fields) -> Game:
    name = _text(fields, "game")
    options = fields.get("options", {})
    if name not in GAMES:
        raise Refused(400, "there is no such game")
    if not isinstance(options, dict) or not all(isinstance(each, str) for each in options.values()):
        raise Refused(400, "options are words")
    komi = None if fields.get("komi") is None else _number(fields, "komi")
    try:
        return GAMES[name].configure(_text(fields, "size"), komi, options)
    except BadOption as error:
        raise Declined(str(error)) from None


def _seats(fields: Fields) -> tuple[Seat, Seat]:
    """First's and Second's; persons unless it is said."""
    levels = fields.get("seats", [None, None])
    if not isinstance(levels, list) or len(levels) != 2:
        raise Refused(400, "seats are two")
    return _seat_of(levels[0]), _seat_of(levels[1])


def _seat_of(level: Any) -> Seat:
    if level is not None and (type(level) is not int or not 1 <= level <= HIGHEST_LEVEL):
        raise Refused(400, f"a seat is null for a person, or a level from 1 to {HIGHEST_LEVEL}")
    return Seat(level)


def _field(fields: Fields, name: str, kind: type[T], words: str) -> T:
    """A field of exactly this type: in JSON `true` is no number."""
    value = fields.get(name)
    if type(value) is not kind:
        raise Refused(400, f"{name} must be {words}")
    return value


def _text(fields: Fields, name: str) -> str:
    return _field(fields, name, str, "text")


def _whole(fields: Fields, name: str) -> int:
    value = _field(fields, name, int, "a whole number")
    if not PASS <= value < _MOST:
        raise Refused(400, f"{name} must be a number from {PASS} to {_MOST - 1}")
    return value


def _truth(fields: Fields, name: str) -> bool:
    return _field(fields, name, bool, "true or false")


def _number(fields: Fields, name: str) -> float:
    value: Any = fields.get(name)
    if type(value) not in (int, float) or value != value:  # NaN is nothing, not even itself
        raise Refused(400, f"{name} must be a number")
    if not abs(value) <= LARGEST_KOMI:  # compared before it is made a fraction, if it can be one
        raise Declined(f"{name} must be between -{LARGEST_KOMI} and {LARGEST_KOMI}")
    return float(value)


def _player(fields: Fields, name: str) -> Player:
    value = _whole(fields, name)
    if value not in (0, 1):
        raise Refused(400, f"{name} is 0 or 1")
    return Player(value)


def _seat(fields: Fields, name: str) -> Seat:
    return _seat_of(fields.get(name))


_MOST = 1 << 16  # points of a board and moves of a game are far fewer
_READERS: dict[Any, Callable[[Fields, str], Any]] = {
    int: _whole,
    bool: _truth,
    float: _number,
    Player: _player,
    Seat: _seat,
}
