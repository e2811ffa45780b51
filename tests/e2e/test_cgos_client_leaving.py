"""How a CGOS client leaves, alone and with others, and what it takes along."""

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
    SETUP,
    Peer,
    alive,
    config,
    eventually,
    heard,
    play_a_game,
    records,
)
from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS, ROOT

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


def test_the_first_signal_finishes_the_game_and_leaves(peer, client, tmp_path):
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


def test_a_game_is_finished_even_if_the_connection_is_lost_meanwhile(peer, client, tmp_path):
    one = client(config(peer, tmp_path, "moves=A1,C3"))
    with peer.accept() as talk:
        talk.login()
        talk.say(SETUP)
        talk.ask("genmove b 60000", "A1")
        one.signal()
        eventually(lambda: "finishing" in one.log)
    with peer.accept() as talk:
        talk.login()
        talk.say(f"{SETUP} A1 59500 B2 59000")
        talk.ask("genmove b 60000", "C3")
        talk.say("gameover 2026-01-31 B+1")
        talk.expect_end()
    assert one.wait() == 0


def test_the_second_signal_quits_at_once_with_all_that_it_started(peer, client, tmp_path):
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


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("tcp:127.0.0.1:99999", "port '99999' is not a number from 1 to 65535"),
        ("tcp:127.0.0.1:1:timeout=x", "timeout 'x' is not a number"),
        ("tls:127.0.0.1:1:certificate=/no/such", "/no/such: No such file or directory"),
        (f"tcp:{'x' * 70}.org:6867", "no machine can be called 'xxx"),
    ],
)
def test_an_address_that_cannot_be_is_one_line_and_status_2(
    peer, client, tmp_path, address, reason
):
    one = client(config(peer, tmp_path).replace(peer.address, address))
    assert one.wait() == 2
    assert f"servers.local.address: '{address}'" in one.log
    assert reason in one.log
    assert one.log.count("\n") == 1


def test_a_folder_for_records_that_cannot_be_is_told_before_a_game_is_played(
    peer, client, tmp_path
):
    (tmp_path / "sgf").touch()
    one = client(config(peer, tmp_path))
    assert one.wait() == 2
    assert one.log.endswith(f"sgf: {tmp_path / 'sgf'} is not a folder\n")


def test_the_kill_file_finishes_the_game_and_leaves(peer, client, tmp_path):
    kill = tmp_path / "kill"
    text = config(peer, tmp_path, "moves=A1", top=f"kill_file = {json.dumps(str(kill))}")
    one = client(text)
    with peer.accept() as talk:
        talk.login()
        talk.say(SETUP)
        talk.ask("genmove b 60000", "A1")
        kill.touch()
        eventually(lambda: "finishing" in one.log)
        talk.say("gameover 2026-01-31 B+1")
        talk.expect_end()
    assert one.wait() == 0
    two = client(text)
    assert two.wait() == 2
    assert "kill_file" in two.log


def test_a_number_of_games_is_played_and_no_more(peer, client, tmp_path):
    one = client(config(peer, tmp_path, "moves=A1,C3", player="games = 2"))
    with peer.accept() as talk:
        talk.login()
        play_a_game(talk)
        talk.expect("ready")
        play_a_game(talk)
        talk.expect_end()
    assert one.wait() == 0


def test_seats_do_not_disturb_one_another(peer, client, tmp_path):
    other = Peer()
    text = config(peer, tmp_path, "moves=A1,C3", player='server = "local"')
    text += f"""
[[players]]
name = "linda"
server = "other"
password_env = "CGOS_PASSWORD"
[servers.other]
address = "{other.address}"
"""
    one = client(text)
    with peer.accept() as talk, other.accept() as second:
        talk.login()
        second.login(name="linda")
        talk.say(SETUP)
        second.say("Error: Sorry, password doesn't match")
        second.expect_end()
        talk.ask("genmove b 60000", "A1")
        talk.say("gameover 2026-01-31 B+1")
        talk.expect("ready")
        one.signal()
        talk.expect_end()
    assert one.wait() == 2
    other.close()


def test_a_terminal_shows_what_each_player_is_at(peer, tmp_path):
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
        with contextlib.suppress(OSError):  # how Linux says that nobody holds the other end
            while data := os.read(ours, 65536):
                shown += data
        assert process.wait(PATIENCE_SECONDS) == 0
    os.close(ours)
    assert b"linage-bot: linus@local: game 7: B+1 (1 won, 0 lost)\r\n" in shown
    assert b"Traceback" not in shown


def test_the_engine_dies_with_a_client_that_is_killed(peer, client, tmp_path):
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
