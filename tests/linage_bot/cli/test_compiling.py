"""The bar on a terminal while something is compiled for the first time."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CODE = """
import time
from linage_bot.cli.compiling import compiling_shown
from linage_bot.engine.jit.cache import cache_folder
from linage_bot.engine.jit.once import once
from linage_bot.engine.jit.progress import note
from linage_bot.rules import GAMES
game = GAMES["leblin"].configure()
with compiling_shown(game), once("kernels.leblin", cache_folder()):
    for _ in range(8):
        time.sleep(0.1)
        note(10)
"""


def run(cache: Path, stderr: int) -> None:
    environment = {**os.environ, "LINAGE_BOT_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    environment |= {"TERM": "xterm", "COLUMNS": "80"}
    subprocess.run([sys.executable, "-c", CODE], env=environment, stderr=stderr, check=True)


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are POSIX")
def test_the_bar_moves_and_says_how_long_still(tmp_path: Path) -> None:
    """On a terminal, and only the first time."""
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
    """A GUI that reads stderr gets lines."""
    with (tmp_path / "stderr").open("wb") as file:
        run(tmp_path / "cache", file.fileno())
    assert (tmp_path / "stderr").read_bytes() == b""
