"""A player on a server, from login to the end, with lost connections in between."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.linage_bot.servers.cgos_client.talk import SETUP


def test_games_are_played_as_the_official_client_would(world):
    """Games follow the official client's order of commands, and each one is recorded."""
    world.connect("moves=A1,C3")
    talk = world.accept()
    talk.login("protocol")
    talk.say("info Games in progress: 0 Players:2")
    talk.play_a_game()
    talk.expect("ready")
    talk.say("setup 8 9 -0.5 300000 linus(1510?) rival")
    talk.say("play b D4 299000")
    talk.ask("genmove w 300000", "A1")
    talk.say("gameover 2026-01-31 B+Time")
    talk.expect("ready")
    world.signal()
    talk.expect_end()
    assert world.wait() == 0
    assert world.heard == [
        *("start", "list_commands"),
        *("boardsize 9", "komi 5.5", "time_settings 60 0 0"),
        *("cgos-opponent_name rival", "cgos-opponent_rating 1800?", "clear_board"),
        *("time_left b 60 0", "genmove b", "play w B2", "time_left b 59 0", "genmove b"),
        *("cgos-gameover B+Resign", "boardsize 9", "komi -0.5", "time_settings 300 0 0"),
        *("cgos-opponent_name rival", "clear_board", "play b D4", "time_left w 300 0"),
        *("genmove w", "cgos-gameover B+Time", "quit"),
    ]
    first, second = world.records()
    assert "RE[B+R]" in first
    assert "PB[linus]" in first
    assert ";B[df];W[ai]" in second.replace("\n", "")
    assert "1 won, 1 lost" in world.log


def test_a_game_goes_on_after_the_connection_was_lost(world):
    """After a lost connection the engine gets only the missing moves."""
    world.connect("moves=A1,C3,E5")
    talk = world.accept()
    talk.login()
    talk.say(SETUP)
    talk.ask("genmove b 60000", "A1")
    talk.say("play w B2 59000")
    talk.close()
    talk = world.accept()
    talk.login()
    talk.say(f"{SETUP} A1 59500 B2 59000")
    talk.ask("genmove b 59500", "C3")
    talk.close()  # this time the server has not received the answer
    talk = world.accept()
    talk.login()
    talk.say(f"{SETUP.replace('1800?', '1799')} A1 59500 B2 59000")
    talk.ask("genmove b 55000", "C3")
    talk.say("play w D4 58000")
    talk.ask("genmove b 55000", "E5")
    talk.say("gameover 2026-01-31 B+Resign")
    talk.expect("ready")
    asked = [line for line in world.heard if line.split()[0] in ("play", "genmove")]
    assert asked == ["genmove b", "play w B2", "genmove b", "play w D4", "genmove b"]
    assert world.heard.count("clear_board") == 1
    assert ";B[ai];W[bh];B[cg];W[df];B[ee]" in world.records()[0].replace("\n", "")


def test_a_move_thought_about_while_the_connection_was_lost_is_not_thought_again(world):
    """A move found while disconnected is sent on the new connection without a second search."""
    world.connect("moves=A1 think=5")
    talk = world.accept()
    talk.login()
    talk.say(SETUP, "genmove b 60000")
    talk.close()
    talk = world.accept()
    talk.login()
    talk.say(SETUP)
    talk.ask("genmove b 59000", "A1")
    assert world.heard.count("genmove b") == 1


def test_an_engine_thinks_on_however_often_the_connection_is_lost(world):
    """The engine's search continues through any number of lost connections."""
    world.connect("moves=A1,C3,E5 think=10")
    talk = world.accept()
    talk.login()
    talk.say(SETUP)
    talk.ask("genmove b 60000", "A1")
    talk.say("play w B2 59000", "genmove b 50250")
    talk.close()
    talk = world.accept()
    talk.login()
    talk.say(f"{SETUP} A1 50250 B2 59000")
    talk.ask("genmove b 49000", "C3")
    talk.say("play w D4 58000", "genmove b 40500")
    talk.close()
    talk = world.accept()
    talk.login()
    talk.say(f"{SETUP} a1 50250 b2 59000 c3 40500 d4 58000")  # as some servers write them
    talk.ask("genmove b 39000", "E5")
    assert world.heard.count("start") == 1
    assert world.heard.count("genmove b") == 3
    assert "# interrupt" not in world.heard


def test_nobody_logs_in_before_the_engine_has_compiled(world):
    """The player logs in only after its engine has compiled."""
    world.connect(
        "moves=A1 compile=100 has=linage-game,linage-compile",
        server='game = "linage"\noptions = {line = 4}',
    )
    talk = world.accept()
    began = world.reactor.seconds()
    talk.login()
    assert world.reactor.seconds() - began >= 100
    assert world.heard[-2:] == ["linage-game linage line=4", "linage-compile"]
    talk.say(SETUP)
    talk.ask("genmove b 60000", "A1")
    asked = world.heard.count("linage-compile")
    talk.close()
    world.accept().login()
    assert world.heard.count("linage-compile") == asked


def test_a_login_that_is_late_because_the_engine_compiles_is_tried_again(world):
    """A login that came too late because of compiling is retried."""
    world.connect("moves=A1 compile=100 has=linage-game,linage-compile", server='game = "linage"')
    talk = world.accept()
    talk.say("protocol genmove_analyze linage")
    world.reactor.advance(60)
    talk.say("Error: no login in time")
    talk.expect_end()
    talk = world.accept()
    talk.login()
    talk.say(SETUP)
    talk.ask("genmove b 60000", "A1")


def test_the_name_is_told_in_any_state(world):
    """The player answers `username` at any time, even while its engine searches."""
    world.connect("moves=A1,C3 think=3")
    talk = world.accept()
    talk.ask("username", "linus")
    talk.login()
    talk.ask("username", "linus")
    talk.say(SETUP, "genmove b 60000")
    talk.ask("username", "linus")
    talk.expect("A1")
    talk.say("gameover 2026-01-31 B+Resign")
    talk.expect("ready")
    talk.ask("username", "linus")


def test_a_refused_login_is_for_the_user_to_fix(world):
    """A refused login ends the client with status 2 and the server's reason."""
    world.connect()
    talk = world.accept()
    talk.login()
    talk.say("Error: Sorry, password doesn't match")
    talk.expect_end()
    assert world.wait() == 2
    assert "password doesn't match; leaving the server" in world.log


def test_who_is_still_logged_on_tries_again_until_the_old_connection_is_gone(world):
    """A player that is still logged on retries until the old connection is gone."""
    world.connect("moves=A1,C3")
    began = world.reactor.seconds()
    for _ in range(4):
        talk = world.accept()
        talk.say("protocol genmove_analyze")
        talk.hear()
        talk.ask("username", "linus")
        talk.say("Error: You are already logged on!  Closing connection.")
        talk.expect_end()
    talk = world.accept()
    assert world.reactor.seconds() - began > 10  # 1 + 2 + 4 + 8, a fifth less at most
    talk.login()
    talk.play_a_game()
    talk.expect("ready")
    assert world.running


def test_an_error_after_the_login_is_a_reason_to_try_again(world):
    """After an error later than the login the player connects again."""
    world.connect("moves=A1,C3")
    talk = world.accept()
    talk.login()
    talk.play_a_game()
    talk.expect("ready")
    talk.say("Error: the server is going down")
    talk.expect_end()
    talk = world.accept()
    talk.login()
    talk.say("Error: too many connections")
    talk.expect_end()
    world.accept().login()


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
def test_a_server_that_breaks_the_protocol_is_left_and_tried_again(world, line):
    """A server that breaks the protocol is logged, left and tried again."""
    world.connect()
    talk = world.accept()
    talk.login()
    talk.send(line)
    talk.expect_end()
    world.accept().login()
    assert "broke the protocol" in world.log


def test_lines_it_does_not_know_are_no_matter(world):
    """Unknown lines of the server are ignored."""
    world.connect("moves=A1,C3")
    talk = world.accept()
    talk.login()
    talk.say("ok", "", "# hello", "match 1 - - 9 0 a b -")
    talk.play_a_game()
    talk.expect("ready")


pieces = st.one_of(
    st.binary(max_size=40),
    st.sampled_from([b"setup 7 9 5.5 1000 linus rival", b"genmove w 1000", b"play b D4 1000"]),
    st.sampled_from([b"gameover 2026-01-31 W+1", b"protocol", b"password", b"Error: x", b"info"]),
    st.sampled_from([b"play b D4# 1", b"setup 7 9 5.5 1000 linus ri#al", b"protocol x y=#"]),
    st.sampled_from([b"play b ", b"genmove", b"setup", b"\r", b"\n\n", b"\x00", b"9" * 400]),
)


def test_whatever_a_server_sends_the_client_lives_and_comes_back(world):
    """After any input from the server the client connects again."""
    world.connect("moves=A1,C3")
    talk = world.accept()
    talk.login()
    talk.say("info welcome")
    talk.close()

    @settings(max_examples=examples(200), suppress_health_check=list(HealthCheck), deadline=None)
    @given(st.lists(pieces, max_size=8), st.booleans())
    def send(sent, logged_in):
        talk = world.accept()
        if logged_in:
            talk.login()
            talk.say("info welcome")
        talk.send(b"\n".join(sent) + b"\n")
        talk.close()

    send()
    talk = world.accept()
    talk.login()
    talk.play_a_game()
    assert world.running
