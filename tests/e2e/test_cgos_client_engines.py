"""The engine behind a CGOS client: it fails, and it learns which game is played."""

import json
import sys

import pytest

from linage_bot.records import from_sgf
from tests.e2e.cgos_peer import SETUP, config, eventually, heard, play_a_game, records

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def test_an_engine_that_dies_is_started_again_and_goes_on(peer, client, tmp_path):
    once = tmp_path / "died"
    client(config(peer, tmp_path, f"moves=A1,C3,E5 die_once={once}"))
    with peer.accept() as talk:
        talk.login()
        talk.say(f"{SETUP} A1 59500 B2 59000")
        talk.ask("genmove b 60000", "C3")
        talk.say("gameover 2026-01-31 B+Resign")
        talk.expect("ready")
    assert heard(tmp_path).count("start") == 2
    assert heard(tmp_path).count("play w B2") == 2


@pytest.mark.parametrize("fault", ["die=0", "nonsense=0", "refuse=0"])
def test_an_engine_that_fails_twice_in_a_game_resigns(peer, client, tmp_path, fault):
    one = client(config(peer, tmp_path, fault, top="max_failures = 2"))
    with peer.accept() as talk:
        talk.login()
        talk.say(SETUP)
        talk.ask("genmove b 60000", "resign")
        talk.say("gameover 2026-01-31 W+Resign")
        talk.expect("ready")
        talk.say(SETUP.replace("setup 7", "setup 8"))
        talk.ask("genmove b 60000", "resign")
        talk.say("gameover 2026-01-31 W+Resign")
        talk.expect_end()
    assert one.wait() == 1
    assert "failed in 2 games in succession" in one.log
    assert heard(tmp_path).count("genmove b") == 4


def test_an_engine_that_hangs_is_killed_when_its_game_is_over(peer, client, tmp_path):
    client(config(peer, tmp_path, "moves=A1 hang=2"))
    with peer.accept() as talk:
        talk.login()
        talk.say(SETUP)
        talk.ask("genmove b 60000", "A1")
        talk.say("play w B2 59000", "genmove b 100")
        eventually(lambda: heard(tmp_path).count("genmove b") == 2)
        talk.say("gameover 2026-01-31 W+Time")
        talk.expect("ready")
        talk.say(SETUP.replace("setup 7", "setup 8"))
        talk.ask("genmove b 60000", "A1")
    assert heard(tmp_path).count("start") == 2


def test_an_engine_that_cannot_be_started_is_one_line_and_status_2(peer, client, tmp_path):
    text = config(peer, tmp_path).replace(json.dumps(sys.executable), '"no-such-program"')
    one = client(text)
    assert one.wait() == 2
    (line,) = one.log.splitlines()
    assert line.startswith(f"linage-bot: {tmp_path / 'client.toml'}: engines.test.command: ")


def test_the_engine_is_told_the_game_that_the_server_names(peer, client, tmp_path):
    client(config(peer, tmp_path, "moves=A1,C3 has=linage-game"))
    with peer.accept() as talk:
        talk.login("protocol genmove_analyze linage line=4 button=on")
        play_a_game(talk)
        talk.expect("ready")
    asked = heard(tmp_path)
    assert asked[asked.index("clear_board") :][:3] == [
        *("clear_board", "linage-game linage line=4 button=on", "boardsize 9"),
    ]
    record = from_sgf(records(tmp_path)[0].encode())
    assert record.game.settings() == {"line": "4", "button": "on", "edition": "current"}
    assert (record.game.komi, record.result, record.players) == (5.5, "B+R", ("linus", "rival"))
    assert len(record.history().positions) == 4


def test_the_game_may_be_named_in_the_file(peer, client, tmp_path):
    server = 'game = "linage"\noptions = {line = 4}'
    client(config(peer, tmp_path, "moves=A1,C3 has=linage-game", server=server))
    with peer.accept() as talk:
        talk.login()
        play_a_game(talk)
        talk.expect("ready")
    assert "linage-game linage line=4" in heard(tmp_path)


@pytest.mark.parametrize(
    ("engine", "server", "protocol"),
    [
        ("has=linage-game", "", "protocol"),
        ("", 'game = "leblin"', "protocol genmove_analyze linage"),
        ("has=gogui-rules_game_id id=Leblin", "", "protocol genmove_analyze linage"),
    ],
)
def test_another_game_than_the_servers_is_one_line_and_status_2(
    peer, client, tmp_path, engine, server, protocol
):
    one = client(config(peer, tmp_path, engine, server=server))
    with peer.accept() as talk:
        talk.say(protocol)
        while talk.hear():
            pass
    assert one.wait() == 2
    assert one.log.splitlines()[-1].endswith("; leaving the server")
    assert "play" in one.log.splitlines()[-1]


@pytest.mark.parametrize("server", ["", 'game = "linage"'])
def test_an_engine_that_plays_the_servers_game_is_welcome(peer, client, tmp_path, server):
    engine = "moves=A1,C3 has=gogui-rules_game_id id=Linage"
    client(config(peer, tmp_path, engine, server=server))
    with peer.accept() as talk:
        talk.login()
        play_a_game(talk)
        talk.expect("ready")
