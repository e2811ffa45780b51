"""Finished games, for tests of statistics and records."""

import pytest

from linage_bot.arena.records import GameRecord, Key, Rules
from linage_bot.rules.linage import Linage
from linage_bot.settings.match import EngineSettings, MatchSettings

RULES = Rules.of(Linage.configure("5"))
FIRST_MOVES = [f"{column}{row}" for row in range(1, 6) for column in "ABDE"]


@pytest.fixture
def settings(tmp_path):
    return MatchSettings(
        games=4,
        out=str(tmp_path / "out"),
        engines=(EngineSettings("a", name="ada"), EngineSettings("b", name="bea")),
    )


@pytest.fixture
def game():
    """Make a record of game `number` between ada and bea; ada is First in odd ones.

    Twenty numbers in succession have different moves.
    """

    def game(number, winner, **facts):
        swapped = number % 2 == 0
        players = ("bea", "ada") if swapped else ("ada", "bea")
        side = None if winner is None else players.index(winner)
        return GameRecord(
            **{
                "key": Key(("ada", "bea"), (number - 1) // 2, swapped),
                "number": number,
                "players": players,
                "rules": RULES,
                "moves": (FIRST_MOVES[number % 20], "C3", "pass", "pass"),
                "result": "0" if side is None else "BW"[side] + "+1.5",
                "winner": side,
                "ending": "score",
                "seconds": (0.25, 1.0, 0.75, 3.0),
                "started": "2026-03-01T12:00:00+00:00",
                "duration_seconds": 5.0,
                **facts,
            }
        )

    return game
