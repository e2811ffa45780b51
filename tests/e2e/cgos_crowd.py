"""A CGOS server as a process, and scripted players, viewers and an administrator on real sockets.

The players know the rules and check everything they receive; they collect deviations in `faults`.
"""

import contextlib
import random
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from linage_bot.rules import GAMES
from linage_bot.rules.game import PASS, Game
from protocol.cgos.server import (
    GameOver,
    GenMove,
    Info,
    PasswordQuery,
    Play,
    ProtocolQuery,
    ServerError,
    Setup,
    UsernameQuery,
    parse_server_line,
)
from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS

_MOST_PLIES = 80  # then players pass if they may: random games of Gardar have no end
ADMIN_PASSWORD = "of-the-administrator"


def free_port() -> int:
    """Return a port that no process uses now or is likely to use.

    It is outside the range from which systems assign ports, so that it stays free until a
    server listens on it, and while that is restarted.
    """
    while True:
        port = random.SystemRandom().randrange(10_000, 32_000)
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class Server:
    """The server's process; it can be killed and started again on the same ports and file."""

    def __init__(self, folder: Path, game: str = 'id = "linage"\nsize = 5', more: str = "") -> None:
        self.port, self.web_port = free_port(), free_port()
        self.database = folder / "server.sqlite"
        self.log = ""
        self._file = folder / "server.toml"
        self._file.write_text(
            f"""
name = "test"
listen = "tcp:{self.port}:interface=127.0.0.1"
web = "tcp:{self.web_port}:interface=127.0.0.1"
database = "{self.database}"
sgf = "{folder / "sgf"}"
admin_password_env = "CGOS_ADMIN_PASSWORD"
[game]
{game}
[limits]
registrations_per_hour = 1000
connections_per_address = 1000
{more}
"""
        )
        self.start()

    def start(self) -> None:
        """Start it and wait until it listens."""
        command = [sys.executable, "-m", "linage_bot", "-v", "serve", "cgos", str(self._file)]
        environment = {**ENVIRONMENT, "CGOS_ADMIN_PASSWORD": ADMIN_PASSWORD}
        self.process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        for count in range(2):
            line = self._line()
            while "listening on" not in line:
                assert self.process.poll() is None, self.log
                line = self._line()
            assert count in (0, 1)
        self._drain = threading.Thread(target=self._read_log, daemon=True)
        self._drain.start()

    def _line(self) -> str:
        line = self.process.stderr.readline()
        self.log += line
        return line

    def _read_log(self) -> None:
        for line in self.process.stderr:
            self.log += line

    def kill(self) -> None:
        """Kill the process, as a power cut would, but without damage to the disk."""
        self.process.kill()
        self.wait()

    def stop(self) -> int:
        """Stop the process; return its exit status."""
        self.process.terminate()
        return self.wait()

    def wait(self) -> int:
        """Wait for its end; its exit status."""
        status = self.process.wait(PATIENCE_SECONDS)
        self._drain.join(PATIENCE_SECONDS)
        self.process.stderr.close()
        return status

    def page(self, path: str) -> str:
        """A web page."""
        url = f"http://127.0.0.1:{self.web_port}{path}"
        with urllib.request.urlopen(url, timeout=PATIENCE_SECONDS) as answer:
            return answer.read().decode()


@contextlib.contextmanager
def serving(folder: Path, **settings: str) -> Iterator[Server]:
    """A server that is stopped in the end and has shown no traceback."""
    server = Server(folder, **settings)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
    assert "Traceback" not in server.log, server.log
    assert "Unhandled" not in server.log, server.log
    assert "Error" not in server.log, server.log


class Line:
    """A socket of lines."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)
        self._file = self.socket.makefile("rb")

    def say(self, *lines: str) -> None:
        self.socket.sendall("".join(f"{line}\n" for line in lines).encode())

    def hear(self) -> str:
        """The next line, empty at the end."""
        return self._file.readline().decode().removesuffix("\n")

    def close(self) -> None:
        self._file.close()
        self.socket.close()


class Player(threading.Thread):
    """A client that plays random moves and reconnects after each lost connection until stopped."""

    def __init__(self, port: int, name: str, game: Game) -> None:
        super().__init__(daemon=True)
        self.name = name
        self.over: list[tuple[int, str]] = []  # games and their results, as received
        self.seen: dict[int, list[str]] = {}  # games and their moves, as received or sent
        self.faults: list[str] = []
        self._port = port
        self._game = game
        self._random = random.Random(name)
        self._stopping = threading.Event()
        self._line: Line | None = None
        self._number = 0
        self._position = game.start()

    def stop(self) -> None:
        """Hang up and wait."""
        self._stopping.set()
        if self._line is not None:
            with contextlib.suppress(OSError):
                self._line.socket.shutdown(socket.SHUT_RDWR)
        self.join(PATIENCE_SECONDS)

    def run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._line = Line(self._port)
                while heard := self._line.hear():
                    self._obey(heard)
            except OSError:
                pass  # it is being restarted
            except Exception as error:
                self.faults.append(f"{self.name}: {error!r}")
                return
            finally:
                if self._line is not None:
                    self._line.close()
            self._stopping.wait(0.05)

    def _obey(self, line: str) -> None:
        message = parse_server_line(line)
        if isinstance(message, ProtocolQuery):
            assert message.game == self._game.id
            self._line.say("e1 crowd")
        elif isinstance(message, UsernameQuery):
            self._line.say(self.name)
        elif isinstance(message, PasswordQuery):
            self._line.say(f"password-of-{self.name}")
        elif isinstance(message, Setup):
            self._set_up(message)
        elif isinstance(message, Play):
            assert message.colour.value == self._position.to_move.letter
            self._play(message.move)
        elif isinstance(message, GenMove):
            assert message.colour.value == self._position.to_move.letter
            self._answer()
        elif isinstance(message, GameOver):
            self.over.append((self._number, message.result))
            self._line.say("ready")
        elif isinstance(message, ServerError):
            raise AssertionError(message.text)
        else:
            assert isinstance(message, Info), line

    def _set_up(self, setup: Setup) -> None:
        assert setup.size == self._game.board.columns
        self._number = setup.number
        before, self._position = self.seen.get(setup.number, []), self._game.start()
        self.seen[setup.number] = []
        for move in setup.moves:
            self._play(move.move)
        # Moves received once must still be there; the last one may be its own, lost on the way.
        assert self.seen[setup.number][: len(before) - 1] == before[:-1]

    def _play(self, word: str) -> None:
        move = PASS if word == "pass" else self._game.board.point(word)
        self._position = self._position.play(move)
        self.seen[self._number].append(word)

    def _answer(self) -> None:
        choices = [move for move in self._position.moves() if move != PASS]
        tired = len(self.seen[self._number]) >= _MOST_PLIES and self._position.may_pass()
        if tired or not choices:
            choices = [PASS]
        word = self._position.name_of(self._random.choice(choices))
        self._play(word)
        self._line.say(word)


class Administrator:
    """Asks one command after the other."""

    def __init__(self, port: int) -> None:
        self._line = Line(port)
        self._line.say("e1 crowd", "admin", ADMIN_PASSWORD)
        while self._line.hear() != "ok":
            pass

    def ask(self, command: str) -> list[str]:
        """The answer, which has no end of its own: another answer marks it."""
        self._line.say(command, "end-of-answer")
        lines = []
        while not (line := self._line.hear()).startswith("unknown command"):
            if not line:
                raise ConnectionError("the server is gone")
            if not line.startswith("info "):
                lines.append(line)
        return lines

    def close(self) -> None:
        self._line.close()


class Viewer(threading.Thread):
    """Observes every game and keeps all moves it sees."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.seen: dict[int, list[str]] = {}
        self.results: dict[int, str] = {}
        self._line = Line(port)
        self._line.say("v1 crowd")

    def run(self) -> None:
        with contextlib.suppress(OSError):
            while line := self._line.hear():
                self._note(line.split())

    def _note(self, words: list[str]) -> None:
        if words[0] == "match" and words[-1] == "-":
            self._line.say(f"observe {words[1]}")
        elif words[0] == "setup":
            self.seen[int(words[1])] = words[9::2]
        elif words[0] == "update" and len(words) == 4:
            self.seen[int(words[1])].append(words[2])
        elif words[0] == "update":
            self.results[int(words[1])] = words[2]

    def stop(self) -> None:
        with contextlib.suppress(OSError):
            self._line.socket.shutdown(socket.SHUT_RDWR)
        self.join(PATIENCE_SECONDS)
        self._line.close()


@contextlib.contextmanager
def crowd(port: int, names: list[str], game: Game) -> Iterator[list[Player]]:
    """Players who have no complaints in the end."""
    players = [Player(port, name, game) for name in names]
    for player in players:
        player.start()
    try:
        yield players
    finally:
        for player in players:
            player.stop()
    assert [fault for player in players for fault in player.faults] == []


def configured(game: str, size: str, **options: str) -> Game:
    """A game as the file describes it."""
    return GAMES[game].configure(size, None, options)


def eventually(condition, server: Server) -> None:
    """Wait until `condition` is true, with patience for a busy machine."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, server.log[-3000:]
        assert not re.search("Traceback", server.log), server.log
        time.sleep(0.02)
