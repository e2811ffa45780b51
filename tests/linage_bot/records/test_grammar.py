"""The import of sgfmill, whose source makes newer Pythons warn."""

import os
import subprocess
import sys
from pathlib import Path


def test_sgf_is_read_without_a_warning_where_no_bytecode_is(tmp_path: Path) -> None:
    """After an installation that compiles no bytecode, the first command prints no warning."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import linage_bot.servers.cgos_client.sgf"],
        env={**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stderr, done.returncode) == ("", 0)
    assert [*tmp_path.rglob("sgf_grammar.*.pyc")]
