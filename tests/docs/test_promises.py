"""Every test has a docstring that states its promise in a line."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]


def silent(file: Path) -> list[str]:
    """The tests of a file that have no docstring."""
    return [
        f"{file.relative_to(ROOT)}::{node.name}"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and node.name.startswith("test_")
        and not ast.get_docstring(node)
    ]


def test_every_test_has_a_docstring():
    """Every test has a docstring, so that a failing one explains itself."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    assert [name for file in files for name in silent(file)] == []
