"""The progress bar of the first compilation on a terminal."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CODE = """
import time
from linage_bot.cli.compiling import compiling_shown
from linage_bot.engine.jit.cache_folder import cache_folder
from linage_bot.engine.jit.single_compile import once
from linage_bot.engine.jit.progress import record
from linage_bot.rules import GAMES
game = GAMES["leblin"].configure()
with compiling_shown(game), once("kernels.leblin", cache_folder()):
    for _ in range(8):
        time.sleep(0.1)
        record(10)
"""


def environment(cache: Path) -> dict[str, str]:
    told = {"LINAGE_BOT_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    return {**os.environ, **told, "TERM": "xterm", "COLUMNS": "80"}


def run(cache: Path, stderr: int) -> None:
    line = [sys.executable, "-c", CODE]
    subprocess.run(line, env=environment(cache), stderr=stderr, check=True)


posix_only = pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")


@posix_only
@pytest.mark.parametrize("protocol", ["gtp", "ugi"])
def test_whoever_quits_meanwhile_gets_the_cursor_back(tmp_path: Path, protocol: str) -> None:
    """Quitting during a compilation restores the terminal's cursor."""
    ours, theirs = os.openpty()
    line = [sys.executable, "-m", "linage_bot", protocol]
    with subprocess.Popen(
        line, env=environment(tmp_path), stdin=subprocess.PIPE, stderr=theirs
    ) as engine:
        shown = b""
        while b"\x1b[?25l" not in shown:
            shown += os.read(ours, 1 << 16)
        engine.communicate(b"quit\n", 60)
    os.set_blocking(ours, False)
    assert b"\x1b[?25h" in os.read(ours, 1 << 16)
    os.close(ours)
    os.close(theirs)


@posix_only
def test_the_bar_moves_and_says_how_long_still(tmp_path: Path) -> None:
    """The bar shows the remaining time, and appears at the first run only."""
    for first in (True, False):
        ours, theirs = os.openpty()
        run(tmp_path, theirs)
        os.set_blocking(ours, False)
        try:
            shown = os.read(ours, 1 << 16).decode()
        except BlockingIOError:
            shown = ""
        os.close(ours)
        os.close(theirs)
        assert ("compiling Leblin" in shown) is first
        assert ("s left" in shown) is first


def test_nothing_is_drawn_into_a_file(tmp_path: Path) -> None:
    """Nothing is drawn if stderr is a file."""
    with (tmp_path / "stderr").open("wb") as file:
        run(tmp_path / "cache", file.fileno())
    assert (tmp_path / "stderr").read_bytes() == b""
