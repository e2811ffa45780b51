"""The site's JSON read into our own classes. Nothing of what it sends is believed unseen.

Unknown keys are ignored: the site adds new ones. A missing or misshapen one is a `BadPayload`.
"""

import contextlib
import itertools
import json
import math
from typing import Any, Final

import attrs

from linage_bot.servers.abstract_play.position import SitePosition, replay

META_GAME: Final = "linage"
_LONGEST_ID: Final = 200


class BadPayload(ValueError):
    """JSON that is not what the site sends, or not for us."""


@attrs.frozen
class Challenge:
    """An invitation to a game, perhaps to one that is not ours; clocks in hours."""

    variants: tuple[str, ...]
    clock_start_hours: float
    clock_increment_hours: float
    clock_most_hours: float
    challengers: tuple[str, ...]
    game: str = META_GAME


@attrs.frozen
class MoveWanted:
    """A game in which it is our turn, or was when this was sent."""

    game: str
    variants: tuple[str, ...]
    words: tuple[str, ...]  # all plies so far
    clock_hours: float | None = None  # left to us; None: not told
    over: bool = False  # the site says so: somebody resigned, or ran out of time

    @property
    def ply(self) -> int:
        """How many plies were played."""
        return len(self.words)

    def position(self) -> SitePosition:
        """The game in our terms; raises `BadGame`."""
        site = replay(self.variants, self.words)
        return attrs.evolve(site, ended=True) if self.over else site


@attrs.frozen
class CurrentGame:
    """A line of the site's list of games under way."""

    game: str
    players: tuple[str, ...]  # ids, seat 1 first
    to_move: int | None  # the seat, from 1; None: not told
    hours: tuple[float | None, ...]  # left to each
    variants: tuple[str, ...] = ()


def read_json(data: bytes | str) -> Any:
    """The value of a JSON text; raises `BadPayload`."""
    try:
        return json.loads(data)
    except json.JSONDecodeError as error:
        raise BadPayload(f"not JSON: {error}") from None
    except (ValueError, RecursionError):  # not UTF-8, a number with too many digits, too deep
        raise BadPayload("not JSON") from None


def read_webhook(body: bytes) -> Challenge | MoveWanted:
    """What a POST to the bot's endpoint asks; raises `BadPayload`."""
    table = _table(read_json(body), "the body")
    verb = _text(table, "verb")
    if verb not in ("challenge", "move"):
        raise BadPayload(f"verb {verb[:40]!r} is not known")
    game = _text(table, "metaGame")
    variants = _texts(table.get("variants", []), "variants")
    if verb == "challenge":
        start, increment, most = (
            _hours(table, key) for key in ("clockStart", "clockInc", "clockMax")
        )
        if start is None or increment is None or most is None:
            raise BadPayload("a challenge needs clockStart, clockInc and clockMax")
        return Challenge(
            variants=variants,
            clock_start_hours=start,
            clock_increment_hours=increment,
            clock_most_hours=most,
            challengers=_texts(table.get("challengers", []), "challengers"),
            game=game,
        )
    if game != META_GAME:
        raise BadPayload(f"we do not play {game[:40]!r}")
    if table.get("numPlayers", 2) != 2:
        raise BadPayload("Linage has two players")
    return MoveWanted(_id(table, "gameid"), variants, _plies(table), _hours(table, "clockCurr"))


def read_game(data: bytes | str) -> MoveWanted:
    """A game from any JSON of the site that holds one: a webhook, a state, an answer to a query.

    A state is replayed from the words of its stack. Raises `BadPayload`.
    """
    table = _table(read_json(data), "the game")
    inner = table.get("game")
    if isinstance(inner, dict):
        table = inner
    state: Any = table.get("state", table)
    if isinstance(state, str):
        state = read_json(state)
    state = _table(state, "state")
    if (game := state.get("game", state.get("metaGame", META_GAME))) != META_GAME:
        raise BadPayload(f"we do not play {str(game)[:40]!r}")
    variants = _texts(state.get("variants", table.get("variants", [])), "variants")
    name = table.get("gameid", table.get("id", ""))
    if not isinstance(name, str):
        raise BadPayload("the game's id is not text")
    if "stack" not in state:
        return MoveWanted(name, variants, _plies(state), _hours(state, "clockCurr"))
    return MoveWanted(name, variants, _stack(state), over=state.get("gameover") is True)


def read_current(data: bytes | str) -> tuple[CurrentGame, ...]:
    """The list of games under way; raises `BadPayload`. Lines that make no sense are left out."""
    lines = read_json(data)
    if not isinstance(lines, list):
        raise BadPayload("the list of games is not a list")
    games = []
    for line in lines:
        with contextlib.suppress(BadPayload):
            games.append(_current(_table(line, "a game")))
    return tuple(games)


def _current(table: dict[str, Any]) -> CurrentGame:
    if _text(table, "metaGame") != META_GAME:
        raise BadPayload("another game")
    players = table.get("players")
    if not isinstance(players, list):
        raise BadPayload("players is not a list")
    ids, hours = [], []
    for player in players:
        player = _table(player, "a player")
        ids.append(_text(player, "id"))
        left = _number(player.get("time_ms"))
        hours.append(None if left is None else left / 3_600_000)
    seat = str(table.get("toMove", ""))
    to_move = int(seat) + 1 if seat in ("0", "1") else None
    variants = _texts(table.get("variants") or [], "variants")
    return CurrentGame(_id(table, "id"), tuple(ids), to_move, tuple(hours), variants)


def _stack(state: dict[str, Any]) -> tuple[str, ...]:
    """The words of a state: the first entry of its stack is the start."""
    stack = state["stack"]
    if not isinstance(stack, list) or not stack:
        raise BadPayload("the stack is not a list of positions")
    return tuple(_text(_table(entry, "a position"), "lastmove") for entry in stack[1:])


def _plies(table: dict[str, Any]) -> tuple[str, ...]:
    """The words of a list of rounds, each a list of one or two words; a plain list will do."""
    rounds = table.get("moves")
    if not isinstance(rounds, list):
        raise BadPayload("moves is not a list")
    words = (each if isinstance(each, list) else [each] for each in rounds)
    return _texts(list(itertools.chain.from_iterable(words)), "moves")


def _table(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadPayload(f"{name} is not an object")
    return value


def _text(table: dict[str, Any], key: str) -> str:
    value = table.get(key)
    if not isinstance(value, str):
        raise BadPayload(f"{key} is not text")
    return value


def _id(table: dict[str, Any], key: str) -> str:
    value = _text(table, key)
    if not value or len(value) > _LONGEST_ID or not value.isprintable():
        raise BadPayload(f"{key} is not an id")
    return value


def _texts(value: Any, name: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise BadPayload(f"{name} is not a list of texts")
    return tuple(value)


def _number(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e15 and math.isfinite(value) else None


def _hours(table: dict[str, Any], key: str) -> float | None:
    if key not in table or table[key] is None:
        return None
    hours = _number(table[key])
    if hours is None:
        raise BadPayload(f"{key} is not a number of hours")
    return hours
