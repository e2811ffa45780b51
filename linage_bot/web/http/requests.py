"""Parsers of the page's requests, from JSON to a game or an action. Errors are `HttpError`.

A request that is well-formed but cannot be met, such as one for a board of 99 lines, raises
`ActionRefused`.
"""

import base64
import datetime
import json
import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import attrs

from linage_bot.records import BadRecord, Record, study_from_sgf
from linage_bot.rules import GAMES
from linage_bot.rules.game import LARGEST_KOMI, PASS, Game, Player
from linage_bot.rules.options import BadOption
from linage_bot.settings.match import ClockSettings
from linage_bot.settings.playing import FULL_STRENGTH
from linage_bot.web.table import controls
from linage_bot.web.table.actions import ACTIONS, PageAction
from linage_bot.web.table.errors import ActionRefused, HttpError, check
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.links import from_link
from linage_bot.web.table.pie import PlayerKind
from linage_bot.web.table.seats import Seat, Seats, hashed
from linage_bot.web.table.view import View
from linage_bot.web.thinking.questions import Answer, Asked
from linage_bot.web.thinking.session import Session

Fields = dict[str, Any]
T = TypeVar("T")
FRIEND = "friend"  # in place of a level, for the person who opens the link
_MOST_MAIN_SECONDS = 2 * 3600  # of a clock,
_MOST_MOVE_SECONDS = 600  # of an increment or a period
_MOST_PERIODS = 100
_MOST = 1 << 31  # points of a board and changes of a tree are far fewer


def read_body(body: bytes) -> Fields:
    """Return the JSON object in a body."""
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        raise HttpError(400, "the body is not JSON") from None
    if not isinstance(fields, dict):
        raise HttpError(400, "the body is not a JSON object")
    return fields


def read_action(word: str, fields: Fields) -> PageAction:
    """Return the named action, with fields of its types. May raise `ActionRefused`, too."""
    kind = ACTIONS.get(word)
    if kind is None:
        raise HttpError(404, "there is no such action")
    wanted = attrs.fields(kind)
    return kind(*(_READERS[each.type](each.name, fields.get(each.name)) for each in wanted))


def read_view(words: Mapping[bytes, list[bytes]]) -> View:
    """Return a page's view from the query of an address."""

    def number(name: bytes) -> int:
        found = words.get(name, [b""])[0]
        return int(found) if found.isdigit() and len(found) < 10 else 0

    at = number(b"at")
    analysing, ownership = (number(name) > 0 for name in (b"analyse", b"ownership"))
    return View(at if b"at" in words else None, analysing, ownership)


def read_question(word: str, fields: Fields) -> Callable[[Session], Answer | Asked]:
    """Return a page's question: a hint, or the loss of a move."""
    at = _whole("at", fields.get("at"))
    if word == "hint":
        return lambda session: session.advice(at)
    move = _whole("move", fields.get("move"))
    return lambda session: session.loss(at, move)


def read_game(fields: Fields, warn: Callable[[str], object] | None = None) -> TableGame:
    """Return the requested game: a new one, a file, its text or a link.

    This is slow for long games. `warn` is called with each oddity of a file. Raise `ActionRefused`.
    """
    levels = fields.get("seats", [None, None])
    if not isinstance(levels, list) or len(levels) != 2:
        raise HttpError(400, "seats are two")
    seats = _seats(levels, fields) if FRIEND in levels else None
    first, second = (None if level == FRIEND else _player("seats", level) for level in levels)
    pace = _number("pace", fields.get("pace", 0))
    game = controls.pace(_read_game(fields, (first, second), warn), pace)
    return attrs.evolve(game, seats=seats)


def _read_game(
    fields: Fields, players: tuple[PlayerKind, PlayerKind], warn: Callable[[str], object] | None
) -> TableGame:
    try:
        if "file" in fields:
            return TableGame.of(study_from_sgf(_bytes("file", fields["file"]), warn=warn), players)
        if "sgf" in fields:
            text = _exactly(str, "sgf", fields["sgf"])
            return TableGame.of(study_from_sgf(text, warn=warn), players)
        if "link" in fields:
            return TableGame.of(_begun(from_link(_exactly(str, "link", fields["link"]))), players)
    except BadRecord as error:
        raise ActionRefused(str(error)) from None
    rules = _rules(fields)
    with_pie = fields.get("pie", False) is True and rules.pie != "none"
    game = TableGame.of(_begun(Record(rules)), players, with_pie=with_pie)
    return controls.timed(game, _clock(fields.get("clock")))


def _seats(levels: list[Any], fields: Fields) -> Seats:
    """Return a shared table's seats: a friend's by a link's word, the creator's by a secret."""
    words = fields.get("invitations")
    if not isinstance(words, list) or len(words) != 2:
        raise HttpError(400, "invitations are two")

    def seat(number: int) -> Seat | None:
        if levels[number] == FRIEND:
            return Seat(invitation=hashed(read_secret("invitations", words[number])))
        if levels[number] is None:
            return Seat(holder=hashed(read_secret("secret", fields.get("secret"))))
        return None

    return Seats((seat(0), seat(1)))


def read_secret(name: str, value: Any) -> str:
    """Return a secret. Raise `HttpError` unless it has 32 to 64 letters, digits, `_` or `-`."""
    if not re.fullmatch(r"[\w-]{32,64}", _exactly(str, name, value), re.ASCII):
        raise HttpError(400, f"{name} must be a word of 32 to 64 letters and digits")
    return str(value)


def rematch(game: TableGame) -> TableGame:
    """Return a new game from the same start, with the sides, or the roles in its pie, swapped."""
    check(game.seats is None, "begin a new game, and send its link to the other")
    facts, sides = game.facts, game.sides
    record = Record(game.rules, setup=facts.setup, to_move=facts.to_move)
    players = game.players[::-1] if sides is None else (sides.chooser, sides.offerer)
    again = TableGame.of(_begun(record), players, with_pie=sides is not None)
    return controls.pace(controls.timed(again, game.time), game.pace_seconds)


def _clock(told: Any) -> ClockSettings | None:
    """Return both players' time: main time in seconds, with an increment or with byo-yomi."""
    if told is None:
        return None
    if not isinstance(told, dict):
        raise HttpError(400, "a clock is an object")
    main, increment, period = (
        _number(name, told.get(name, 0)) for name in ("main", "increment", "period")
    )
    periods = _whole("periods", told.get("periods", 1), 1, _MOST_PERIODS)
    check(0 <= main <= _MOST_MAIN_SECONDS, "main time is two hours at most")
    check(0 <= increment <= _MOST_MOVE_SECONDS, "a move gets ten minutes more at most")
    check(0 <= period <= _MOST_MOVE_SECONDS, "a period has ten minutes at most")
    check(bool(main or period), "a clock needs main time or byo-yomi")
    check(bool(main or not increment), "an increment needs main time to begin with")
    check(not (increment and period), "a clock has either an increment or byo-yomi")
    return ClockSettings(
        main_seconds=main,
        increment_seconds=increment,
        period_seconds=period,
        periods=periods if period else 1,
        margin_seconds=0.0,
    )


def _begun(record: Record) -> Record:
    """Return the record of a game that begins today, between two persons."""
    today = datetime.date.today().isoformat()
    return attrs.evolve(record, players=("person", "person"), date=today)


def _rules(fields: Fields) -> Game:
    name, komi, options = fields.get("game"), fields.get("komi"), fields.get("options", {})
    if not isinstance(name, str) or name not in GAMES:
        raise HttpError(400, "there is no such game")
    if not isinstance(options, dict) or not all(isinstance(each, str) for each in options.values()):
        raise HttpError(400, "options are words")
    komi = None if komi is None else _number("komi", komi)
    try:
        return GAMES[name].configure(_exactly(str, "size", fields.get("size")), komi, options)
    except BadOption as error:
        raise ActionRefused(str(error)) from None


def _whole(name: str, value: Any, least: int = PASS, most: int = _MOST) -> int:
    if not least <= _exactly(int, name, value) <= most:
        raise HttpError(400, f"{name} must be a number from {least} to {most}")
    return int(value)


def _exactly(kind: type[T], name: str, value: Any) -> T:
    """Return a value of exactly this type: in JSON `true` is not a number."""
    if type(value) is not kind:
        raise HttpError(400, f"{name} must be {_WORDS[kind]}")
    return value


def _bytes(name: str, value: Any) -> bytes:
    """Return the bytes of a text in base 64."""
    try:
        return base64.b64decode(_exactly(str, name, value), validate=True)
    except ValueError:
        raise HttpError(400, f"{name} must be in base 64") from None


def _number(name: str, value: Any) -> float:
    if type(value) not in (int, float) or value != value:  # NaN does not equal itself
        raise HttpError(400, f"{name} must be a number")
    if not abs(value) <= LARGEST_KOMI:  # before the conversion: an int may be too large
        raise ActionRefused(f"{name} must be between -{LARGEST_KOMI} and {LARGEST_KOMI}")
    return float(value)


def _player(name: str, value: Any) -> PlayerKind:
    return None if value is None else _whole(name, value, 0, FULL_STRENGTH)


_WORDS: dict[type, str] = {int: "a whole number", bool: "true or false", str: "text"}
_READERS: dict[Any, Callable[[str, Any], Any]] = {
    int: _whole,
    bool: partial(_exactly, bool),
    str: partial(_exactly, str),
    float: _number,
    Player: lambda name, value: Player(_whole(name, value, 0, 1)),
    PlayerKind: _player,
}
