"""A load test of the CGOS server: python benchmarks/cgos_load.py [PLAYERS] [SECONDS]

Runs a real server process on the loopback interface and PLAYERS (200) players, all in this process
and each with a socket. The players answer at once with the next move of one of several random games
prepared beforehand, so that they cost little. Measures for SECONDS (20) after all players have
begun to play, and prints as JSON:

- moves per second;
- the server's own delay per move, from the start of reading to the moment when the answers are
  handed to the system, with the move on the disk;
- the share of one processor that the server used;
- the delay that the players see, from a move to the request for the next one.
"""

import json
import os
import random
import re
import selectors
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS

GAME, SIZE, SCRIPTS = "linage", "9", 32
LOGIN_SECONDS = 300.0
SETTINGS = """
name = "load"
listen = "tcp:{port}:interface=127.0.0.1"
web = "tcp:{web}:interface=127.0.0.1"
database = "{folder}/server.sqlite"
game = {{ id = "{game}", size = {size} }}
[pairing]
interval_seconds = 0.2
patience_seconds = 0
[limits]
connections_per_address = 100000
registrations_per_hour = 100000
"""


def script(seed: int) -> list[str]:
    """Return the moves of a random game to its end."""
    rng, position = random.Random(seed), GAMES[GAME].configure(SIZE).start()
    words = []
    while not position.over:
        choices = [move for move in position.moves() if move != PASS] or [PASS]
        move = rng.choice(choices)
        words.append(position.name_of(move))
        position = position.play(move)
    return words


class Player:
    """A player that answers at once, from scripts of random games."""

    def __init__(self, name: str, port: int, scripts: list[list[str]]) -> None:
        self.playing = False
        self.delays: list[float] = []
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._name = name
        self._scripts = scripts
        self._rest = b""
        self._script: list[str] = []
        self._ply = 0
        self._answered_at: float | None = None

    def readable(self) -> None:
        """Read the available lines and answer them."""
        data = self.socket.recv(65536)
        assert data, "the server has closed a connection"
        *lines, self._rest = (self._rest + data).split(b"\n")
        answers = [answer for line in lines if (answer := self._answer(line.decode()))]
        if answers:
            self.socket.sendall("".join(f"{answer}\n" for answer in answers).encode())

    def _answer(self, line: str) -> str | None:
        head, _, rest = line.partition(" ")
        if head == "genmove":
            now = time.perf_counter()
            if self._answered_at is not None:
                self.delays.append(now - self._answered_at)
            self._answered_at = now
            self._ply += 1
            return self._script[self._ply - 1]
        if head == "play":
            self._ply += 1
            return None
        if head == "setup":
            words = rest.split()
            self._script = self._scripts[int(words[0]) % len(self._scripts)]
            self._ply = len(words[6:]) // 2
            self._answered_at = None
            self.playing = True
            return None
        assert head != "Error:", line
        return {"protocol": "e1 load", "username": self._name, "password": "secret",
                "gameover": "ready"}.get(head)  # fmt: skip


class Crowd:
    """All players, on one thread."""

    def __init__(self, count: int, port: int) -> None:
        scripts = [script(seed) for seed in range(SCRIPTS)]
        self.players = [Player(f"player{number}", port, scripts) for number in range(count)]
        self._selector = selectors.DefaultSelector()
        for player in self.players:
            self._selector.register(player.socket, selectors.EVENT_READ, player)

    def play(self, seconds: float, enough=lambda: False) -> None:
        """Answer requests for this many seconds, or until `enough` returns true."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not enough():
            for key, _ in self._selector.select(min(left, 0.1)):
                key.data.readable()


def status(web: int) -> tuple[int, dict[str, float]]:
    """Return the number of moves so far, and the delays in milliseconds."""
    with urllib.request.urlopen(f"http://127.0.0.1:{web}/status") as answer:
        text = answer.read().decode()
    numbers = re.search(
        r"(\d+) moves; .* median ([\d.]+) ms, 99 % within ([\d.]+) ms, longest ([\d.]+)", text
    )
    assert numbers, text
    names = ("median", "percentile_99", "longest")
    return int(numbers[1]), dict(zip(names, map(float, numbers.groups()[1:]), strict=True))


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


def measure(count: int, seconds: float, port: int, web: int, pid: int) -> dict[str, object]:
    crowd = Crowd(count, port)
    began = time.monotonic()
    crowd.play(LOGIN_SECONDS, lambda: all(player.playing for player in crowd.players))
    assert all(player.playing for player in crowd.players), "not everybody plays"
    login_seconds = time.monotonic() - began
    crowd.play(seconds / 4)  # warm-up: the delays so far are discarded
    for player in crowd.players:
        player.delays.clear()
    before, _ = status_while(crowd, web)
    used, began = processor_seconds(pid), time.monotonic()
    crowd.play(seconds)
    took, used = time.monotonic() - began, processor_seconds(pid) - used
    after, delays = status_while(crowd, web)
    turns = sorted(delay for player in crowd.players for delay in player.delays)
    return {
        "players": count,
        "all_logged_in_after_seconds": round(login_seconds, 1),
        "moves_per_second": round((after - before) / took),
        "server_delay_ms": delays,
        "server_processor_share": round(used / took, 2),
        "own_move_to_next_request_ms": {
            "median": round(1000 * turns[len(turns) // 2], 1),
            "percentile_99": round(1000 * turns[len(turns) * 99 // 100], 1),
        },
        "load_average": os.getloadavg()[0],
    }


def status_while(crowd: Crowd, web: int) -> tuple[int, dict[str, float]]:
    """Return the status after answering pending requests; the players pause during the query."""
    crowd.play(0.01)
    return status(web)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 20.0
    port, web = free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "server.toml"
        file.write_text(SETTINGS.format(port=port, web=web, folder=folder, game=GAME, size=SIZE))
        command = [sys.executable, "-m", "linage_bot", "serve", "cgos", str(file)]
        log = Path(folder) / "log"
        with log.open("wb") as stderr:
            server = subprocess.Popen(command, stderr=stderr)
        try:
            while log.read_text().count("listening") < 2:
                assert server.poll() is None, log.read_text()
                time.sleep(0.05)
            print(json.dumps(measure(count, seconds, port, web, server.pid), indent=1))
        finally:
            server.terminate()
            server.wait(30)


if __name__ == "__main__":
    main()
