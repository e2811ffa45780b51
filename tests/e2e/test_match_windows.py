"""Engines on Windows without what starts them there, acted out on any system."""

import json
import subprocess
import sys

import pytest

from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS

pytestmark = pytest.mark.thorough

# Everything is imported as on this system; then Twisted and we believe to be on Windows.
SCRIPT = """
import types
import linage_bot.match.command, linage_bot.match.ladder, linage_bot.servers.cgos_client.command
from linage_bot.cli import main
from protocol.transport import process
from twisted.internet import posixbase, reactor
posixbase.platformType, posixbase.win32process = "win32", None
process.sys = types.SimpleNamespace(platform="win32")
main()
"""
FILES = {
    "match": """
        games = 2
        out = OUT
        [[engines]]
        name = "a"
        command = ["python"]
        [[engines]]
        name = "b"
        command = ["python"]
    """,
    "ladder": """
        error = 200
        out = OUT
        [engine]
        name = "a"
        command = ["python"]
        [[rungs]]
        name = "b"
        elo = 0
        command = ["python"]
    """,
    "connect cgos": """
        servers.local.address = "tcp:127.0.0.1:1"
        engines.test.command = ["python"]
        [[players]]
        name = "linus"
        password_env = "CGOS_PASSWORD"
    """,
}


@pytest.mark.parametrize("command", FILES)
def test_without_pywin32_one_line_says_what_to_install(command, tmp_path):
    """All commands that start engines name the missing package in one line."""
    file = tmp_path / "file.toml"
    file.write_text(FILES[command].replace("OUT", json.dumps(str(tmp_path / "out"))))
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, *command.split(), str(file)],
        capture_output=True,
        env={**ENVIRONMENT, "CGOS_PASSWORD": "a-password"},
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    said = done.stderr.decode()
    assert done.returncode == 2, said
    assert said.count("\n") == 1, said
    assert str(file) in said
    assert 'pip install "pywin32"' in said
