"""`linage-bot gtp --listen` with clients that want much, or are gone before they get it."""

import contextlib
import socket
import statistics
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.engine import PATIENCE_SECONDS, Client, server

PROC = Path("/proc/self/status")
needs_proc = pytest.mark.skipif(not PROC.exists(), reason="looking into a process needs /proc")
_MEGABYTES = 150  # more than at rest: memory that libraries retain


def seen(process: subprocess.Popen) -> tuple[int, int]:
    """Return a process's number of threads and its megabytes of memory."""
    lines = Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8").splitlines()
    values = dict(line.split(":", 1) for line in lines)
    return int(values["Threads"]), int(values["VmRSS"].split()[0]) // 1024


def seconds_for_name(port: int) -> float:
    """Return how long a new client waits for an answer."""
    began = time.monotonic()
    with Client(port) as client:
        assert client.ask("name") == "linage-bot"
    return time.monotonic() - began


def play_one_game(port: int) -> None:
    """Play two moves, so that the server has loaded all compiled code."""
    with Client(port) as client:
        client.ask("genmove b")
        client.ask("genmove w")


def median_for_name(port: int, seconds: float) -> float:
    """Return the median wait of new clients, one after another for `seconds` seconds."""
    waits, end = [], time.monotonic() + seconds
    while time.monotonic() < end or len(waits) < 5:
        waits.append(seconds_for_name(port))
        time.sleep(0.05)
    return statistics.median(waits)


def come_and_go(times: int) -> None:
    """Let clients request a move and disconnect; check that the server frees threads and memory."""
    with server("--ponder", "--visits", "100") as (process, port):
        play_one_game(port)
        time.sleep(1)
        threads, memory = seen(process)
        for _ in range(times):
            with Client(port) as client:
                client.send(b"genmove b\n")
        assert seconds_for_name(port) < 5  # 0.1 on an idle machine
        end = time.monotonic() + 10  # 3 on an idle machine
        while (now := seen(process))[0] > threads or now[1] > memory + _MEGABYTES:
            assert time.monotonic() < end, f"{now} threads and megabytes, {threads, memory} before"
            time.sleep(0.05)
        assert seconds_for_name(port) < 2


@pytest.mark.thorough
@needs_proc
def test_clients_that_are_gone_before_their_move_leave_nothing_behind():
    """After sixty of them: no more threads, at most 150 MB more, and `name` within 2 seconds."""
    come_and_go(60)


@needs_proc
@pytest.mark.slow
def test_many_clients_that_are_gone_before_their_move_leave_nothing_behind():
    """The same after 200 clients, on three servers in turn."""
    for _ in range(3):
        come_and_go(200)


@contextlib.contextmanager
def flood(port: int) -> Iterator[None]:
    """A client that asks as fast as it can and reads nothing."""
    over = threading.Event()
    with socket.create_connection(("127.0.0.1", port), 0.2) as client:

        def ask_on() -> None:
            while not over.is_set():
                with contextlib.suppress(TimeoutError):
                    client.sendall(b"showboard\n" * 6000)

        thread = threading.Thread(target=ask_on)
        thread.start()
        yield
        over.set()
        thread.join(PATIENCE_SECONDS)


@contextlib.contextmanager
def reader(port: int) -> Iterator[None]:
    """A client that asks as fast as it can and reads as fast."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS) as client:

        def ask_on() -> None:
            with contextlib.suppress(OSError):
                while True:
                    client.sendall(b"showboard\n" * 600)

        def read_on() -> None:
            with contextlib.suppress(OSError):
                while client.recv(1 << 16):
                    pass

        threads = [threading.Thread(target=run) for run in (ask_on, read_on)]
        for thread in threads:
            thread.start()
        yield
        client.shutdown(socket.SHUT_RDWR)
        for thread in threads:
            thread.join(PATIENCE_SECONDS)


@pytest.mark.thorough
@pytest.mark.parametrize("one_of_many", [flood, reader])
def test_while_four_clients_flood_a_fifth_is_answered_soon(one_of_many):
    """Half of the newcomers wait less than 0.2 seconds, whether the four read or not."""
    with server() as (_process, port), contextlib.ExitStack() as clients:
        seconds_for_name(port)
        for _ in range(4):
            clients.enter_context(one_of_many(port))
        assert median_for_name(port, 3) < 0.2


@pytest.mark.thorough
def test_while_fifty_clients_let_the_engine_think_another_is_answered_soon():
    """Half of the newcomers wait less than 0.2 seconds, though the engine ponders as well."""
    with (
        server("--ponder", "--seconds", "2") as (_process, port),
        contextlib.ExitStack() as clients,
    ):
        play_one_game(port)
        for _ in range(50):
            clients.enter_context(Client(port)).send(b"genmove b\n")
        assert median_for_name(port, 5) < 0.2
