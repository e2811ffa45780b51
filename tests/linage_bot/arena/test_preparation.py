"""Sending the game's rules to an engine."""

import pytest

from linage_bot.arena.preparation import preparation
from linage_bot.rules.gardar import Gardar
from linage_bot.rules.leblin import Leblin
from linage_bot.rules.linage import Linage

NOTHING = frozenset()
OURS = frozenset({"linage-game", "rectangular_boardsize", "komi"})

PREPARATIONS = [
    (
        Linage.configure("9", 2.5),
        frozenset({"komi"}),
        "clear_board|boardsize 9|clear_board|komi 2.5",
    ),
    (Linage.configure("9", 2.5), NOTHING, "clear_board|boardsize 9|clear_board"),
    (Linage.configure("9x7"), NOTHING, "clear_board|boardsize 9 7|clear_board"),
    (
        Linage.configure("9x7", -1, {"line": "4"}),
        OURS,
        "clear_board|linage-game linage size=9x7 komi=-1 line=4 button=off edition=current"
        "|rectangular_boardsize 9 7|clear_board|komi -1",
    ),
    (Leblin.configure("9"), OURS, "clear_board|linage-game leblin size=9|boardsize 9|clear_board"),
    (
        Gardar.configure("5", 3),
        OURS,
        "clear_board|linage-game gardar size=5 komi=3|boardsize 9|clear_board|komi 3",
    ),
]


@pytest.mark.parametrize(("game", "commands", "told"), PREPARATIONS)
def test_engines_are_told_the_game_in_the_commands_they_have(game, commands, told):
    """An engine with GTP's own commands alone receives size and komi, if it has these commands."""
    assert "|".join(" ".join(words) for words in preparation(game, commands)) == told


def test_options_of_an_engines_own_replace_join_and_remove_those_of_the_game():
    """An empty one removes; so engines that call an option otherwise can play."""
    own = {"line": 5, "edition": "", "button": True, "speed": "high"}
    told = list(preparation(Linage.configure("9", 2.5), OURS, own))
    assert " ".join(told[1]) == ("linage-game linage size=9 komi=2.5 line=5 button=on speed=high")
    assert told[2:] == [("boardsize", "9"), ("clear_board",), ("komi", "2.5")]
