"""The CGOS client as a process, against a server that follows a script on the loopback."""

import contextlib
import json
import signal
import socket
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.e2e.cgos_peer import SETUP, Talk, config, eventually, heard, play_a_game, records

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def test_games_are_played_as_the_official_client_would(peer, client, tmp_path):
    one = client(config(peer, tmp_path, "moves=A1,C3"))
    with peer.accept() as talk:
        talk.login("protocol")
        talk.say("info Games in progress: 0 Players:2")
        play_a_game(talk)
        talk.expect("ready")
        talk.say("setup 8 9 -0.5 300000 linus(1510?) rival")
        talk.say("play b D4 299000")
        talk.ask("genmove w 300000", "A1")
        talk.say("gameover 2026-01-31 B+Time")
        talk.expect("ready")
        one.signal()
        talk.expect_end()
    assert one.wait() == 0
    asked = heard(tmp_path)
    times = [line for line in asked if line.startswith("time_left")]
    assert [line for line in asked if line not in times] == [
        *("start", "list_commands"),
        *("boardsize 9", "komi 5.5", "time_settings 60 0 0"),
        *("cgos-opponent_name rival", "cgos-opponent_rating 1800?", "clear_board"),
        *("genmove b", "play w B2", "genmove b", "cgos-gameover B+Resign"),
        *("boardsize 9", "komi -0.5", "time_settings 300 0 0", "cgos-opponent_name rival"),
        *("clear_board", "play b D4", "genmove w", "cgos-gameover B+Time", "quit"),
    ]
    assert [line.split()[1] for line in times] == ["b", "b", "w"]
    assert int(times[0].split()[2]) <= 60
    first, second = records(tmp_path)
    assert "RE[B+R]" in first
    assert "PB[linus]" in first
    assert "RE[B+T]" in second
    assert ";B[df];W[ai]" in second.replace("\n", "")
    assert "1 won, 1 lost" in one.log


def test_analysis_is_sent_to_servers_that_want_it(peer, client, tmp_path):
    engine = "moves=A1,C3 has=cgos-genmove_analyze,kata-genmove_analyze"
    client(config(peer, tmp_path, engine))
    with peer.accept() as talk:
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
    assert "cgos-genmove_analyze b" in heard(tmp_path)
    assert "win rate 25.0%" in records(tmp_path)[0]


@pytest.mark.parametrize(
    ("engine", "keys"),
    [
        ("kata-genmove_analyze", {"winrate", "score", "visits", "moves"}),
        ("lz-genmove_analyze", set()),  # what it says is no analysis, but it is a move
    ],
)
def test_other_analysis_becomes_what_the_server_reads(peer, client, tmp_path, engine, keys):
    client(config(peer, tmp_path, f"moves=A1 has={engine}"))
    with peer.accept() as talk:
        talk.login()
        talk.say(SETUP, "genmove b 60000")
        words = talk.hear().split(maxsplit=1)
        assert words[0] == "A1"
        assert set(json.loads(words[1]) if words[1:] else {}) == keys


def test_optional_commands_an_engine_lacks_are_skipped(peer, client, tmp_path):
    lacks = "komi,time_settings,cgos-opponent_name,cgos-opponent_rating,cgos-gameover"
    client(config(peer, tmp_path, f"moves=A1,C3 lacks={lacks}"))
    with peer.accept() as talk:
        talk.login()
        play_a_game(talk)
        talk.expect("ready")
    assert not [line for line in heard(tmp_path) if line.split()[0] in lacks.split(",")]
    assert not [line for line in heard(tmp_path) if line.startswith("time_left")]


def test_a_game_goes_on_after_the_connection_was_lost(peer, client, tmp_path):
    client(config(peer, tmp_path, "moves=A1,C3,E5"))
    with peer.accept() as talk:
        talk.login()
        talk.say(SETUP)
        talk.ask("genmove b 60000", "A1")
        talk.say("play w B2 59000")
    with peer.accept() as talk:
        talk.login()
        talk.say(f"{SETUP} A1 59500 B2 59000")
        talk.ask("genmove b 59500", "C3")
    with peer.accept() as talk:  # this time the server has not heard the answer
        talk.login()
        talk.say(f"{SETUP.replace('1800?', '1799')} A1 59500 B2 59000")
        talk.ask("genmove b 55000", "C3")
        talk.say("play w D4 58000")
        talk.ask("genmove b 55000", "E5")
        talk.say("gameover 2026-01-31 B+Resign")
        talk.expect("ready")
    asked = [line for line in heard(tmp_path) if line.split()[0] in ("play", "genmove")]
    assert asked == ["genmove b", "play w B2", "genmove b", "play w D4", "genmove b"]
    assert heard(tmp_path).count("clear_board") == 1
    assert ";B[ai];W[bh];B[cg];W[df];B[ee]" in records(tmp_path)[0].replace("\n", "")


def test_a_move_thought_about_while_the_connection_was_lost_is_not_thought_again(
    peer, client, tmp_path
):
    client(config(peer, tmp_path, "moves=A1 think=0.3"))
    with peer.accept() as talk:
        talk.login()
        talk.say(SETUP, "genmove b 60000")
        eventually(lambda: "genmove b" in heard(tmp_path))
    with peer.accept() as talk:
        talk.login()
        talk.say(SETUP)
        talk.ask("genmove b 59000", "A1")
    assert heard(tmp_path).count("genmove b") == 1


def test_a_game_goes_on_in_a_new_process(peer, client, tmp_path):
    one = client(config(peer, tmp_path, "moves=A1,C3"))
    with peer.accept() as talk:
        talk.login()
        talk.say(SETUP)
        talk.ask("genmove b 60000", "A1")
        one.signal(signal.SIGKILL)
        one.wait()
    client(config(peer, tmp_path, "moves=A1,C3"))
    with peer.accept() as talk:
        talk.login()
        talk.say(f"{SETUP} A1 59500 B2 59000")
        talk.ask("genmove b 59500", "C3")
    assert heard(tmp_path)[-5:-2] == ["clear_board", "play b A1", "play w B2"]


def test_a_second_login_is_left_alone_for_longer_and_longer(peer, client, tmp_path):
    one = client(config(peer, tmp_path))
    for _ in range(3):
        with peer.accept() as talk:
            talk.login()
            talk.say("info another login is being attempted using this user name")
    eventually(lambda: one.log.count("again in") == 3)
    waits = [float(line.split()[-2]) for line in one.log.splitlines() if "again in" in line]
    assert waits == sorted(waits)


def test_the_name_is_told_in_any_state(peer, client, tmp_path):
    client(config(peer, tmp_path, "moves=A1,C3 think=0.3"))
    with peer.accept() as talk:
        talk.ask("username", "linus")
        talk.login()
        talk.ask("username", "linus")
        talk.say(SETUP, "genmove b 60000")
        talk.ask("username", "linus")  # while it thinks
        talk.expect("A1")
        talk.ask("username", "linus")
        talk.say("gameover 2026-01-31 B+Resign")
        talk.expect("ready")
        talk.ask("username", "linus")


def test_a_refused_login_is_one_line_and_status_2(peer, client, tmp_path):
    one = client(config(peer, tmp_path))
    with peer.accept() as talk:
        talk.login()
        talk.say("Error: Sorry, password doesn't match")
        talk.expect_end()
    assert one.wait() == 2
    line = one.log.splitlines()[-1]
    assert line == (
        "linage-bot: linus@local: the server says: Sorry, password doesn't match;"
        " leaving the server"
    )


def test_an_error_later_on_is_no_reason_to_stay_away(peer, client, tmp_path):
    client(config(peer, tmp_path, "moves=A1,C3"))
    with peer.accept() as talk:
        talk.login()
        play_a_game(talk)
        talk.expect("ready")
        talk.say("Error: the server is going down")
        talk.expect_end()
    with peer.accept() as talk:
        talk.login()
        talk.say("Error: too many connections")
        talk.expect_end()
    with peer.accept() as talk:
        talk.login()


@pytest.mark.parametrize(
    "line",
    [
        b"x" * 70_000 + b"\n",
        b"x" * 70_000,
        b"\xff\xfe\n",
        b"setup 7 9\n",
        b"genmove b 60000\n",
        b"play w D4 60000\n",
        b"setup 7 9 5.5 60000 alice bob\n",
        f"{SETUP}\ngenmove w 5000\n".encode(),
        f"{SETUP}\nplay b D4 5000\n".encode(),
    ],
)
def test_a_server_that_breaks_the_protocol_is_left_and_tried_again(peer, client, tmp_path, line):
    one = client(config(peer, tmp_path))
    with peer.accept() as talk:
        talk.login()
        talk.socket.sendall(line)
        talk.expect_end()
    with peer.accept() as talk:
        talk.login()
    assert "broke the protocol" in one.log


def test_lines_it_does_not_know_are_no_matter(peer, client, tmp_path):
    client(config(peer, tmp_path, "moves=A1,C3"))
    with peer.accept() as talk:
        talk.login()
        talk.say("ok", "", "# hello", "match 1 - - 9 0 a b -")
        play_a_game(talk)
        talk.expect("ready")


pieces = st.one_of(
    st.binary(max_size=40),
    st.sampled_from([b"setup 7 9 5.5 1000 linus rival", b"genmove w 1000", b"play b D4 1000"]),
    st.sampled_from([b"gameover 2026-01-31 W+1", b"protocol", b"password", b"Error: x", b"info"]),
    st.sampled_from([b"play b D4# 1", b"setup 7 9 5.5 1000 linus ri#al", b"protocol x y=#"]),
    st.sampled_from([b"play b ", b"genmove", b"setup", b"\r", b"\n\n", b"\x00", b"9" * 400]),
)


def test_whatever_a_server_sends_the_client_lives_and_comes_back(peer, client, tmp_path):
    one = client(config(peer, tmp_path, "moves=A1,C3"))

    @settings(max_examples=40, suppress_health_check=list(HealthCheck))
    @given(st.lists(pieces, max_size=8), st.booleans())
    def send(sent, logged_in):
        with peer.accept() as talk:
            if logged_in:
                talk.login()
                talk.say("info welcome")
            _send(talk, b"\n".join(sent) + b"\n")

    # Once it is known to the server a refusal cannot be for good.
    with peer.accept() as talk:
        talk.login()
        talk.say("info welcome")
    send()
    with peer.accept() as talk:
        talk.login()
        play_a_game(talk)
    assert one.process.poll() is None


def _send(talk: Talk, data: bytes) -> None:
    with contextlib.suppress(OSError):  # the client may leave at any byte
        talk.socket.sendall(data)
        talk.socket.shutdown(socket.SHUT_WR)
        while talk.socket.recv(65536):
            pass
