"""The CGOS server as a process: whole games, kills in the middle of them, rude connections."""

import contextlib
import json
import random
import re
import socket
import sqlite3
import struct
import subprocess
import sys
import time
from collections import Counter

import pytest

from linage_bot.servers.cgos_server.store import ServerStore
from tests.e2e.cgos_crowd import (
    Administrator,
    Line,
    Player,
    Server,
    Viewer,
    configured,
    crowd,
    eventually,
    serving,
)
from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS

FAST = "[pairing]\ninterval_seconds = 0.05\npatience_seconds = 0\n[ratings]\ninterval_seconds = 0.2"
BY_HAND = "[pairing]\nautomatic = false\n[clock]\nlevel_ms = 100000"


def recorded(server: Server) -> ServerStore:
    """Open the server's database to read all that is committed."""
    database = sqlite3.connect(f"{server.database.absolute().as_uri()}?mode=ro", uri=True)
    closing = contextlib.ExitStack()
    closing.callback(database.close)
    return ServerStore(database, closing)


def check_records(server: Server, game, players: list[Player]) -> list:
    """Check that recorded games are legal and match the moves and results sent to players."""
    store = recorded(server)
    rows = store.finished_games()
    for row in rows:
        position = game.start()
        moves = [move.move for move in store.moves(row.number)]
        for word in moves:
            position = position.play(-1 if word == "pass" else game.board.point(word))
        assert position.over
        assert row.result == (str(position.result()) if position.result().winner is not None
                              else "Draw")  # fmt: skip
        for player in players:
            if player.name in (row.first, row.second):
                seen = player.seen.get(row.number, [])
                assert seen == moves[: len(seen)]
    told = Counter((player.name, number) for player in players for number, _ in player.over)
    assert not told or max(told.values()) == 1
    results = {row.number: row.result for row in rows}
    for player in players:
        for number, result in player.over:
            assert results[number] == result
    store.close()
    return rows


def test_whole_games_as_players_viewer_and_records_know_them(tmp_path):
    """Players, viewers and the database agree on all games, and each player gets a rating."""
    game, games = configured("linage", "5"), 6
    with serving(tmp_path, more=FAST) as server:
        viewer = Viewer(server.port)
        viewer.start()
        with crowd(server.port, ["anna", "bert", "carl"], game) as players:
            eventually(lambda: sum(len(each.over) for each in players) >= 2 * games, server)
            eventually(lambda: len(viewer.results) >= games, server)
        viewer.stop()
        rows = check_records(server, game, players)
        store = recorded(server)
        for number, result in viewer.results.items():
            assert viewer.seen[number] == [move.move for move in store.moves(number)]
            assert rows[number - 1].result == result
        played = {name for row in rows for name in (row.first, row.second)}
        eventually(
            lambda: played == {each.name for each in store.players() if each.rating is not None},
            server,
        )
        store.close()
        assert server.page("/games/1.sgf").startswith("(;")
        assert server.stop() == 0


def play_by_hand(server: Server, players: list[Player], games: int, kills: int) -> None:
    """Start exactly this number of games, and kill the server in the middle of them."""
    store = recorded(server)
    rng = random.Random(games)
    kill_at = sorted(rng.sample(range(1, games), kills))
    administrator = Administrator(server.port)
    deadline = time.monotonic() + 5 * PATIENCE_SECONDS
    while (finished := len(store.finished_games())) < games:
        assert time.monotonic() < deadline, server.log[-3000:]
        waiting = [line.split()[0] for line in administrator.ask("who") if " waiting " in line]
        rng.shuffle(waiting)
        begun = store.last_number() == games  # or else when a game has just begun
        while len(waiting) > 1 and store.last_number() < games:
            answer = administrator.ask(f"match {waiting.pop()} {waiting.pop()}")
            assert answer[0].startswith(("match ", "player")) or " not " in answer[0], answer
            begun = begun or answer[0].startswith("match ")
        if kill_at and finished >= kill_at[0] and begun:
            kill_at.pop(0)
            time.sleep(rng.random() / 50)
            server.kill()
            administrator.close()
            server.start()
            administrator = Administrator(server.port)
        time.sleep(0.02)
    administrator.close()
    store.close()
    assert kill_at == []
    names = {player.name for player in players}
    assert all(each.name in names for each in players)


def killed_in_the_middle(tmp_path, games: int, kills: int, names: list[str]) -> None:
    game = configured("linage", "7")
    text = 'id = "linage"\nsize = 7'
    with serving(tmp_path, game=text, more=BY_HAND) as server:
        with crowd(server.port, names, game) as players:
            play_by_hand(server, players, games, kills)
        assert server.log.count("continues: ") >= min(kills, 1)
        rows = check_records(server, game, players)
        assert [row.number for row in rows] == list(range(1, games + 1))
        sgf = [int(path.stem) for path in (tmp_path / "sgf").rglob("*.sgf")]
        assert sorted(sgf) == list(range(1, games + 1))


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.thorough
def test_a_killed_server_loses_no_game_and_plays_none_twice(tmp_path):
    """After a kill of the server all players return to their games."""
    killed_in_the_middle(tmp_path, 10, 2, ["anna", "bert", "carl", "dora"])


@pytest.mark.slow
def test_ten_kills_during_a_hundred_games(tmp_path):
    """The same for long."""
    killed_in_the_middle(tmp_path, 100, 10, [f"player{number}" for number in range(10)])


@pytest.mark.thorough
def test_a_slow_reader_is_dropped_alone(tmp_path):
    """A client that does not read its answers is disconnected without affecting other clients."""
    more = "unread_bytes = 65536\nmessages_per_second = 1000000.0\n" + FAST
    game = configured("linage", "5")
    with serving(tmp_path, more=more) as server, crowd(server.port, ["anna", "bert"], game) as two:
        viewer = Viewer(server.port)
        viewer.start()
        eventually(lambda: two[0].over, server)
        slow = socket.socket()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", server.port))
        slow.settimeout(PATIENCE_SECONDS)
        with contextlib.suppress(OSError):  # dropped
            slow.sendall(b"v1 slow\n")
            for _ in range(10_000):
                slow.sendall(b"observe 1\n" * 100)
        eventually(lambda: "127.0.0.1 does not read" in server.log, server)
        slow.close()
        finished = len(two[0].over)
        eventually(lambda: len(two[0].over) >= finished + 2, server)
        eventually(lambda: len(viewer.results) >= 2, server)
        viewer.stop()
        assert server.log.count("does not read") == 1


NASTY = [
    b"",
    b"\n" * 1000,
    b"\x00" * 5000,
    b"\xff\xfe\xfd\n" * 50,
    b"e1\n\n\n",
    b"e1 x\nanna\n" + b"p" * 200_000 + b"\n",
    b"e1 x\nnasty\nsecret\nready\nready\nC3\npass\nresign\nusername\n" + b"{" * 70_000 + b"\n",
    b"v1 x\nobserve\nobserve x y\nobserve -5\nobserve 1 2\nquit\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"e1 x\r\nnasty\r\nsecret\r\nquit\r\n",
    b"e1 \xf0\x9f\x98\x80\n\xf0\x9f\x98\x80\n",
]


@pytest.mark.thorough
def test_rude_connections_leave_no_traceback_and_affect_nobody(tmp_path):
    """Games continue while other clients send rubbish and vanish."""
    game = configured("linage", "5")
    with serving(tmp_path, more=FAST) as server, crowd(server.port, ["anna", "bert"], game) as two:
        eventually(lambda: two[0].over, server)
        rng = random.Random(7)
        for round_, nasty in enumerate([*NASTY, *NASTY, *NASTY]):
            peer = socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS)
            with contextlib.suppress(ConnectionError):
                for start in range(0, len(nasty), 1 + len(nasty) // rng.randint(1, 5)):
                    peer.sendall(nasty[start : start + 1 + len(nasty) // 5])
            if round_ % 3 == 1:  # a reset instead of a good-bye
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            elif round_ % 3 == 2:
                with contextlib.suppress(OSError):
                    peer.shutdown(socket.SHUT_WR)
                    peer.recv(100)
            peer.close()
        finished = len(two[0].over)
        eventually(lambda: len(two[0].over) >= finished + 2, server)
        assert "players" in server.page("/status")


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="no limits for processes")
def test_a_server_that_cannot_write_ends_with_one_line_and_goes_on_later(tmp_path):
    """On a full disk, no move is sent to players before it is written."""
    import resource

    game = configured("linage", "5")
    with serving(tmp_path, more=FAST) as server:
        with crowd(server.port, ["anna", "bert"], game) as players:
            eventually(lambda: players[0].over, server)
            limit = 4096 * 30, 4096 * 30
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, limit)
            status = server.wait()
            assert status == 1  # a service manager shall try again
            assert server.log.splitlines()[-1].startswith("linage-bot: ")
            assert "database: " in server.log.splitlines()[-1]
            server.start()
            finished = len(players[0].over)
            eventually(lambda: len(players[0].over) > finished + 1, server)
        check_records(server, game, players)


@pytest.mark.skipif(sys.platform == "win32", reason="no limits for processes")
def test_a_full_disk_at_the_start_is_one_line_and_status_1(tmp_path):
    """A full disk at the start exits with status 1, so that a service manager tries again."""
    import resource

    file = tmp_path / "server.toml"
    file.write_text('name = "x"\nlisten = "tcp:0"\ndatabase = "server.sqlite"\n')
    process = subprocess.Popen(
        [sys.executable, "-m", "linage_bot", "serve", "cgos", str(file)],
        env=ENVIRONMENT,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (0, 0))
    _, log = process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 1
    assert log.startswith(f"linage-bot: {file}: database: server.sqlite: ")
    assert log.count("\n") == 1


FULL_IN_THE_END = """
from linage_bot.cli import main
from linage_bot.servers.cgos_server.server import Server
from linage_bot.settings.checks import SettingFault

def stop(self):
    raise SettingFault("database", "disk full", passing=True)

Server.stop = stop
main()
"""


def test_a_disk_that_is_full_when_the_server_stops_is_one_line_and_status_1(tmp_path):
    """A full disk is one error line, without errors of the stopping reactor."""
    file = tmp_path / "server.toml"
    listen = "tcp:0:interface=127.0.0.1"
    file.write_text(f'name = "x"\nlisten = "{listen}"\ndatabase = "server.sqlite"\n')
    process = subprocess.Popen(
        [sys.executable, "-c", FULL_IN_THE_END, "serve", "cgos", str(file)],
        env=ENVIRONMENT,
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
    )
    *_, port = process.stderr.readline().split()
    player = Line(int(port))
    assert player.hear().startswith("protocol ")  # it runs, and minds signals
    process.terminate()
    _, log = process.communicate(timeout=PATIENCE_SECONDS)
    player.close()
    assert log == f"linage-bot: {file}: database: disk full\n"
    assert process.returncode == 1


@pytest.mark.thorough
def test_what_the_user_has_to_fix_is_one_line_and_status_2(tmp_path):
    """The error names the setting, and another running server is not disturbed."""
    with serving(tmp_path) as server:
        file = tmp_path / "server.toml"
        busy = tmp_path / "busy.toml"
        busy.write_text(file.read_text().replace("server.sqlite", "other.sqlite"))
        lost = tmp_path / "lost.toml"
        words = f"sgf = {json.dumps(str(file))}\n"
        lost.write_text(words + re.sub("(?m)^sgf = .*$", "", busy.read_text()))
        for path, reason in [
            (file, "database: "),
            (busy, "listen: "),
            (lost, f"sgf: {file} is not a folder"),
            (tmp_path / "none.toml", "No such file"),
        ]:
            done = subprocess.run(
                [sys.executable, "-m", "linage_bot", "serve", "cgos", str(path)],
                env={**ENVIRONMENT, "CGOS_ADMIN_PASSWORD": "secret"},
                capture_output=True,
                text=True,
                timeout=PATIENCE_SECONDS,
                check=False,
            )
            assert done.returncode == 2
            assert reason in done.stderr
            assert done.stderr.count("\n") == 1
        assert server.process.poll() is None
