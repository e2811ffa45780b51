"""Print all modules with the first lines of their docstrings, the lowest floor first.

python docs/outline.py
python docs/outline.py --svg > docs/images/floors.svg  # the floors drawn, for architecture.md
"""

from __future__ import annotations

import ast
import sys
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
        "linage_bot/jobs",
        "linage_bot/batch",
    ),
    ("linage_bot/match", "linage_bot/servers"),
    ("linage_bot/web",),
    ("linage_bot/cli", "linage_bot/openspiel"),
)


def packages() -> Iterator[tuple[int, Path]]:
    """Return all packages with the numbers of their floors, inner packages after outer ones."""
    for number, floor in enumerate(FLOORS, 1):
        for name in floor:
            for file in sorted((ROOT / name).rglob("__init__.py"), key=lambda file: file.parent):
                yield number, file.parent


def outline() -> Iterator[str]:
    """Return the lines to print."""
    for number, package in packages():
        yield f"\n{number}. {package.relative_to(ROOT)}: {_first_line(package / '__init__.py')}"
        for file in sorted(package.glob("*.py")):
            if file.name != "__init__.py":
                yield f"   {file.name}: {_first_line(file)}"


def _first_line(file: Path) -> str:
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(docstring.split("\n\n")[0].split())


_WIDTH, _FLOOR, _GAP, _EDGE = 760, 46, 8, 8  # in SVG's units
_STYLE = (
    "text{font:14px sans-serif;text-anchor:middle;fill:#222}"
    "rect{fill:#e8eef7;stroke:#5b7aa6}"
    "@media(prefers-color-scheme:dark){text{fill:#e6e6e6}rect{fill:#26303f;stroke:#7f9cc8}}"
)


def drawing() -> Iterator[str]:
    """Return the lines of an SVG picture with a box for each package, the lowest floor below."""
    height = len(FLOORS) * (_FLOOR + _GAP) - _GAP + 2 * _EDGE
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}">'
    yield "<title>The floors of the packages: each imports only from those below it</title>"
    yield f"<style>{_STYLE}</style>"
    for number, floor in enumerate(FLOORS):
        y = height - _EDGE - _FLOOR - number * (_FLOOR + _GAP)
        room = (_WIDTH - 2 * _EDGE + _GAP) / len(floor)
        for place, name in enumerate(floor):
            x, width = _EDGE + place * room, room - _GAP
            box = f'x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_FLOOR}"'
            yield f'<rect {box} rx="4"/>'
            word = name.removeprefix("linage_bot/")
            yield f'<text x="{x + width / 2:.1f}" y="{y + 28}">{word}</text>'
    yield "</svg>"


if __name__ == "__main__":
    print(*(drawing() if sys.argv[1:] == ["--svg"] else outline()), sep="\n")
