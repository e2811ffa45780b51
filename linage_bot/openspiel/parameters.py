"""A game's size, komi and options as parameters of OpenSpiel's, and back.

OpenSpiel reads the type of a value from how it is written, and insists on it: 9 is an integer, 1.5
a number, true a switch, anything else a word. So sizes are integers, `size` for the columns and
`rows` where there are others, and a word made of digits stands between quotes: `edition='2016'`.
"""

from collections.abc import Mapping
from typing import Any

from linage_bot import BadOption, Game

Value = int | float | str | bool

_PIE = "pie"


def specification(game: type[Game]) -> dict[str, Value]:
    """The parameters of a game and their defaults, in OpenSpiel's types."""
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
    """All parameters, those that are not given with their defaults, as OpenSpiel can write them."""
    return {
        name: _quoted(given.get(name, default)) for name, default in specification(game).items()
    }


def configured(game: type[Game], parameters: Mapping[str, Any]) -> Game:
    """The game that the parameters describe; raises `BadOption`."""
    size, rows = parameters["size"], parameters.get("rows", 0)
    words = {
        name: str(parameters[name]).strip("'") for name in game.options() if name in parameters
    }
    return game.configure(f"{size}x{rows}" if rows else str(size), parameters.get("komi"), words)


def parameters_of(game: Game, *, pie: bool = False) -> dict[str, Value]:
    """The parameters that describe a game."""
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
    """Komi in the type that the game's komi has."""
    whole = game.komi_step is not None and game.komi_step == int(game.komi_step)
    return int(komi) if whole else float(komi)


def _quoted(value: Value) -> Value:
    """A word that OpenSpiel would read as a number stands between quotes."""
    return f"'{value}'" if isinstance(value, str) and value.isdigit() else value
