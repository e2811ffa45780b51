"""The engine of a player: failures, and the game that it is set to."""

import pytest

from linage_bot.records.reading import from_sgf
from linage_bot.settings.checks import SettingFault
from tests.linage_bot.servers.cgos_client.talk import SETUP


def test_an_engine_that_dies_is_started_again_and_goes_on(world):
    """An engine that dies is restarted, set to the position and sent `genmove` again."""
    world.connect("moves=A1,C3,E5 die_once=yes")
    talk = world.accept()
    talk.login()
    talk.say(f"{SETUP} A1 59500 B2 59000")
    talk.ask("genmove b 60000", "C3")
    talk.say("gameover 2026-01-31 B+Resign")
    talk.expect("ready")
    assert world.heard.count("start") == 2
    assert world.heard.count("play w B2") == 2


@pytest.mark.parametrize("fault", ["die=0", "nonsense=0", "refuse=0", "hang=0"])
def test_an_engine_that_fails_twice_in_a_game_resigns(world, fault):
    """An engine that fails twice in a game resigns; after too many such games the player leaves."""
    world.connect(fault, top="max_failures = 2")
    talk = world.accept()
    talk.login()
    talk.say(SETUP)
    talk.ask("genmove b 60000", "resign")
    talk.say("gameover 2026-01-31 W+Resign")
    talk.expect("ready")
    talk.say(SETUP.replace("setup 7", "setup 8"))
    talk.ask("genmove b 60000", "resign")
    talk.say("gameover 2026-01-31 W+Resign")
    talk.expect_end()
    assert world.wait() == 1
    assert "failed in 2 games in succession" in world.log
    assert world.heard.count("genmove b") == 4


def test_an_engine_that_hangs_is_killed_when_its_game_is_over(world):
    """An engine that hangs is interrupted, killed after its game and restarted for the next."""
    world.connect("moves=A1 hang=2")
    talk = world.accept()
    talk.login()
    talk.say(SETUP)
    talk.ask("genmove b 60000", "A1")
    talk.say("play w B2 59000", "genmove b 100")
    talk.say("gameover 2026-01-31 W+Time")
    talk.expect("ready")
    assert "# interrupt" in world.heard
    talk.say(SETUP.replace("setup 7", "setup 8"))
    talk.ask("genmove b 60000", "A1")
    assert world.heard.count("start") == 2


def test_an_engine_that_obeyed_is_not_killed_in_its_next_game(world):
    """An engine that obeyed the interrupt is not killed in its next game."""
    world.connect("moves=A1 think=10 heeds=yes")
    talk = world.accept()
    talk.login()
    talk.say(SETUP, "genmove b 60000")
    talk.say("gameover 2026-01-31 W+Time")
    talk.expect("ready")
    talk.say(SETUP.replace("setup 7", "setup 8"))
    talk.ask("genmove b 60000", "A1")
    assert world.heard.count("# interrupt") == 1
    assert world.heard.count("start") == 1


def test_an_engine_that_cannot_be_started_is_a_wrong_setting(world):
    """An engine that cannot be started is reported as a wrong setting, before any game."""
    world.connect("moves=A1", more="[engines.broken]\ncommand = 'no-such-program'\n"
                  "[[players]]\nname = 'lina'\nengine = 'broken'\npassword_env = 'CGOS_PASSWORD'",
                  player="engine = 'test'")  # fmt: skip
    with pytest.raises(SettingFault) as caught:
        world.wait()
    assert caught.value.key == "engines.broken.command"


def test_the_engine_is_told_the_game_that_the_server_names(world):
    """The engine and the record get the game and options that the server announces."""
    world.connect("moves=A1,C3 has=linage-game")
    talk = world.accept()
    talk.login("protocol genmove_analyze linage line=4 button=on")
    talk.play_a_game()
    talk.expect("ready")
    asked = world.heard
    assert asked[asked.index("clear_board") :][:3] == [
        *("clear_board", "linage-game linage line=4 button=on", "boardsize 9"),
    ]
    record = from_sgf(world.records()[0].encode())
    assert record.game.settings() == {"line": "4", "button": "on", "edition": "current"}
    assert (record.game.komi, record.result, record.players) == (5.5, "B+R", ("linus", "rival"))
    assert len(record.history().positions) == 4


def test_the_game_may_be_named_in_the_file(world):
    """The game may be set in the file for servers that do not announce it."""
    world.connect("moves=A1,C3 has=linage-game", server='game = "linage"\noptions = {line = 4}')
    talk = world.accept()
    talk.login()
    talk.play_a_game()
    talk.expect("ready")
    assert "linage-game linage line=4" in world.heard


@pytest.mark.parametrize(
    ("engine", "server", "protocol"),
    [
        ("has=linage-game", "", "protocol"),
        ("", 'game = "leblin"', "protocol genmove_analyze linage"),
        ("has=gogui-rules_game_id id=Leblin", "", "protocol genmove_analyze linage"),
    ],
)
def test_another_game_than_the_servers_is_for_the_user_to_fix(world, engine, server, protocol):
    """If engine and server disagree on the game, the client ends with status 2 and says so."""
    world.connect(engine, server=server)
    talk = world.accept()
    talk.say(protocol)
    while talk.hear():
        pass
    assert world.wait() == 2
    (line,) = [line for line in world.log.splitlines() if line.endswith("; leaving the server")]
    assert "game" in line or "play" in line


@pytest.mark.parametrize("server", ["", 'game = "linage"'])
def test_an_engine_that_plays_the_servers_game_is_welcome(world, server):
    """An engine that reports the server's game is accepted."""
    world.connect("moves=A1,C3 has=gogui-rules_game_id id=Linage", server=server)
    talk = world.accept()
    talk.login()
    talk.play_a_game()
    talk.expect("ready")
