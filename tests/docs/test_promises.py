"""Every test says in a line what it promises."""

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
    """Who reads a failing test finds what its name leaves out: for whom, and why it matters."""
    files = sorted((ROOT / "tests").rglob("test_*.py"))
    assert [name for file in files for name in silent(file)] == []
