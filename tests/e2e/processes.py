"""Helpers for tests of real processes: whether one lives, and one that misbehaves on request."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from twisted.internet import reactor
from twisted.internet.task import deferLater

from tests.e2e.engine import ROOT

FAKE = [sys.executable, "-S", str(ROOT / "tests/e2e/fake_engine.py")]

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")


def is_alive(pid: int) -> bool:
    """Return whether a process lives; a zombie counts as dead."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def eventually(condition) -> None:
    for _ in range(500):
        if condition():
            return
        await deferLater(reactor, 0.02)
    raise AssertionError("it never came true")


def workers_of(process: subprocess.Popen) -> list[Any]:
    """The workers that `--cluster local` started, the oldest first."""
    import psutil  # comes with Dask

    children = psutil.Process(process.pid).children(recursive=True)
    found = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
    return sorted(found, key=psutil.Process.create_time)
