"""Requests of the page, from JSON to calls of a session. What is not as expected is `Refused`.

What a person may well ask for but cannot have, such as an illegal move, is `Declined`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeVar

from linage_bot.engine.engine import AgentSettings
from linage_bot.records import BadRecord, Record, from_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.game import LARGEST_KOMI, PASS, BadOption, Game, Player
from linage_bot.web.course import Course
from linage_bot.web.errors import Declined, Refused, Unconfirmed
from linage_bot.web.links import from_link
from linage_bot.web.seats import HIGHEST_LEVEL, Seat
from linage_bot.web.session import Session

Fields = dict[str, Any]
T = TypeVar("T")
_PERSONS = (Seat(), Seat())


def read_body(body: bytes) -> Fields:
    """The JSON object of a body."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "the body is not JSON") from None
    if not isinstance(fields, dict):
        raise Refused(400, "the body is not a JSON object")
    return fields


def new_session(fields: Fields, settings: AgentSettings) -> Session:
    """The session that a page asks for: a new game, a file or a link.

    Raises `Unconfirmed` for a file with variations unless `mainLine` says that they may go.
    """
    seats = _seats(fields["seats"]) if "seats" in fields else _PERSONS
    try:
        if "sgf" in fields:
            data = _text(fields, "sgf").encode("utf-8", "replace")  # JSON can hold half a letter
            record = from_sgf(data)
            session = Session(Course.of(record), seats, settings)
            if record.variations and fields.get("mainLine") is not True:
                raise Unconfirmed(_about_variations(record.variations))
            return session
        if "link" in fields:
            return Session(Course.of(from_link(_text(fields, "link"))), seats, settings)
    except BadRecord as error:
        raise Declined(str(error)) from None
    game = _game(fields)
    with_pie = fields.get("pie", False) is True and game.pie != "none"
    return Session(Course.of(Record(game)), seats, settings, with_pie=with_pie)


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


def _seats(value: object) -> tuple[Seat, Seat]:
    if not isinstance(value, list) or len(value) != 2:
        raise Refused(400, "seats are two")
    return _seat(value[0]), _seat(value[1])


def _seat(value: object) -> Seat:
    if value is None:
        return Seat()
    if type(value) is not int or not 1 <= value <= HIGHEST_LEVEL:
        raise Refused(400, f"a seat is null for a person, or a level from 1 to {HIGHEST_LEVEL}")
    return Seat(value)


def _field(fields: Fields, name: str, kind: type[T], words: str) -> T:
    """A field of exactly this type: in JSON `true` is no number."""
    value = fields.get(name)
    if type(value) is not kind:
        raise Refused(400, f"{name} must be {words}")
    return value


def _text(fields: Fields, name: str) -> str:
    return _field(fields, name, str, "text")


def _whole(fields: Fields, name: str) -> int:
    return _field(fields, name, int, "a whole number")


def _truth(fields: Fields, name: str) -> bool:
    return _field(fields, name, bool, "true or false")


def _number(fields: Fields, name: str) -> float:
    value: Any = fields.get(name)
    if type(value) not in (int, float) or value != value:  # NaN is nothing, not even itself
        raise Refused(400, f"{name} must be a number")
    if not abs(value) <= LARGEST_KOMI:  # compared before it is made a fraction, if it can be one
        raise Declined(f"{name} must be between -{LARGEST_KOMI} and {LARGEST_KOMI}")
    return float(value)


def _player(fields: Fields) -> Player:
    value = _whole(fields, "player")
    if value not in (0, 1):
        raise Refused(400, "player is 0 or 1")
    return Player(value)


def _play(session: Session, fields: Fields) -> None:
    move = _whole(fields, "move")
    columns_and_rows = session.game.board.columns * session.game.board.rows
    if not PASS <= move < columns_and_rows:
        raise Refused(400, "there is no such point")
    session.play(move, _whole(fields, "number"))


def _analyse(session: Session, fields: Fields) -> None:
    on, ownership = _truth(fields, "on"), _truth(fields, "ownership")
    session.notebook.on, session.notebook.ownership = on, ownership
    session.trouble = None


ACTIONS: dict[str, Callable[[Session, Fields], None]] = {
    "play": _play,
    "undo": lambda session, _: session.undo(),
    "redo": lambda session, _: session.redo(),
    "resign": lambda session, _: session.resign(),
    "look": lambda session, fields: session.look(_whole(fields, "at")),
    "play-on": lambda session, _: session.play_on(),
    "pause": lambda session, fields: session.pause(_truth(fields, "on")),
    "sit": lambda session, fields: session.sit(_player(fields), _seat(fields.get("level"))),
    "offer": lambda session, fields: session.offer_komi(_number(fields, "komi")),
    "choose": lambda session, fields: session.choose_side(_player(fields)),
    "analyse": _analyse,
}
"""What a page can do at a table, by the last word of the path; a body of JSON names the rest."""
