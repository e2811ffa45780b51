"""The CGOS client as a process with its engine's, against a server that follows a script."""

import contextlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.cgos_peer import (
    PASSWORD,
    alive,
    config,
    eventually,
    heard,
    records,
)
from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS, ROOT
from tests.linage_bot.servers.cgos_client.talk import SETUP

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def test_games_are_played_as_the_official_client_would(peer, client, tmp_path):
    """Two games with a real engine have the official client's dialogue."""
    one = client(config(peer, tmp_path, "moves=A1,C3"))
    with peer.accept() as talk:
        talk.login("protocol")
        talk.say("info Games in progress: 0 Players:2")
        talk.play_a_game()
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


@pytest.mark.thorough
def test_a_game_goes_on_in_a_new_process(peer, client, tmp_path):
    """A client that was killed finds its game again."""
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


def test_a_refused_login_is_one_line_and_status_2(peer, client, tmp_path):
    """Status 2 shows a script that the user has to fix the login."""
    one = client(config(peer, tmp_path))
    with peer.accept() as talk:
        talk.login()
        talk.say("Error: Sorry, password doesn't match")
        talk.expect_end()
    assert one.wait() == 2
    line = one.log.splitlines()[-1]
    assert line == (
        "linage-bot: linus@local: message of the server: Sorry, password doesn't match;"
        " leaving the server"
    )


def test_an_engine_that_dies_is_started_again_and_goes_on(peer, client, tmp_path):
    """A crash costs time and not the game."""
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


@pytest.mark.thorough
def test_an_engine_that_hangs_is_killed_when_its_game_is_over(peer, client, tmp_path):
    """The next game starts with a new engine process."""
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
    """The error is one line with the file and the setting."""
    text = config(peer, tmp_path).replace(json.dumps(sys.executable), '"no-such-program"')
    one = client(text)
    assert one.wait() == 2
    (line,) = one.log.splitlines()
    assert line.startswith(f"linage-bot: {tmp_path / 'client.toml'}: engines.test.command: ")


def test_the_first_signal_finishes_the_game_and_leaves(peer, client, tmp_path):
    """Ctrl-C leaves no opponent alone."""
    one = client(config(peer, tmp_path, "moves=A1,C3"))
    with peer.accept() as talk:
        talk.login()
        talk.say(SETUP)
        talk.ask("genmove b 60000", "A1")
        one.signal(signal.SIGINT)
        eventually(lambda: "finishing" in one.log)
        talk.say("play w B2 59000")
        talk.ask("genmove b 60000", "C3")
        talk.say("gameover 2026-01-31 B+1")
        talk.expect_end()
    assert one.wait() == 0
    assert heard(tmp_path)[-1] == "quit"


def test_the_second_signal_quits_at_once_with_all_that_it_started(peer, client, tmp_path):
    """The second signal ends the client and its engines at once, even during a search."""
    one = client(config(peer, tmp_path, "hang=0"))
    with peer.accept() as talk:
        talk.login()
        talk.say(SETUP, "genmove b 60000")
        eventually(lambda: "genmove b" in heard(tmp_path))
        one.signal()
        eventually(lambda: "finishing" in one.log)
        one.signal()
        talk.expect_end()
    assert one.wait() == 130
    assert "RE[" not in records(tmp_path)[0]


def test_the_second_signal_in_the_engines_start_is_not_taken_for_its_fault(peer, client, tmp_path):
    """The engine is not blamed for having been killed by us."""
    command = json.dumps([sys.executable, "-c", "import time; time.sleep(1000)"])
    text = "".join(
        f"command = {command}\n" if line.startswith("command = ") else line
        for line in config(peer, tmp_path).splitlines(keepends=True)
    )
    one = client(text)
    eventually(lambda: children(one.process.pid))
    one.signal()
    eventually(lambda: "finishing" in one.log)
    one.signal()
    assert one.wait() == 130
    assert "engines.test" not in one.log


def test_a_terminal_shows_what_each_player_is_at(peer, tmp_path):
    """Opponent, moves, time left and games won, below the log."""
    pty = pytest.importorskip("pty")
    file = tmp_path / "client.toml"
    file.write_text(config(peer, tmp_path, "moves=A1"))
    ours, theirs = pty.openpty()
    shown = b""
    with subprocess.Popen(
        [sys.executable, "-m", "linage_bot", "connect", "cgos", str(file)],
        env={**ENVIRONMENT, "CGOS_PASSWORD": PASSWORD, "TERM": "xterm", "COLUMNS": "120"},
        stderr=theirs,
        cwd=ROOT,
    ) as process:
        os.close(theirs)
        with peer.accept() as talk:
            talk.login()
            talk.say(SETUP)
            talk.ask("genmove b 60000", "A1")
            status = b"linus@local  game 7, black against rival, move 1, 60 s left  0 won, 0 lost"
            while status not in shown:
                shown += os.read(ours, 65536)
            talk.say("gameover 2026-01-31 B+1")
            talk.expect("ready")
            process.send_signal(signal.SIGTERM)
            talk.expect_end()
        with contextlib.suppress(OSError):  # Linux's way to say that the other end is closed
            while data := os.read(ours, 65536):
                shown += data
        assert process.wait(PATIENCE_SECONDS) == 0
    os.close(ours)
    assert b"linage-bot: linus@local: game 7: B+1 (1 won, 0 lost)\r\n" in shown
    assert b"Traceback" not in shown


@pytest.mark.thorough
def test_the_engine_dies_with_a_client_that_is_killed(peer, client, tmp_path):
    """No engine is left behind to eat the processor."""
    one = client(config(peer, tmp_path))
    peer.accept().close()
    engine = children(one.process.pid)
    assert engine
    one.signal(signal.SIGKILL)
    one.wait()
    eventually(lambda: not any(alive(pid) for pid in engine))


def children(parent: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(path.parent.name))
    return found
