"""The game and clock that a UGI engine receives."""

import attrs
import pytest

from linage_bot.arena.clocks import PlayerClock
from linage_bot.arena.ugi import game_in_options, go_words, options_of, refuses, score_of
from linage_bot.rules import GAMES
from linage_bot.rules.game import Player
from linage_bot.settings.match import ClockSettings
from linage_bot.settings.playing import PlaySettings
from linage_bot.ugi import UgiEngine

OURS = "\n".join(
    option.line for option in UgiEngine(GAMES["linage"].configure(), PlaySettings()).options()
)


def told(game, description, options=None):
    return [" ".join(pair) for pair in game_in_options(game, options_of(description), options)]


def test_our_engine_is_told_the_whole_game():
    """Our engine receives size, komi and all options, and no pie unless requested."""
    game = GAMES["linage"].configure("9x7", 3.5, {"button": "on"})
    assert told(game, OURS) == [
        "game linage",
        "size 9x7",
        "komi 3.5",
        "line 3",
        "button true",
        "edition current",
        "pie false",
    ]
    assert told(GAMES["leblin"].configure("7"), OURS) == ["game leblin", "size 7", "pie false"]


def test_an_engine_is_told_only_what_it_knows():
    """Options are sent by the engine's own names and types, and only those that it has."""
    game = GAMES["linage-parity"].configure("5", None, {"passing": "off"})
    options = (
        "id name x\noption name Size type spin default 9\noption name Passing type check\noption"
    )
    assert told(game, options) == ["Size 5", "Passing false"]
    assert told(game, "id name x") == []


def test_an_engine_may_be_told_otherwise():
    """An engine's own options replace the game's, and an empty one is not sent."""
    game = GAMES["linage"].configure("5")
    own = {"edition": "", "threads": 2, "line": 4, "solver": False}
    assert told(game, OURS, own) == [
        "game linage",
        "size 5",
        "komi 0.5",
        "line 4",
        "button false",
        "pie false",
        "threads 2",
        "solver false",
    ]


def test_a_value_that_an_engine_says_it_cannot_take_is_found_before_it_is_told():
    """A runner that sends another game finds out at once, not by illegal moves."""
    known = options_of("option name game type combo default Go var Go var Chess")
    assert refuses(known["game"], "linage")
    assert not refuses(known["game"], "go")
    assert not refuses(options_of("option name size type string")["size"], "9x7")


def clock(**settings):
    return PlayerClock.full(ClockSettings(**settings))


FISCHER = clock(main_seconds=10, increment_seconds=0.5)
CANADIAN = clock(main_seconds=1, period_seconds=6, period_moves=3)
BYO_YOMI = clock(main_seconds=1, period_seconds=2.5, periods=3)

CLOCKS = {
    "a fixed time": (clock(move_seconds=0.25), None, "movetime 250"),
    "increments": (FISCHER, None, "p1time 10000 p2time 10000 p1inc 500 p2inc 500"),
    "another clock": (
        FISCHER,
        clock(main_seconds=2),
        "p1time 10000 p2time 2000 p1inc 500 p2inc 0",
    ),
    "against a fixed time": (
        clock(main_seconds=2),
        clock(move_seconds=1),
        "p1time 2000 p2time 1000 p1inc 0 p2inc 0",
    ),
    "byo-yomi": (BYO_YOMI, None, "p1time 3500 p2time 3500 p1inc 0 p2inc 0"),
    "its periods": (BYO_YOMI.after(2.0), None, "movetime 2500"),
    "canadian": (CANADIAN, None, "p1time 3000 p2time 3000 p1inc 0 p2inc 0"),
    "its last move": (CANADIAN.after(2.0).after(3.0), None, "movetime 2000"),
    "next to nothing": (
        clock(main_seconds=0.0004),
        None,
        "p1time 1 p2time 1 p1inc 0 p2inc 0",
    ),
}


@pytest.mark.parametrize("name", CLOCKS)
def test_a_clock_is_told_in_ugis_words(name):
    """The clock sent never exceeds the time left; other systems become the nearest of UGI."""
    own, other, words = CLOCKS[name]
    assert " ".join(go_words(Player.FIRST, own, other, ())) == words
    if own.settings.move_seconds == 0 and name.startswith("another"):
        swapped = " ".join(go_words(Player.SECOND, own, other, ()))
        assert swapped == "p1time 2000 p2time 10000 p1inc 0 p2inc 500"


def test_without_a_clock_an_engine_is_told_its_own_words():
    """The engine gets its configured words, or none to keep its own limits."""
    assert go_words(Player.FIRST, None, FISCHER, ("nodes", "5")) == ("nodes", "5")
    assert go_words(Player.FIRST, None, None, ()) == ()


def test_a_clock_that_ran_is_told_as_it_stands():
    """The clock sent is the time left, increment included."""
    ran = attrs.evolve(FISCHER, main_left=3.1239)
    assert go_words(Player.SECOND, ran, FISCHER, ())[:4] == ("p1time", "10000", "p2time", "3123")


def test_a_result_is_a_score_without_points():
    """A result can be compared with the other engine's; during a game it is empty."""
    assert [score_of(word) for word in ("p1win", "p2win", " draw\n", "none", "what")] == [
        "B+",
        "W+",
        "0",
        "",
        "",
    ]
