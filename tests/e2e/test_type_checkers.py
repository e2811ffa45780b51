"""Type checkers find no error in our examples and in a user's correct program, and all mistakes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.notebook import code_cells

ROOT = Path(__file__).parents[2]
PROGRAM = Path(__file__).with_name("library_user.py")
SCRIPTS = Path(__file__).with_name("scripts")
PYRIGHT = SCRIPTS / "node_modules/.bin/pyright"
MISTAKES = [
    number
    for number, line in enumerate(PROGRAM.read_text().splitlines(), 1)
    if line.endswith("# !")
]


@pytest.fixture
def programs(tmp_path: Path) -> list[Path]:
    """Return the user's program, our examples, and the code of our notebooks."""
    notebooks = []
    for notebook in (ROOT / "examples").glob("*.ipynb"):
        notebooks.append(tmp_path / f"{notebook.stem}.py")
        notebooks[-1].write_text("\n".join(code_cells(notebook)), encoding="utf-8")
    assert notebooks
    return [PROGRAM, *(ROOT / "examples").glob("*.py"), *notebooks]


@pytest.mark.thorough
def test_pyright_finds_the_mistakes_and_nothing_else(programs: list[Path]) -> None:
    """An editor underlines every mistake in a user's program, and no correct line."""
    if not PYRIGHT.exists():
        reason = f"pyright missing: run `npm ci` in {SCRIPTS}"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    done = subprocess.run(
        [PYRIGHT, "--outputjson", "--pythonpath", sys.executable, *programs],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    answer = json.loads(done.stdout)
    assert answer["summary"]["filesAnalyzed"] == len(programs), done.stdout
    found = [each for each in answer["generalDiagnostics"] if each["severity"] == "error"]
    assert {each["file"] for each in found} == {str(PROGRAM)}, done.stdout
    lines = {each["range"]["start"]["line"] + 1 for each in found}
    assert sorted(lines) == MISTAKES, done.stdout


@pytest.mark.thorough
def test_mypy_finds_the_mistakes_and_nothing_else(programs: list[Path], tmp_path: Path) -> None:
    """Strict checks are possible for a user's program."""
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--config-file=", *programs],
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
