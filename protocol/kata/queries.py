"""A parser for the requests of KataGo's JSON analysis protocol; each error names its field.

All input is validated. The results have the types of `messages`, numbers are finite and bounded,
and each turn occurs once.
"""

import json
import math
from collections.abc import Callable
from typing import Any, Final, TypeVar

from protocol.gtp.analysis import Restriction
from protocol.kata.messages import Action, BadField, BadRequest, Fields, Query, Stone
from protocol.session.arguments import Colour, parse_colour
from protocol.session.errors import CommandFailed

T = TypeVar("T")

_ACTIONS: Final = ("query_version", "query_models", "clear_cache", "terminate", "terminate_all")
_LARGEST: Final = 2**62  # of any whole number, as in KataGo


def read_request(line: bytes) -> Query | Action:
    """Read the request in a line; raises `BadRequest`."""
    fields = _object(line)
    id_ = fields.get("id")
    if not isinstance(id_, str):
        raise BadRequest("a request needs an id, a string", "id")
    try:
        return _action(id_, fields) if "action" in fields else _query(id_, fields)
    except BadField as error:
        raise BadRequest(error.reason, error.field, id_) from None


def _object(line: bytes) -> Fields:
    try:
        found = json.loads(line.decode(), parse_constant=_finite, parse_float=_finite)
    except (ValueError, RecursionError) as error:  # neither text nor JSON, or deeper than we read
        raise BadRequest(f"not a line of JSON: {_words(error)}") from None
    if not isinstance(found, dict):
        raise BadRequest("not a JSON object")
    return found


def _words(error: Exception) -> str:
    return "too deep" if isinstance(error, RecursionError) else str(error)[:100]


def _finite(word: str) -> float | None:
    """Return a number, or None if it is not finite, so that the rest of the line can be read."""
    number = float(word)
    return number if math.isfinite(number) else None


def _action(id_: str, fields: Fields) -> Action:
    name = fields["action"]
    if name not in _ACTIONS:
        raise BadField("action", f"not one of {', '.join(_ACTIONS)}")
    read = _Reader(fields)
    return Action(
        name,
        id_,
        fields,
        read("terminateId", _text) if name == "terminate" else None,
        read("turnNumbers", _counts, None) if name.startswith("terminate") else None,
    )


def _query(id_: str, fields: Fields) -> Query:
    read = _Reader(fields)
    moves = read("moves", _stones)
    turns, priorities = _turns(read, len(moves))
    return Query(
        id=id_,
        moves=moves,
        rules=read("rules", _rules),
        columns=read("boardXSize", _size),
        rows=read("boardYSize", _size),
        initial_stones=read("initialStones", _stones, ()),
        initial_player=read("initialPlayer", _colour, None),
        komi=read("komi", _number, None),
        turns=turns,
        priorities=priorities,
        max_visits=read("maxVisits", _positive, None),
        settings=read("overrideSettings", _settings, {}),
        report_seconds=read("reportDuringSearchEvery", _seconds, None),
        ownership=read("includeOwnership", _bool, False),
        moves_ownership=read("includeMovesOwnership", _bool, False),
        policy=read("includePolicy", _bool, False),
        pv_visits=read("includePVVisits", _bool, False),
        pv_length=read("analysisPVLen", _positive, None),
        avoid=read("avoidMoves", _restrictions, ()),
        allow=read("allowMoves", _restrictions, ()),
        unknown=read.unread,
    )


_REQUIRED: Final = object()


class _Reader:
    """A reader of a request's fields that records which fields were not read."""

    def __init__(self, fields: Fields) -> None:
        self._fields = fields
        self._read = {"id"}

    def __call__(self, name: str, read: Callable[[Any], T], default: Any = _REQUIRED) -> T:
        self._read.add(name)
        if name not in self._fields:
            if default is _REQUIRED:
                raise BadField(name, "this field is required")
            return default  # type: ignore[no-any-return]  # of the type that `read` gives
        try:
            return read(self._fields[name])
        except _Unreadable as error:
            raise BadField(name, f"expected {error}") from None

    @property
    def unread(self) -> tuple[str, ...]:
        """The names of the fields that have not been read."""
        return tuple(name for name in self._fields if name not in self._read)


def _turns(read: _Reader, last: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return each turn once, and the highest priority of each."""
    turns: tuple[int, ...] = read("analyzeTurns", _counts, (last,))
    if any(turn > last for turn in turns):
        raise BadField("analyzeTurns", f"there are only {last} moves")
    priority: int = read("priority", _integer, 0)
    priorities: tuple[int, ...] | None = read("priorities", _integers, None)
    if priorities is not None and len(priorities) != len(turns):
        raise BadField("priorities", f"expected {len(turns)}, one for each of analyzeTurns")
    found: dict[int, int] = {}
    for turn, own in zip(turns, priorities or [priority] * len(turns), strict=True):
        found[turn] = max(own, found.get(turn, own))
    return tuple(found), tuple(found.values())


class _Unreadable(ValueError):
    """A value of the wrong kind; the message names the expected kind."""


def _is_integer(value: Any) -> bool:
    return type(value) is int and abs(value) <= _LARGEST


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise _Unreadable("a string")
    return value


def _bool(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Unreadable("true or false")
    return value


def _integer(value: Any) -> int:
    if not _is_integer(value):
        raise _Unreadable("a whole number")
    return int(value)


def _positive(value: Any) -> int:
    if not _is_integer(value) or value < 1:
        raise _Unreadable(f"a whole number from 1 to {_LARGEST}")
    return int(value)


def _size(value: Any) -> int:
    if not _is_integer(value) or not 1 <= value <= 100:
        raise _Unreadable("a number of points, from 1 to 100")
    return int(value)


def _number(value: Any) -> float:
    if type(value) not in (int, float) or abs(value) > _LARGEST:
        raise _Unreadable("a number")
    return float(value)


def _seconds(value: Any) -> float:
    if type(value) not in (int, float) or not 0.001 <= value <= 1e6:
        raise _Unreadable("a number of seconds from 0.001 to 1000000")
    return float(value)


def _integers(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(map(_is_integer, value)):
        raise _Unreadable("a list of whole numbers")
    return tuple(value)


def _counts(value: Any) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(_is_integer(each) and each >= 0 for each in value):
        raise _Unreadable("a list of turn numbers, 0 for the first position")
    return tuple(value)


def _colour(value: Any) -> Colour:
    try:
        return parse_colour(_text(value))
    except (CommandFailed, _Unreadable):
        raise _Unreadable('a player, "B" or "W"') from None


def _stones(value: Any) -> tuple[Stone, ...]:
    wanted = 'a list of pairs such as ["B","C4"]'
    if not isinstance(value, list):
        raise _Unreadable(wanted)
    stones: list[Stone] = []
    for each in value:
        if not isinstance(each, list) or len(each) != 2 or not isinstance(each[1], str):
            raise _Unreadable(f"{wanted}; item {len(stones) + 1} is not a pair")
        stones.append((_colour(each[0]), each[1]))
    return tuple(stones)


def _rules(value: Any) -> str | Fields:
    if not isinstance(value, str | dict):
        raise _Unreadable("the name of a game, or an object as kata-get-rules returns it")
    return value


def _settings(value: Any) -> Fields:
    if not isinstance(value, dict):
        raise _Unreadable("an object of settings by their names")
    return value


def _restrictions(value: Any) -> tuple[Restriction, ...]:
    if not isinstance(value, list):
        raise _Unreadable("a list of objects")
    return tuple(map(_restriction, value))


def _restriction(value: Any) -> Restriction:
    wanted = "objects of player, moves and untilDepth"
    if not isinstance(value, dict) or not {"player", "moves", "untilDepth"} <= value.keys():
        raise _Unreadable(wanted)
    moves, depth = value["moves"], value["untilDepth"]
    if not isinstance(moves, list) or not all(isinstance(each, str) for each in moves):
        raise _Unreadable(f"{wanted}; moves is a list of strings")
    if not _is_integer(depth) or depth < 1:
        raise _Unreadable(f"{wanted}; untilDepth is a whole number from 1")
    return Restriction(_colour(value["player"]), tuple(moves), depth)
