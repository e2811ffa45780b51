"""Prints all modules with the first lines of their docstrings, the lowest floor first.

python docs/outline.py
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]

FLOORS = (
    ("protocol", "linage_bot/rules"),
    ("linage_bot/settings",),
    ("linage_bot/records", "linage_bot/drawing"),
    ("linage_bot/engine",),
    (
        "linage_bot/gtp",
        "linage_bot/ugi",
        "linage_bot/review",
        "linage_bot/arena",
        "linage_bot/teaching",
    ),
    ("linage_bot/match", "linage_bot/servers"),
    ("linage_bot/web",),
    ("linage_bot/cli", "linage_bot/openspiel"),
)


def packages() -> Iterator[tuple[int, Path]]:
    """All packages with the numbers of their floors, those inside a package after it."""
    for number, floor in enumerate(FLOORS, 1):
        for name in floor:
            for file in sorted((ROOT / name).rglob("__init__.py"), key=lambda file: file.parent):
                yield number, file.parent


def outline() -> Iterator[str]:
    """The lines to print."""
    for number, package in packages():
        yield f"\n{number}. {package.relative_to(ROOT)}: {_first_line(package / '__init__.py')}"
        for file in sorted(package.glob("*.py")):
            if file.name != "__init__.py":
                yield f"   {file.name}: {_first_line(file)}"


def _first_line(file: Path) -> str:
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.split("\n\n")[0].split())


if __name__ == "__main__":
    print(*outline(), sep="\n")
