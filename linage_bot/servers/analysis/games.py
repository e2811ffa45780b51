"""The game of a query: the one that its rules name, or that the server was started for.

Programs written for KataGo send the rules of Go with every query. They can be served where the
server's command line names the game that they mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from linage_bot.rules import GAMES
from linage_bot.rules.boards import BadSize
from linage_bot.rules.game import Game
from linage_bot.rules.options import BadOption, format_option, shortened
from protocol.kata.messages import BadField, Query

Rules = str | Mapping[str, Any]
Warn = Callable[[str, str], None]


def is_foreign(rules: Rules) -> bool:
    """Return whether rules are another program's: an unknown word, or an object without `game`."""
    return rules.lower() not in GAMES if isinstance(rules, str) else "game" not in rules


def game_of(query: Query, default: Mapping[str, Any] | None, warn: Warn) -> Game:
    """Return the game of a query; raise `BadField` if it is none of ours.

    `default`: rules to use in place of foreign ones, None to refuse those.
    """
    foreign = is_foreign(query.rules) and default is not None
    name, options = _read(query.rules if default is None or not foreign else default)
    kind = GAMES[name]
    try:
        board = kind.board_kind.of_array(query.columns, query.rows)
    except BadSize as error:
        field = "boardXSize" if query.columns >= query.rows else "boardYSize"
        raise BadField(field, str(error)) from None
    size, komi_word = options.pop("size", board.size), options.pop("komi", None)
    komi = query.komi
    if komi is None or (foreign and komi_word is not None):  # a foreign client's is that of Go
        komi = kind.default_komi if komi_word is None else _komi(komi_word)
    try:
        game = kind.configure(board.size, None, options)
        if kind.board_kind.parse(size) != board:
            raise _other_size(size, foreign)
        exact = game.with_komi(komi)
    except BadSize as error:
        raise BadField("rules", f"size: {error}") from None
    except BadOption as error:
        field = "komi" if error.name == "komi" and query.komi is not None else "rules"
        raise BadField(field, str(error)) from None
    if foreign:
        words = repr(shortened(query.rules)) if isinstance(query.rules, str) else "an object"
        warn("rules", f"{words} names none of our games; using {kind.name}, as --game says")
    asked = komi if query.komi is None else query.komi
    if exact.komi != asked:
        reason = "is not the komi of --komi" if asked != komi else f"is not a komi of {kind.name}"
        field = "komi" if query.komi is not None else "rules"
        warn(field, f"{asked:.15g} {reason}; using {exact.komi:g}")
    return exact


def _read(rules: Rules) -> tuple[str, dict[str, str]]:
    """Return a game's id and its options as text, which may include komi and size."""
    values = {"game": rules} if isinstance(rules, str) else dict(rules)
    name = values.pop("game", None)
    if not isinstance(name, str) or name.lower() not in GAMES:
        problem = "no game" if name is None else f"not one of our games: {shortened(str(name))!r}"
        remedy = "" if "game" in values else "; or name one by `linage-bot analysis --game`"
        raise BadField("rules", f"{problem}; {', '.join(GAMES)} are the games{remedy}")
    options = {}
    for option, value in values.items():
        if not isinstance(value, str | int | float | bool):
            raise BadField("rules", f"{shortened(option)}: not a word, number or truth value")
        options[option] = f"{value:.15g}" if isinstance(value, float) else format_option(value)
    return name.lower(), options


def _komi(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise BadField("rules", f"komi: not a number: {shortened(word)!r}") from None


def _other_size(size: str, foreign: bool) -> BadField:
    if foreign:
        return BadField("boardXSize", f"this server was started with --size {size}")
    return BadField("rules", f"size {shortened(size)} is not that of boardXSize, boardYSize")
