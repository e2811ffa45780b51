"""`linage-bot match` on a terminal where a game has to be compiled: it says so, and how far it is.

Compiling takes long, so one match is watched for everything.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.compiled_code import copy_without
from tests.e2e.engine import ENVIRONMENT
from tests.e2e.processes import posix_only

PATIENCE_SECONDS = 250  # on a machine that does much else
EVENT = """
games = 2
out = "out"
game = {{ id = "linage-two-color", size = 5 }}
[[engines]]
name = "ada"
command = {command}
[[engines]]
name = "bea"
command = {command}
"""


def read(terminal: int) -> bytes:
    """Return the terminal's next output, or nothing at its end."""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux's way to report the end
        return b""


@pytest.mark.thorough
@posix_only
@pytest.mark.timeout(PATIENCE_SECONDS)
def test_the_first_match_shows_what_its_engines_compile(tmp_path: Path) -> None:
    """A progress bar shows the engines' compilation; the match process compiles nothing."""
    command = [sys.executable, "-m", "linage_bot", "gtp", "--visits", "20", "--solver", "off"]
    (tmp_path / "event.toml").write_text(EVENT.format(command=command))
    cache = copy_without(tmp_path, "linage-two-color")
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "linage_bot", "match", "event.toml"],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        env={**ENVIRONMENT, "LINAGE_BOT_CACHE": str(cache), "TERM": "xterm", "COLUMNS": "90"},
    )
    os.close(theirs)
    shown, checked = b"", False
    while data := read(ours):
        shown += data
        if b"s left" in shown and not checked:
            checked = True
            maps = Path(f"/proc/{process.pid}/maps")
            assert not maps.exists() or "llvmlite" not in maps.read_text()
    os.close(ours)
    assert process.wait() == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    bars = re.findall(r"([^\r\n]*) compiling Two-color Linage, about \d+ s left", text)
    assert len(set(bars)) > 3
    last = text.rindex("compiling")
    assert "2/2" in text[last:]
    assert "First won" in text[last:]
    (folder,) = cache.iterdir()
    assert [*folder.glob("kernels.two_color_linage.ready-*")]
