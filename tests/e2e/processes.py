"""What tests of real processes share: whether one lives, and one that misbehaves when told to."""

import sys
from pathlib import Path

import pytest
from twisted.internet import reactor
from twisted.internet.task import deferLater

from tests.e2e.engine import ROOT

FAKE = [sys.executable, "-S", str(ROOT / "tests/e2e/fake_engine.py")]

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")


def is_alive(pid: int) -> bool:
    """A zombie that nobody has buried yet counts as dead."""
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
