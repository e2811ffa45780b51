"""Conversion of a game's size, komi and options to and from OpenSpiel parameters.

OpenSpiel infers the type of a value from its text, and checks it: 9 is an integer, 1.5 a float,
true a boolean, anything else a string. So sizes are integers, `size` for the columns and `rows` if
their number differs, and a string of digits is put in quotes: `edition='2016'`.
"""

from collections.abc import Mapping
from typing import Any

from linage_bot import BadOption, Game

Value = int | float | str | bool

_PIE = "pie"


def specification(game: type[Game]) -> dict[str, Value]:
    """Return the parameters of a game and their defaults, in OpenSpiel's types."""
    found: dict[str, Value] = {"size": int(game.default_size)}
    if _may_be_rectangular(game):
        found["rows"] = 0  # as many as columns
    if game.komi_step is not None:
        found["komi"] = _number(game, game.default_komi)
    found |= {name: _quoted(option.default) for name, option in game.options().items()}
    if game.pie != "none":
        found[_PIE] = False
    return found


def complete(game: type[Game], given: Mapping[str, Any]) -> dict[str, Value]:
    """Return all parameters, with defaults for those not given, in a form OpenSpiel can write."""
    return {
        name: _quoted(given.get(name, default)) for name, default in specification(game).items()
    }


def configured(game: type[Game], parameters: Mapping[str, Any]) -> Game:
    """Return the game that the parameters describe; raises `BadOption`."""
    size, rows = parameters["size"], parameters.get("rows", 0)
    words = {
        name: str(parameters[name]).strip("'") for name in game.options() if name in parameters
    }
    return game.configure(f"{size}x{rows}" if rows else str(size), parameters.get("komi"), words)


def parameters_of(game: Game, *, pie: bool = False) -> dict[str, Value]:
    """Return the parameters that describe a game; raises `BadOption` for a pie it does not have."""
    kind = type(game)
    found = specification(kind)
    size, _, rows = game.board.size.partition("x")
    found["size"] = int(size)
    if rows:
        found["rows"] = int(rows)
    if kind.komi_step is not None:
        found["komi"] = _number(kind, game.komi)
    found |= {name: _quoted(getattr(game, name)) for name in kind.options()}
    if pie:
        if kind.pie == "none":
            raise BadOption(_PIE, f"{kind.name} has no pie")
        found[_PIE] = True
    return found


def _may_be_rectangular(game: type[Game]) -> bool:
    size = game.default_size
    try:
        game.configure(f"{size}x{int(size) - 1}")
    except BadOption:
        return False
    return True


def _number(game: type[Game], komi: float) -> int | float:
    """Return komi as an integer if the game's komi is always whole, else as a float."""
    whole = game.komi_step is not None and game.komi_step == int(game.komi_step)
    return int(komi) if whole else float(komi)


def _quoted(value: Value) -> Value:
    """Return a value, in quotes if it is a string that OpenSpiel would read as a number."""
    return f"'{value}'" if isinstance(value, str) and value.isdigit() else value
