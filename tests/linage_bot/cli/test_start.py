"""`linage-bot start`: the first command that a newcomer types."""

import subprocess
import sys
from pathlib import Path

from tests.e2e.engine import ENVIRONMENT

START = (sys.executable, "-m", "linage_bot", "start", "no-such-match.toml")
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
NO_SCREEN = {name: text for name, text in ENVIRONMENT.items() if name not in SCREENS}


def test_the_board_is_opened_where_there_is_a_browser(tmp_path: Path) -> None:
    """It gets the address of a page that is being served."""
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
    """Here it cannot be, for its file is missing."""
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
