"""Ctrl-C while a command starts: it ends without a traceback at any moment."""

import signal
import subprocess
import sys

import pytest

from tests.e2e.engine import ENVIRONMENT, PATIENCE_SECONDS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

READY = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
# As the script of the installed package, with a signal at one import rather than at one time.
SCRIPT = """
import os, signal, sys
left, begun = int(sys.argv.pop(1)), False
def imported(event, words):
    global left, begun
    if event == "import":
        begun = begun or words[0] == "linage_bot.cli"
        left -= begun
        if left == 0 and begun:
            os.kill(os.getpid(), signal.SIGINT)
sys.addaudithook(imported)
from linage_bot.__main__ import main
main()
"""
FIRST = 1
LAST_OF_ALL = 110  # of what every command imports
OWN = 145  # what only this one does


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("imports", "words"),
    [
        (FIRST, "--version"),
        (LAST_OF_ALL // 2, "games"),
        (LAST_OF_ALL, "perft 2"),
        (OWN, "gtp"),
        (2 * OWN, "ugi"),
        (OWN, "analysis"),
        (OWN, "match event.toml"),
        (2 * OWN, "web --port 0"),
        (2 * OWN, "connect cgos client.toml"),
        (2 * OWN, "solve --size 3"),
        (OWN, "analyze game.sgf"),
    ],
)
def test_ctrl_c_in_the_beginning_of_any_command_shows_no_traceback(imports, words, tmp_path):
    """The status is what shells expect, and there is a line at most."""
    done = subprocess.run(
        [sys.executable, "-c", READY + SCRIPT, str(imports), *words.split()],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=ENVIRONMENT,
        cwd=tmp_path,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    assert done.stderr.count(b"\n") <= 1
    assert done.returncode == 128 + signal.SIGINT


def test_who_is_to_ignore_ctrl_c_does_so():
    """A process started to ignore Ctrl-C, as a shell's background jobs are, ignores it."""
    ignoring = ["/bin/sh", "-c", "trap '' INT; exec \"$@\"", "sh"]
    done = subprocess.run(
        [*ignoring, sys.executable, "-c", SCRIPT, str(LAST_OF_ALL), "--version"],
        capture_output=True,
        env=ENVIRONMENT,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"version" in done.stdout
