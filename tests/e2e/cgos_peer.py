"""A CGOS server that is played by a script, and the real client as a process, for tests."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS, ROOT
from tests.linage_bot.servers.cgos_client.talk import PASSWORD, Talk

ENGINE = Path(__file__).with_name("cgos_engine.py")


class SocketTalk(Talk):
    """A connection over a socket."""

    def __init__(self, connection: socket.socket) -> None:
        self.socket = connection
        self.socket.settimeout(PATIENCE_SECONDS)
        self._file = connection.makefile("rb")

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def hear(self) -> str:
        """The next line; empty if the client has gone."""
        return self._file.readline().decode().rstrip("\n")

    def expect_end(self) -> None:
        assert self.hear() == ""
        self.close()

    def close(self) -> None:
        self._file.close()
        self.socket.close()

    def __enter__(self) -> "SocketTalk":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class Peer:
    """Listens on the loopback; each `accept` is one connection of the client."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(PATIENCE_SECONDS)
        self.port = self.listener.getsockname()[1]

    @property
    def address(self) -> str:
        return f"tcp:127.0.0.1:{self.port}"

    def accept(self) -> SocketTalk:
        return SocketTalk(self.listener.accept()[0])

    def close(self) -> None:
        self.listener.close()


class Command:
    """A process of one of our commands; `log` is its standard error."""

    def __init__(self, file: Path, text: str, *command: str) -> None:
        file.write_text(text)
        self._lines: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "linage_bot", "-v", *command, str(file)],
            env={**ENVIRONMENT, "CGOS_PASSWORD": PASSWORD},
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stderr is not None
        for data in self.process.stderr:
            self._lines.append(data.decode())

    @property
    def log(self) -> str:
        return "".join(self._lines)

    def signal(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)

    def wait(self) -> int:
        """The exit status."""
        status = self.process.wait(PATIENCE_SECONDS)
        self._reader.join(PATIENCE_SECONDS)
        assert self.process.stderr is not None
        self.process.stderr.close()
        return status

    def end(self) -> None:
        """Kill it if it still runs."""
        assert self.process.stderr is not None
        if self.process.poll() is None:
            self.signal(signal.SIGKILL)
        if not self.process.stderr.closed:
            self.wait()


class Client(Command):
    """The real client."""

    def __init__(self, folder: Path, text: str) -> None:
        super().__init__(folder / "client.toml", text, "connect", "cgos")


def end_well(commands: Sequence[Command]) -> None:
    """End them all; none may have shown a traceback or the password."""
    for command in commands:
        command.end()
    for command in commands:
        assert "Traceback" not in command.log, command.log
        assert PASSWORD not in command.log


def config(
    peer: Peer, folder: Path, engine: str = "", *, server: str = "", top: str = "", player: str = ""
) -> str:
    """A file with one player; `engine` are the arguments of the test engine."""
    command = [sys.executable, str(ENGINE), str(folder / "engine.log"), *engine.split()]
    return f"""
sgf = {json.dumps(str(folder / "sgf"))}
{top}
[reconnect]
first_seconds = 0.02
most_seconds = 0.1
[servers.local]
address = "{peer.address}"
{server}
[engines.test]
command = {json.dumps(command)}
patience_seconds = 10
[[players]]
name = "linus"
password_env = "CGOS_PASSWORD"
{player}
"""


def heard(folder: Path) -> list[str]:
    """Return the commands that the engine received."""
    return (folder / "engine.log").read_text().splitlines()


def eventually(condition: Callable[[], object], why: Callable[[], str] = str) -> None:
    """Wait until `condition` is true, with patience for a busy machine."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, why()
        time.sleep(0.02)


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def records(folder) -> list[str]:
    return sorted(path.read_text() for path in (folder / "sgf").rglob("*.sgf"))
