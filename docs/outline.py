"""Writes the table of modules into docs/architecture.md, from the first lines of their docstrings.

python docs/outline.py
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
BEGIN, END = "<!-- modules -->", "<!-- end of modules -->"

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


def outline() -> str:
    """All packages with their modules, the lowest floor first."""
    lines = []
    for number, floor in enumerate(FLOORS, 1):
        for package in floor:
            lines += ["", f"### {number}. `{package}/`", "", "| module | knows |", "|---|---|"]
            lines += _rows(ROOT / package, ROOT / package)
    return "\n".join(lines[1:]) + "\n"


def _rows(package: Path, folder: Path) -> Iterator[str]:
    """The modules of a folder, what it is as a whole first, then the folders in it."""
    for file in sorted(folder.glob("*.py"), key=lambda file: (file.stem != "__init__", file.stem)):
        name = file.relative_to(package).as_posix()
        shown = f"`{name.removesuffix('__init__.py')}`" if file.stem == "__init__" else f"`{name}`"
        yield f"| {shown if name != '__init__.py' else '**all**'} | {_first_line(file)} |"
    for each in sorted(folder.iterdir()):
        if (each / "__init__.py").exists():
            yield from _rows(package, each)


def _first_line(file: Path) -> str:
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.split("\n\n")[0].split()).replace("|", r"\|")


def renewed(page: str) -> str:
    """The page with the table as the modules are now."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}\n\n{outline()}\n{END}{rest.partition(END)[2]}"


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
