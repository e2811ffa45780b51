"""Type checkers find no error in a user's correct program, and find the mistakes in a wrong one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("library_user.py")
SCRIPTS = Path(__file__).with_name("scripts")
PYRIGHT = SCRIPTS / "node_modules/.bin/pyright"
MISTAKES = [
    number
    for number, line in enumerate(PROGRAM.read_text().splitlines(), 1)
    if line.endswith("# !")
]


@pytest.mark.thorough
def test_pyright_finds_the_mistakes_and_nothing_else() -> None:
    """An editor underlines every mistake in a user's program, and no correct line."""
    if not PYRIGHT.exists():
        reason = f"pyright missing: run `npm ci` in {SCRIPTS}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    done = subprocess.run(
        [PYRIGHT, "--outputjson", "--pythonpath", sys.executable, PROGRAM],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    found = json.loads(done.stdout)["generalDiagnostics"]
    lines = {each["range"]["start"]["line"] + 1 for each in found if each["severity"] == "error"}
    assert sorted(lines) == MISTAKES, done.stdout


@pytest.mark.thorough
def test_mypy_finds_the_mistakes_and_nothing_else(tmp_path: Path) -> None:
    """Strict checks are possible for a user's program."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", PROGRAM],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "MYPY_CACHE_DIR": str(tmp_path)},
    )
    name = str(PROGRAM.relative_to(ROOT))
    found = [line.split(":") for line in done.stdout.splitlines() if ": error:" in line]
    assert {words[0] for words in found} == {name}, done.stdout
    assert sorted({int(words[1]) for words in found}) == MISTAKES, done.stdout
