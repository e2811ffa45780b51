"""The site's JSON, validated and read into our own classes.

Unknown keys are ignored: the site adds new ones. A missing or misshapen one is a `SettingFault`.
"""

import contextlib
import itertools
from typing import Any, Final

import attrs

from linage_bot.servers.abstract_play.position import SitePosition, replay
from linage_bot.settings.checks import SettingFault, within
from linage_bot.settings.reading import parse_json, read

META_GAME: Final = "linage"
_LONGEST_ID: Final = 200
_BOUNDED: Final = within(-1e15, 1e15)  # so that a moment can be made of it


def _check_id(_payload: object, _field: object, value: str) -> None:
    if not value or len(value) > _LONGEST_ID or not value.isprintable():
        raise ValueError("not an id")


@attrs.frozen
class Challenge:
    """An invitation to a game, perhaps not to Linage; clocks in hours."""

    variants: tuple[str, ...]
    clock_start_hours: float
    clock_increment_hours: float
    clock_most_hours: float
    challengers: tuple[str, ...]
    game: str = META_GAME


@attrs.frozen
class MoveWanted:
    """A game in which it is our turn, or was when the site sent this."""

    game: str = attrs.field(validator=_check_id)
    variants: tuple[str, ...]
    words: tuple[str, ...]  # all plies so far
    clock_hours: float | None = attrs.field(default=None, validator=_BOUNDED)  # left to us
    over: bool = False  # the site says so: a player resigned or ran out of time

    @property
    def ply(self) -> int:
        """The number of plies that were played."""
        return len(self.words)

    def position(self) -> SitePosition:
        """Return the game in our terms; raise `BadGame`."""
        site = replay(self.variants, self.words)
        return attrs.evolve(site, ended=True) if self.over else site


@attrs.frozen
class CurrentGame:
    """An entry of the site's list of games under way."""

    game: str = attrs.field(validator=_check_id)
    players: tuple[str, ...]  # ids, seat 1 first
    to_move: int | None  # the seat, from 1; None if not given
    hours: tuple[float | None, ...]  # left to each
    variants: tuple[str, ...] = ()


@attrs.frozen
class _Seat:
    id: str
    time_ms: float | None = attrs.field(default=None, validator=_BOUNDED)


def read_webhook(body: bytes) -> Challenge | MoveWanted:
    """Read a POST to the bot's endpoint as a challenge or a turn; raise `SettingFault`."""
    table = parse_json(body)
    verb, game, variants = table.get("verb"), table.get("metaGame"), table.get("variants", [])
    if verb == "challenge":
        fields = {
            "variants": variants,
            "clock_start_hours": table.get("clockStart"),
            "clock_increment_hours": table.get("clockInc"),
            "clock_most_hours": table.get("clockMax"),
            "challengers": table.get("challengers", []),
            "game": game,
        }
        return read(fields, Challenge)
    if verb != "move":
        raise SettingFault("verb", f"{str(verb)[:40]!r} is not a known request")
    _check_game(game)
    if table.get("numPlayers", 2) != 2:
        raise SettingFault("numPlayers", "Linage has two players")
    fields = {
        "game": table.get("gameid"),
        "variants": variants,
        "words": plies(table),
        "clock_hours": table.get("clockCurr"),
    }
    return read(fields, MoveWanted)


def read_game(data: bytes | str) -> MoveWanted:
    """Read a game from any JSON of the site that holds one: a webhook, a state, a query's response.

    A state is replayed from the words of its stack. Raise `SettingFault`.
    """
    table = parse_json(data)
    if isinstance(table.get("game"), dict):
        table = table["game"]
    state = table.get("state", {})
    table = {**table, **object_in(parse_json(state) if isinstance(state, str) else state)}
    _check_game(table.get("game", table.get("metaGame", META_GAME)))
    fields = {
        "game": table.get("gameid") or table.get("id") or "unnamed",
        "variants": table.get("variants", []),
        "words": _stack(table) if "stack" in table else plies(table),
        "clock_hours": table.get("clockCurr"),
        "over": table.get("gameover") is True,
    }
    return read(fields, MoveWanted)


def read_current(data: bytes | str) -> tuple[CurrentGame, ...]:
    """Read the list of games under way, without malformed entries; raise `SettingFault`."""
    games = []
    for line in parse_json(data, list):
        with contextlib.suppress(SettingFault):
            games.append(_current(object_in(line)))
    return tuple(games)


def _current(table: dict[str, Any]) -> CurrentGame:
    _check_game(table.get("metaGame"))
    seats = [
        read({"id": player.get("id"), "time_ms": player.get("time_ms")}, _Seat)
        for player in map(object_in, list_in(table, "players"))
    ]
    fields = {
        "game": table.get("id"),
        "players": [seat.id for seat in seats],
        "to_move": {"0": 1, "1": 2}.get(str(table.get("toMove"))),
        "hours": [seat.time_ms and seat.time_ms / 3_600_000 for seat in seats],
        "variants": table.get("variants") or [],
    }
    return read(fields, CurrentGame)


def _check_game(name: object) -> None:
    if name != META_GAME:
        raise SettingFault("", f"this bot does not play {str(name)[:40]!r}")


def _stack(table: dict[str, Any]) -> list[Any]:
    """Return the words of a state; the first entry of its stack is the start and has none."""
    return [object_in(entry).get("lastmove") for entry in list_in(table, "stack")[1:]]


def plies(table: dict[str, Any]) -> list[Any]:
    """Return the words of `moves`: a list of rounds of one or two words, or a plain list."""
    rounds = (each if isinstance(each, list) else [each] for each in list_in(table, "moves"))
    return list(itertools.chain.from_iterable(rounds))


def object_in(value: Any) -> dict[str, Any]:
    """Return a value that has to be a JSON object; raise `SettingFault`."""
    if not isinstance(value, dict):
        raise SettingFault("", "not a JSON object")
    return value


def list_in(table: dict[str, Any], key: str) -> list[Any]:
    """Return the value of a key, which has to be a list; raise `SettingFault`."""
    if not isinstance(table.get(key), list):
        raise SettingFault(key, "not a list")
    return table[key]  # type: ignore[no-any-return]  # just checked
