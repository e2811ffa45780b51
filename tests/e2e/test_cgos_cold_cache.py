"""A game against the clock on a CGOS server, by engines for which it has not been compiled."""

import json
import sys
from pathlib import Path

import pytest

from tests.e2e.cgos_crowd import free_port
from tests.e2e.cgos_peer import Client, Command, end_well
from tests.e2e.compiled_code import copy_without
from tests.e2e.engine import COMMAND

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

LEVEL_SECONDS = 40  # each for a game of some twenty short moves, on a machine that does much else


@pytest.mark.thorough
@pytest.mark.timeout(600)
def test_nobody_loses_time_to_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client logs in after compilation, so that no engine loses on time."""
    cache = copy_without(tmp_path, "leblin")
    port, player = free_port(), ""
    monkeypatch.setitem(Command.__init__.__globals__, "PATIENCE_SECONDS", 500)
    for name in ("alice", "bob"):
        command = [*COMMAND, "--visits", "50", "--solver", "off"]
        player += f"""
[engines.{name}]
command = {json.dumps(command)}
env = {{ LINAGE_BOT_CACHE = {json.dumps(str(cache))} }}
[[players]]
name = "{name}"
engine = "{name}"
password_env = "CGOS_PASSWORD"
games = 1
"""
    server = Command(
        tmp_path / "server.toml",
        f"""
name = "cold"
listen = "tcp:{port}:interface=127.0.0.1"
database = {json.dumps(str(tmp_path / "server.sqlite"))}
sgf = {json.dumps(str(tmp_path / "sgf"))}
[game]
id = "leblin"
size = 7
[clock]
level_ms = {LEVEL_SECONDS}_000
[pairing]
interval_seconds = 0.05
patience_seconds = 0
[limits]
login_seconds = 500
messages_per_second = 100
""",
        *("serve", "cgos"),
    )
    client = Client(
        tmp_path,
        f"""
[servers.cold]
address = "tcp:127.0.0.1:{port}"
{player}
""",
    )
    try:
        assert client.wait() == 0
        (record,) = tmp_path.glob("sgf/**/*.sgf")
        text = record.read_text()
        assert "RE[B+" in text or "RE[W+" in text
        assert "+T" not in text
        assert any(cache.glob("*/kernels.leblin.ready*"))
    finally:
        end_well([client, server])
