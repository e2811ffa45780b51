"""The engine's commands for a move, and the analysis that the server receives."""

import json

import pytest

from tests.linage_bot.servers.cgos_client.talk import SETUP


def test_analysis_is_sent_to_servers_that_want_it(world):
    """Analysis is sent in one line to servers that accept it, and is recorded."""
    world.connect("moves=A1,C3 has=cgos-genmove_analyze,kata-genmove_analyze")
    talk = world.accept()
    talk.login()
    talk.say(SETUP, "genmove b 60000")
    move, text = talk.hear().split(maxsplit=1)
    assert move == "A1"
    assert json.loads(text) == {
        "winrate": 0.25, "score": -1.5, "visits": 3, "own": [1, 2],
        "moves": [{"move": "A1", "winrate": 0.25, "visits": 3, "pv": "A1 E5"}],
    }  # fmt: skip
    talk.say("gameover 2026-01-31 W+Resign")
    talk.expect("ready")
    assert "cgos-genmove_analyze b" in world.heard
    assert "win rate 25.0%" in world.records()[0]


@pytest.mark.parametrize(
    ("engine", "keys"),
    [
        ("kata-genmove_analyze", {"winrate", "score", "visits", "moves"}),
        ("lz-genmove_analyze", set()),  # no analysis, but a move
    ],
)
def test_other_analysis_becomes_what_the_server_reads(world, engine, keys):
    """Analysis in other formats is converted to CGOS's."""
    world.connect(f"moves=A1 has={engine}")
    talk = world.accept()
    talk.login()
    talk.say(SETUP, "genmove b 60000")
    words = talk.hear().split(maxsplit=1)
    assert words[0] == "A1"
    assert set(json.loads(words[1]) if words[1:] else {}) == keys


def test_optional_commands_an_engine_lacks_are_skipped(world):
    """Optional commands that an engine lacks are skipped."""
    lacks = "komi,time_settings,cgos-opponent_name,cgos-opponent_rating,cgos-gameover"
    world.connect(f"moves=A1,C3 lacks={lacks}")
    talk = world.accept()
    talk.login()
    talk.play_a_game()
    talk.expect("ready")
    assert not [line for line in world.heard if line.split()[0] in lacks.split(",")]
    assert not [line for line in world.heard if line.startswith("time_left")]
