"""The game that a query is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from linage_bot.rules import GAMES
from linage_bot.rules.boards import BadSize
from linage_bot.rules.game import Game
from linage_bot.rules.options import BadOption, format_option, shortened
from protocol.json_analysis import BadField, Query

Warn = Callable[[str, str], None]


def game_of(query: Query, warn: Warn) -> Game:
    """Return the game that a query is about; raise `BadField` if it is none of ours."""
    name, options = _read(query.rules)
    kind = GAMES[name]
    try:
        board = kind.board_kind.of_array(query.columns, query.rows)
    except BadSize as error:
        field = "boardXSize" if query.columns >= query.rows else "boardYSize"
        raise BadField(field, str(error)) from None
    size, komi = options.pop("size", board.size), query.komi
    told = options.pop("komi", None)
    if komi is None:
        komi = kind.default_komi if told is None else _komi(told)
    try:
        game = kind.configure(board.size, None, options)
        if kind.board_kind.parse(size) != board:
            raise BadField("rules", f"size {shortened(size)} is not that of boardXSize, boardYSize")
        exact = game.with_komi(komi)
    except BadSize as error:
        raise BadField("rules", f"size: {error}") from None
    except BadOption as error:
        field = "komi" if error.name == "komi" and query.komi is not None else "rules"
        raise BadField(field, str(error)) from None
    if exact.komi != komi:
        warn(
            "komi" if query.komi is not None else "rules",
            f"{komi:.15g} is no komi of {kind.name}; {exact.komi:g} is taken",
        )
    return exact


def _read(rules: str | Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """Return a game's id and its options in words, komi and size perhaps among them."""
    values = {"game": rules} if isinstance(rules, str) else dict(rules)
    name = values.pop("game", None)
    if not isinstance(name, str) or name.lower() not in GAMES:
        told = "no game" if name is None else f"no game of ours: {shortened(str(name))!r}"
        raise BadField("rules", f"{told}; {', '.join(GAMES)} are known")
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
