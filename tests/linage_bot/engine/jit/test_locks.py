"""Locks between processes: one process holds a lock, and its end releases it."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from linage_bot.engine.jit.locks import locked

SECONDS = 60  # far more than anything here takes
HOLDER = """
import sys, time
from pathlib import Path
from linage_bot.engine.jit.locks import locked
with locked(Path(sys.argv[1])):
    print("mine", flush=True)
    sys.stdin.readline()
"""


@contextmanager
def held(path: Path) -> Iterator[subprocess.Popen]:
    """Run another process that holds the lock until it receives a line."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, path],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "mine\n"
        yield process


def test_who_does_not_wait_is_told(tmp_path: Path) -> None:
    """A caller that does not wait fails while another process holds the lock."""
    path = tmp_path / "lock"
    with held(path) as process:
        with locked(path, wait=False) as mine:
            assert not mine
        process.communicate("\n")
        with locked(path, wait=False) as mine:
            assert mine
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("killed", [True, False])
def test_who_waits_gets_it_at_once(tmp_path: Path, killed: bool) -> None:
    """A waiting caller gets the lock as soon as its holder releases it or is killed."""
    path, got = tmp_path / "lock", []

    def wait() -> None:
        with locked(path) as mine:
            got.append((mine, time.monotonic()))

    with held(path) as process:
        thread = threading.Thread(target=wait)
        thread.start()
        time.sleep(0.2)
        assert not got
        ended = time.monotonic()
        if killed:
            process.kill()
        else:
            process.communicate("\n")
        thread.join(SECONDS)
    assert got[0][0]
    assert got[0][1] - ended < 1
    assert list(tmp_path.iterdir()) in ([], [path])


def test_one_at_a_time(tmp_path: Path) -> None:
    """Only one thread holds the lock at a time."""
    path, inside, most = tmp_path / "lock", 0, 0

    def enter() -> None:
        nonlocal inside, most
        for _ in range(20):
            with locked(path):
                inside += 1
                most = max(most, inside)
                time.sleep(0.0005)
                inside -= 1

    threads = [threading.Thread(target=enter) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert most == 1
    assert list(tmp_path.iterdir()) == []


def test_where_no_file_can_be_made_nobody_waits(tmp_path: Path) -> None:
    """If no lock file can be made, callers proceed without waiting."""
    with locked(tmp_path / "gone" / "lock") as mine, locked(tmp_path / "gone" / "lock") as too:
        assert mine
        assert too
