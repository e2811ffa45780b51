"""Requests for a table: a new game, or one from a link, an SGF text or a file.

A request that is well-formed but cannot be met, such as one for a board of 99 lines, raises
`ActionRefused`; any other wrong request raises `HttpError`.
"""

import base64
import datetime
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from linage_bot.records.reading import study_from_sgf
from linage_bot.records.record import BadRecord, Record
from linage_bot.rules import GAMES
from linage_bot.rules.game import Game, Player
from linage_bot.rules.options import BadOption
from linage_bot.settings.match import ClockSettings
from linage_bot.web.http.fields import (
    READERS,
    read_number,
    read_player,
    read_secret,
    read_whole,
)
from linage_bot.web.messages.requests import NewTableRequest, SeatChoice
from linage_bot.web.messages.wire import TimeMessage
from linage_bot.web.table import controls
from linage_bot.web.table.errors import ActionRefused, HttpError, check
from linage_bot.web.table.game import TableGame
from linage_bot.web.table.links import from_link
from linage_bot.web.table.pie import PlayerKind
from linage_bot.web.table.seats import Seat, Seats, hashed

FRIEND = "friend"  # in place of a level, for the person who opens the link
_MOST_MAIN_SECONDS = 2 * 3600  # of a clock,
_MOST_MOVE_SECONDS = 600  # of an increment or a period
_MOST_PERIODS = 100


def read_new_table(fields: Mapping[str, Any]) -> NewTableRequest:
    """Return the request of a JSON object. A null is read as a missing field if it may be one."""
    request = NewTableRequest()
    read = {
        name: reader(name, fields[name])
        for name, reader in _READERS.items()
        if name in fields and fields[name] is not getattr(request, name)
    }
    return attrs.evolve(request, **read)


def new_table(request: NewTableRequest, warn: Callable[[str], object] | None = None) -> TableGame:
    """Return the requested game, which is slow for long games. Raise `ActionRefused`.

    `warn` is called with each oddity of a file.
    """
    seats = _seats(request) if FRIEND in request.seats else None
    first, second = (None if isinstance(each, str) else each for each in request.seats)
    game = controls.pace(_game(request, (first, second), warn), request.pace)
    return attrs.evolve(game, seats=seats)


def _game(
    request: NewTableRequest,
    players: tuple[PlayerKind, PlayerKind],
    warn: Callable[[str], object] | None,
) -> TableGame:
    try:
        if request.file is not None:
            return TableGame.of(study_from_sgf(_bytes(request.file), warn=warn), players)
        if request.sgf is not None:
            return TableGame.of(study_from_sgf(request.sgf, warn=warn), players)
        if request.link is not None:
            return TableGame.of(_begun(from_link(request.link)), players)
    except BadRecord as error:
        raise ActionRefused(str(error)) from None
    return _new_game(request, players)


def _new_game(request: NewTableRequest, players: tuple[PlayerKind, PlayerKind]) -> TableGame:
    """Return a game from an empty board with the requested rules, options, clock and pie."""
    rules = _rules(request)
    with_pie = request.pie and rules.pie != "none"
    game = TableGame.of(_begun(Record(rules)), players, with_pie=with_pie)
    return controls.timed(game, None if request.clock is None else _clock(request.clock))


def _bytes(text: str) -> bytes:
    """Return the bytes of a text in base 64."""
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise HttpError(400, "file must be in base 64") from None


def _rules(request: NewTableRequest) -> Game:
    if request.game is None or request.game not in GAMES:
        raise HttpError(400, "there is no such game")
    if request.size is None:
        raise HttpError(400, "size must be text")
    try:
        return GAMES[request.game].configure(request.size, request.komi, request.options or {})
    except BadOption as error:
        raise ActionRefused(str(error)) from None


def _begun(record: Record) -> Record:
    """Return the record of a game that begins today, between two persons."""
    today = datetime.date.today().isoformat()
    return attrs.evolve(record, players=("person", "person"), date=today)


def _seats(request: NewTableRequest) -> Seats:
    """Return a shared table's seats: a friend's by a link's word, the creator's by a secret."""

    def seat(number: int) -> Seat | None:
        if request.seats[number] == FRIEND:
            word = request.invitations[number]
            return Seat(invitation=hashed(read_secret("invitations", word)))
        if request.seats[number] is None:
            return Seat(holder=hashed(read_secret("secret", request.secret)))
        return None

    return Seats((seat(0), seat(1)))


def rematch(game: TableGame, other: NewTableRequest | None = None) -> TableGame:
    """Return a new game of the same players, with the sides, or the roles in its pie, swapped.

    It begins from the same start, or is the `other` game that is requested. Raise `ActionRefused`.
    """
    facts, sides, seats = game.facts, game.sides, game.seats
    if seats is not None and (sides is None or sides.chosen is Player.SECOND):
        seats = seats.turned()  # the chooser offers next
    players = game.players[::-1] if sides is None else (sides.chooser, sides.offerer)
    if other is not None:
        return attrs.evolve(
            controls.pace(_new_game(other, players), game.pace_seconds), seats=seats
        )
    record = Record(game.rules, setup=facts.setup, to_move=facts.to_move)
    again = TableGame.of(_begun(record), players, with_pie=sides is not None)
    again = controls.pace(controls.timed(again, game.time), game.pace_seconds)
    return attrs.evolve(again, seats=seats)


def _clock(time: TimeMessage) -> ClockSettings:
    """Return both players' time: main time in seconds, with an increment or with byo-yomi."""
    main, increment, period = time.main, time.increment, time.period
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
        periods=time.periods if period else 1,
        margin_seconds=0.0,
    )


def _read_clock(_: str, value: Any) -> TimeMessage:
    if not isinstance(value, dict):
        raise HttpError(400, "a clock is an object")
    names = ("main", "increment", "period")
    main, increment, period = (read_number(name, value.get(name, 0)) for name in names)
    periods = read_whole("periods", value.get("periods", 1), 1, _MOST_PERIODS)
    return TimeMessage(main, increment, period, periods)


def _read_options(_: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        raise HttpError(400, "options are words")
    return value


def _read_seats(name: str, value: Any) -> tuple[SeatChoice, SeatChoice]:
    first, second = _read_pair(name, value)
    return _read_seat(first), _read_seat(second)


def _read_seat(value: Any) -> SeatChoice:
    return "friend" if value == FRIEND else read_player("seats", value)


def _read_invitations(name: str, value: Any) -> tuple[str | None, str | None]:
    first, second = (each and read_secret(name, each) for each in _read_pair(name, value))
    return first, second


def _read_pair(name: str, value: Any) -> list[Any]:
    if not isinstance(value, list) or len(value) != 2:
        raise HttpError(400, f"{name} are two")
    return value


_READERS: Mapping[str, Callable[[str, Any], Any]] = {
    "game": READERS[str],
    "size": READERS[str],
    "komi": read_number,
    "options": _read_options,
    "pie": READERS[bool],
    "clock": _read_clock,
    "link": READERS[str],
    "sgf": READERS[str],
    "file": READERS[str],
    "pace": read_number,
    "seats": _read_seats,
    "invitations": _read_invitations,
    "secret": read_secret,
}
