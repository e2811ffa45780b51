"""`linage-bot start` opens the board or plays a match."""

import subprocess
import sys
from pathlib import Path

from tests.e2e.engine import ENVIRONMENT

START = (sys.executable, "-m", "linage_bot", "start", "no-such-match.toml")
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
NO_SCREEN = {name: text for name, text in ENVIRONMENT.items() if name not in SCREENS}


def test_the_board_is_opened_where_there_is_a_browser(tmp_path: Path) -> None:
    """`start` opens the board in a browser if there is one."""
    with subprocess.Popen(
        START,
        stdout=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**NO_SCREEN, "BROWSER": "/bin/echo opened %s"},
    ) as process:
        said = {process.stdout.readline() for _ in range(2)}
        process.terminate()
    (address,) = (line for line in said if line.startswith("http://127.0.0.1:8413/"))
    assert f"opened {address}" in said


def test_the_match_is_played_where_there_is_none(tmp_path: Path) -> None:
    """`start` plays a match if there is no browser."""
    done = subprocess.run(
        START,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**NO_SCREEN, "PATH": ""},
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.splitlines() == [
        "no browser can be opened here, so two engines play no-such-match.toml",
        "linage-bot: no-such-match.toml: No such file or directory",
    ]
