"""Requests of the page, from JSON to a course or an action. What is not as expected is `Refused`.

What a person may well ask for but cannot have, such as a board of 99 lines, is `Declined`.
"""

import datetime
import inspect
import json
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import attrs

from linage_bot.records import BadRecord, Record, study_from_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.game import LARGEST_KOMI, PASS, BadOption, Game, Player
from linage_bot.web.course import HIGHEST_LEVEL, Course, Seat
from linage_bot.web.errors import Declined, Refused
from linage_bot.web.links import from_link

Fields = dict[str, Any]
T = TypeVar("T")
_MOST = 1 << 31  # points of a board and changes of a tree are far fewer

ACTIONS = (
    *("play", "undo", "redo", "resign", "look", "play-on", "pause", "sit", "offer", "choose"),
    *("promote", "delete", "comment", "analyse", "review"),
)
"""What a page can do at a table, by the last word of the path: a method of the course.

A body of JSON names its arguments.
"""


def read_body(body: bytes) -> Fields:
    """The JSON object of a body."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not JSON") from None
    if not isinstance(fields, dict):
        raise Refused(400, "the body is not a JSON object")
    return fields


def read_action(word: str, fields: Fields) -> partial[Course]:
    """What has this name; its arguments are read as their types say. Raises `Declined` too."""
    if word not in ACTIONS:
        raise Refused(404, "there is no such action")
    method = getattr(Course, word.replace("-", "_"))
    wanted = list(inspect.signature(method, eval_str=True).parameters.values())[1:]
    return partial(
        method,
        **{
            each.name: _READERS[each.annotation](each.name, fields.get(each.name))
            for each in wanted
            if each.kind is not each.KEYWORD_ONLY  # what a person is not asked
        },
    )


def read_course(fields: Fields) -> Course:
    """The game that a page asks for: a new game, a file or a link. Takes a while for long ones.

    Raises `Declined`.
    """
    levels = fields.get("seats", [None, None])
    if not isinstance(levels, list) or len(levels) != 2:
        raise Refused(400, "seats are two")
    seats = _seat("seats", levels[0]), _seat("seats", levels[1])
    try:
        if "sgf" in fields:
            sgf = _exactly(str, "sgf", fields["sgf"])
            # JSON can hold half a letter.
            return Course.of(study_from_sgf(sgf.encode("utf-8", "replace")), seats)
        if "link" in fields:
            return Course.of(_begun(from_link(_exactly(str, "link", fields["link"]))), seats)
    except BadRecord as error:
        raise Declined(str(error)) from None
    game = _game(fields)
    with_pie = fields.get("pie", False) is True and game.pie != "none"
    return Course.of(_begun(Record(game)), seats, with_pie=with_pie)


def _begun(record: Record) -> Record:
    """A game that is begun here and now."""
    today = datetime.date.today().isoformat()
    return attrs.evolve(record, players=("person", "person"), date=today)


def _game(fields: Fields) -> Game:
    name, komi, options = fields.get("game"), fields.get("komi"), fields.get("options", {})
    if not isinstance(name, str) or name not in GAMES:
        raise Refused(400, "there is no such game")
    if not isinstance(options, dict) or not all(isinstance(each, str) for each in options.values()):
        raise Refused(400, "options are words")
    komi = None if komi is None else _number("komi", komi)
    try:
        return GAMES[name].configure(_exactly(str, "size", fields.get("size")), komi, options)
    except BadOption as error:
        raise Declined(str(error)) from None


def _whole(name: str, value: Any, least: int = PASS, most: int = _MOST) -> int:
    if not least <= _exactly(int, name, value) <= most:
        raise Refused(400, f"{name} must be a number from {least} to {most}")
    return int(value)


def _exactly(kind: type[T], name: str, value: Any) -> T:
    """A value of this type and no other: in JSON `true` is no number."""
    if type(value) is not kind:
        raise Refused(400, f"{name} must be {_WORDS[kind]}")
    return value


def _number(name: str, value: Any) -> float:
    if type(value) not in (int, float) or value != value:  # NaN is nothing, not even itself
        raise Refused(400, f"{name} must be a number")
    if not abs(value) <= LARGEST_KOMI:  # compared before it is made a fraction, if it can be one
        raise Declined(f"{name} must be between -{LARGEST_KOMI} and {LARGEST_KOMI}")
    return float(value)


def _seat(name: str, value: Any) -> Seat:
    return None if value is None else _whole(name, value, 1, HIGHEST_LEVEL)


_WORDS: dict[type, str] = {int: "a whole number", bool: "true or false", str: "text"}
_READERS: dict[Any, Callable[[str, Any], Any]] = {
    int: _whole,
    bool: partial(_exactly, bool),
    str: partial(_exactly, str),
    float: _number,
    Player: lambda name, value: Player(_whole(name, value, 0, 1)),
    Seat: _seat,
}
