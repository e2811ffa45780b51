"""Starting and stopping the client, with one or more players."""

import json

import pytest

from linage_bot.settings.checks import SettingFault
from tests.linage_bot.servers.cgos_client.talk import SETUP


def test_the_first_signal_finishes_the_game_and_leaves(world):
    """The first signal finishes the current game, sends quit to the engine and ends the client."""
    world.connect("moves=A1,C3")
    talk = world.accept()
    talk.login()
    talk.say(SETUP)
    talk.ask("genmove b 60000", "A1")
    world.signal()
    talk.say("play w B2 59000")
    talk.ask("genmove b 60000", "C3")
    talk.say("gameover 2026-01-31 B+1")
    talk.expect_end()
    assert world.wait() == 0
    assert world.heard[-1] == "quit"


def test_a_signal_between_two_games_leaves_at_once(world):
    """A signal between games ends the client at once, even without a connection."""
    world.connect()
    world.refuse()
    world.signal()
    assert world.wait() == 0


def test_a_signal_while_the_engine_hears_of_the_end_starts_no_new_engine(world):
    """A signal during the engine's end of a game starts no new engine."""
    world.connect("moves=A1,C3 mourn=5")
    talk = world.accept()
    talk.login()
    talk.play_a_game()
    world.signal()
    talk.expect_end()
    assert world.wait() == 0
    assert world.heard.count("start") == 1


def test_a_game_is_finished_even_if_the_connection_is_lost_meanwhile(world):
    """After a signal the game is finished even if the connection is lost in between."""
    world.connect("moves=A1,C3")
    talk = world.accept()
    talk.login()
    talk.say(SETUP)
    talk.ask("genmove b 60000", "A1")
    world.signal()
    talk.close()
    talk = world.accept()
    talk.login()
    talk.say(f"{SETUP} A1 59500 B2 59000")
    talk.ask("genmove b 60000", "C3")
    talk.say("gameover 2026-01-31 B+1")
    talk.expect_end()
    assert world.wait() == 0


def test_nobody_waits_for_a_server_longer_than_the_clock_of_the_game_allows(world):
    """After a signal a lost server is awaited only as long as the game's clock allows."""
    world.connect("moves=A1")
    talk = world.accept()
    talk.login()
    talk.say(SETUP)
    talk.ask("genmove b 60000", "A1")
    world.signal()
    talk.close()
    begun = world.reactor.seconds()
    assert world.wait() == 0
    assert 60 <= world.reactor.seconds() - begun < 61
    assert "RE[" not in world.records()[0]


def test_nobody_waits_for_a_game_that_ended_while_the_connection_was_lost(world):
    """After a signal a game that ended while disconnected is not awaited."""
    world.connect("moves=A1")
    talk = world.accept()
    talk.login()
    talk.say(SETUP)
    talk.ask("genmove b 60000", "A1")
    talk.close()
    talk = world.accept()
    talk.login()
    talk.say("info Games in progress: 0 Players: 1")
    world.signal()
    talk.expect_end()
    assert world.wait() == 0
    assert "RE[" not in world.records()[0]


def test_the_second_signal_quits_at_once(world):
    """The second signal ends the client at once, and the record has no result."""
    world.connect("hang=0")
    talk = world.accept()
    talk.login()
    talk.say(SETUP, "genmove b 60000")
    world.signal()
    assert world.running
    world.signal()
    talk.expect_end()
    assert world.wait() == 130
    assert "RE[" not in world.records()[0]


def test_the_kill_file_finishes_the_game_and_leaves(world, tmp_path):
    """The kill file finishes the current game and ends the client."""
    kill = tmp_path / "kill"
    world.connect("moves=A1", top=f"kill_file = {json.dumps(str(kill))}")
    talk = world.accept()
    talk.login()
    talk.say(SETUP)
    talk.ask("genmove b 60000", "A1")
    kill.touch()
    world.reactor.until(lambda: "finishing" in world.log)
    talk.say("gameover 2026-01-31 B+1")
    talk.expect_end()
    assert world.wait() == 0


def test_the_kill_file_is_looked_for_again_if_it_could_not_be_looked_at(world, tmp_path):
    """The kill file is checked again after it could not be read for a while."""
    kill = tmp_path / "kill"
    world.connect(top=f"kill_file = {json.dumps(str(kill))}")
    talk = world.accept()
    talk.login()
    kill.symlink_to("x" * 300)
    world.reactor.advance(10)
    kill.unlink()
    assert world.running
    kill.touch()
    talk.expect_end()
    assert world.wait() == 0


def test_a_kill_file_that_cannot_be_looked_at_is_told_before_anything_is_begun(world, tmp_path):
    """A kill file that can never be read is refused before the start."""
    kill = tmp_path / ("x" * 300)
    world.connect(top=f"kill_file = {json.dumps(str(kill))}")
    with pytest.raises(SettingFault) as caught:
        world.wait()
    assert caught.value.key == "kill_file"
    assert str(kill) in caught.value.reason
    assert world.heard == []


@pytest.mark.parametrize("key", ["kill_file", "sgf"])
def test_what_cannot_be_is_told_before_anything_is_begun(world, tmp_path, key):
    """An existing kill file or an unusable folder for records is refused before the start."""
    here = tmp_path / "here"
    here.touch()
    world.connect(top=f"{key} = {json.dumps(str(here))}")
    with pytest.raises(SettingFault) as caught:
        world.wait()
    assert caught.value.key == key
    assert str(here) in caught.value.reason
    assert world.heard == []


def test_a_number_of_games_is_played_and_no_more(world):
    """A player leaves after the number of games in the settings."""
    world.connect("moves=A1,C3", player="games = 2")
    talk = world.accept()
    talk.login()
    talk.play_a_game()
    talk.expect("ready")
    talk.play_a_game()
    talk.expect_end()
    assert world.wait() == 0


@pytest.mark.parametrize("signalled", [False, True])
def test_the_engine_is_told_how_its_last_game_ended(world, signalled):
    """The engine receives the result of its last game."""
    world.connect("moves=A1,C3", player="games = 3" if signalled else "games = 1")
    talk = world.accept()
    talk.login()
    talk.say(SETUP)
    if signalled:
        world.signal()
    talk.ask("genmove b 60000", "A1")
    talk.say("gameover 2026-01-31 B+Resign")
    talk.expect_end()
    assert world.wait() == 0
    assert world.heard[-2:] == ["cgos-gameover B+Resign", "quit"]


def test_an_engine_that_hangs_in_its_last_game_does_not_hold_us_up(world):
    """An engine that hangs in its last game is killed and not replaced."""
    world.connect("hang=0", player="games = 1")
    talk = world.accept()
    talk.login()
    talk.say(SETUP, "genmove b 60000")
    talk.say("gameover 2026-01-31 W+Time")
    talk.expect_end()
    assert world.wait() == 0
    assert world.heard.count("start") == 1


def test_participants_do_not_disturb_one_another(world):
    """One player's refusal does not disturb the others; the exit status is the worst one."""
    other = """
[[players]]
name = "linda"
server = "other"
password_env = "CGOS_PASSWORD"
[servers.other]
address = "tcp:127.0.0.1:6868"
"""
    world.connect("moves=A1,C3", player='server = "local"', more=other)
    talk, second = world.accept(), world.accept(6868)
    talk.login()
    second.login(name="linda")
    talk.say(SETUP)
    second.say("Error: Sorry, password doesn't match")
    second.expect_end()
    talk.ask("genmove b 60000", "A1")
    talk.say("gameover 2026-01-31 B+1")
    talk.expect("ready")
    world.signal()
    talk.expect_end()
    assert world.wait() == 2
