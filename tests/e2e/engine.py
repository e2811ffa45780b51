"""The real engine as a process, for tests: on pipes, or listening on a port of its own."""

import contextlib
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "linage_bot", "gtp"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
PATIENCE_SECONDS = 120  # for a hang to become a failure; the first search may have to compile


def run(script: bytes, *arguments: str) -> subprocess.CompletedProcess:
    """Run the engine with a script as its input."""
    return subprocess.run(
        [*COMMAND, *arguments],
        input=script,
        capture_output=True,
        env=ENVIRONMENT,
        timeout=PATIENCE_SECONDS,
        check=False,
    )


def popen(*arguments: str, **streams: object) -> subprocess.Popen:
    """The engine, to talk with."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    return subprocess.Popen([*COMMAND, *arguments], env=ENVIRONMENT, **{**pipes, **streams})


@contextlib.contextmanager
def server(*arguments: str) -> Iterator[tuple[subprocess.Popen, int]]:
    """The engine listening on a free port of the loopback, and that port.

    At the end it may have said nothing of a failure.
    """
    process, said = popen("--listen", "tcp:0", *arguments, stderr=subprocess.PIPE), []
    try:
        line = process.stderr.readline().decode()
        found = re.search(r"listening on 127\.0\.0\.1 port (\d+)", line)
        assert found, line
        drain = threading.Thread(target=lambda: said.extend(process.stderr), daemon=True)
        drain.start()
        yield process, int(found[1])
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)
        drain.join(PATIENCE_SECONDS)
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()
    assert b"Traceback" not in b"".join(said), b"".join(said).decode()


class Client:
    """A TCP client that speaks GTP line by line."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)
        self._file = self.socket.makefile("rb")

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def reply(self) -> str:
        """The next whole answer, empty at the end."""
        lines = []
        while (line := self._file.readline().decode()) not in ("\n", ""):
            lines.append(line)
        return "".join(lines).removesuffix("\n")

    def line(self) -> str:
        return self._file.readline().decode()

    def ask(self, line: str) -> str:
        """The text of a successful answer."""
        self.send(line.encode() + b"\n")
        answer = self.reply()
        assert answer.startswith("= "), f"{line}: {answer}"
        return answer[2:]

    def close(self) -> None:
        self._file.close()
        self.socket.close()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()
