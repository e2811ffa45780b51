"""`linage-bot web` begins, or says in one line why it cannot."""

import re
import subprocess
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS
from tests.e2e.web_server import COMMAND, web_process, web_server


def refused_to_start(*arguments: str) -> str:
    done = subprocess.run(
        [*COMMAND, *arguments],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


@pytest.mark.thorough
def test_what_the_user_can_fix_is_one_line() -> None:
    """Errors that the user can fix are one line with the option."""
    assert "--expose" in refused_to_start("--listen", "0.0.0.0")
    assert "is not an address" in refused_to_start("--listen", "example.org")
    assert "--size" in refused_to_start("--size", "99")
    with web_server() as address:
        port = urlsplit(address).port
        assert f"--port {port}" in refused_to_start("--port", str(port))


@pytest.mark.thorough
def test_games_that_cannot_be_kept_are_one_line(tmp_path: Path) -> None:
    """A file that is broken, one that another server has, and a folder that cannot be."""
    games = tmp_path / "games.sqlite"
    with web_process("--games", str(games)):
        said = refused_to_start("--games", str(games))
        assert f"--games: {games}: another server is using it" in said
    games.write_text("no games, but long enough to be a database" * 100)
    assert f"{games}: file is not a database" in refused_to_start("--games", str(games))
    assert "is not a folder" in refused_to_start("--games", str(games / "below"))


def test_an_address_of_another_machine_is_named() -> None:
    """The error quotes the address of the command line."""
    done = subprocess.run(
        [*COMMAND, "--listen", "192.0.2.5", "--expose"],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 2
    assert "--listen 192.0.2.5" in done.stderr.splitlines()[-1]


def test_to_listen_elsewhere_warns(tmp_path: Path) -> None:
    """Listening on other interfaces warns, as the token is then the only protection."""
    process = subprocess.Popen(
        [*COMMAND, "--listen", "0.0.0.0", "--expose", "--games", str(tmp_path / "games.sqlite")],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert re.match(r"http://127\.0\.0\.1:\d+/\?token=", process.stdout.readline())
    finally:
        process.terminate()
        _, said = process.communicate(timeout=PATIENCE_SECONDS)
    assert "warning: others can reach this server" in said
