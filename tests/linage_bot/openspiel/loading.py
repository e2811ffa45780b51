"""Games loaded as a user of OpenSpiel loads them; the tests of `linage_bot.openspiel` use it."""

from collections.abc import Mapping

import pyspiel

import linage_bot.openspiel  # noqa: F401 - registers the games
from linage_bot import GAMES, History

# Two boards of each game, with options.
LOADED = {
    "linage": ("python_linage(size=5)", "python_linage(size=6,rows=4,edition='2016',button=true)"),
    "linage-two-color": (
        "python_linage_two_color(size=4)",
        "python_linage_two_color(size=6,komi=-1.5,count_regions=true,line=2)",
    ),
    "linage-parity": (
        "python_linage_parity(size=4,n=1)",
        "python_linage_parity(size=6,condition=line,passing=false)",
    ),
    "leblin": ("python_leblin(size=4)", "python_leblin(size=5,pie=true)"),
    "gardar": ("python_gardar(size=3)", "python_gardar(size=4,komi=-2,pie=true)"),
}
EACH = [text for texts in LOADED.values() for text in texts]


def loaded(id_: str, words: Mapping[str, str]) -> pyspiel.Game:
    """A game with its size, komi and options as our command line takes them."""
    size, _, rows = words.get("size", GAMES[id_].default_size).partition("x")
    parameters: dict[str, object] = {"size": int(size)}
    if rows:
        parameters["rows"] = int(rows)
    for name, word in words.items():
        if name == "komi":
            whole = GAMES[id_].komi_step == 1
            parameters[name] = int(word) if whole else float(word)
        elif name != "size":
            default = GAMES[id_].options()[name].default
            kinds = {"on": True, "off": False}
            parameters[name] = kinds[word] if isinstance(default, bool) else type(default)(word)
    return pyspiel.load_game(f"python_{id_.replace('-', '_')}", parameters)


def after(state: pyspiel.State, *moves: str) -> pyspiel.State:
    """The state after actions in words."""
    for move in moves:
        state.apply_action(state.string_to_action(move))
    return state


def history(state: pyspiel.State) -> History:
    """The game so far of a state."""
    so_far: History = state.so_far
    return so_far
