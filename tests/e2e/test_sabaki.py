"""The client library of Sabaki, from npm, plays against the engine."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from linage_bot.rules import GAMES
from protocol.gtp.analysis import parse_analysis
from tests.e2e.engine import COMMAND, ENVIRONMENT, PATIENCE_SECONDS, server

pytestmark = pytest.mark.thorough

SABAKI = Path(__file__).with_name("sabaki")
ARGUMENTS = ("--visits", "50", "--seed", "1", "--resign", "never")


@pytest.fixture(autouse=True)
def _client_is_installed():
    missing = [
        what
        for what, there in (
            ("node", shutil.which("node")),
            ("@sabaki/gtp", (SABAKI / "node_modules/@sabaki/gtp").is_dir()),
        )
        if not there
    ]
    if missing:
        reason = f"{' and '.join(missing)} missing: run `npm ci` in {SABAKI}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)


def play(*arguments: str) -> dict:
    done = subprocess.run(
        ["node", str(SABAKI / "play.js"), *arguments],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def check(seen: dict) -> None:
    """The game follows the rules to its end, and everything else was as Sabaki needs it."""
    assert seen["name"] == "linage-bot"
    assert seen["knows"] is True
    assert seen["refused"]["error"] is True
    assert seen["refused"]["content"].startswith("invalid color or coordinate")
    analysis = seen["analysis"]
    assert (analysis["error"], analysis["next"]) == (False, "linage-bot")
    for line in analysis["lines"]:
        assert parse_analysis(line).candidates
    position = GAMES["linage"].configure("5", 6.5).start()
    for word in seen["moves"]:
        names = {position.name_of(move): move for move in position.moves()}
        position = position.play(names[word])
    assert position.over
    assert seen["moves"].count("pass") >= 2
    assert len(seen["moves"]) > 5
    assert seen["score"] == str(position.result())
    assert seen["mover"] == ("black", "white")[len(seen["moves"]) % 2]
    rows = [row.split() for row in seen["board"].splitlines()]
    assert [len(row) for row in rows] == [7] * 5
    assert (rows[0][6], rows[4][0], seen["board"].count("X")) == ("X", "X", 2)


def test_sabakis_client_plays_the_same_whole_game_on_stdin_and_stdout_and_over_tcp():
    """Sabaki's client plays a legal game to its score, and reads analysis, refusals and boards."""
    on_stdio = play("stdio", *COMMAND, *ARGUMENTS)
    check(on_stdio)
    with server(*ARGUMENTS) as (_process, port):
        over_tcp = play("tcp", str(port))
    check(over_tcp)
    assert over_tcp["moves"] == on_stdio["moves"]
