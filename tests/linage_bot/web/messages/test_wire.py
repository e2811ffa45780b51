"""The messages to a page, and their types for the page's scripts."""

import json

from linage_bot.engine.analysis import Candidate
from linage_bot.rules.game import Player
from linage_bot.web.messages.encoding import encode
from linage_bot.web.messages.wire import ClockMessage
from linage_bot.web.table.clock import TimeLeft
from tools import wire


def test_the_types_for_the_scripts_are_those_of_the_messages() -> None:
    """The committed file is what `python tools/wire.py` writes."""
    assert wire.FILE.read_text() == wire.text()


def test_fields_are_in_camel_case() -> None:
    """Names of several words are in camelCase, in nested classes too."""
    candidate = Candidate(move=3, visits=7, win_rate=0.5, line=(3, -1))
    found = json.loads(encode({"best": [candidate]}))["best"][0]
    assert (found["winRate"], found["line"], found["lineVisits"]) == (0.5, [3, -1], [])


def test_players_are_numbers_and_nobody_is_null() -> None:
    """First is 0 and Second 1."""
    left = (TimeLeft(60.0), TimeLeft(5.5, 2))
    running = json.loads(encode(ClockMessage(left, Player.SECOND, 10.0, 3)))
    assert (running["runs"], running["left"][1]) == (1, {"seconds": 5.5, "periods": 2})
    assert json.loads(encode(ClockMessage(left, None, 10.0, 3)))["runs"] is None
