"""The table of packages in docs/architecture.md, and the list of modules that a script prints."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"

_spec = importlib.util.spec_from_file_location("outline", ROOT / "docs" / "outline.py")
assert _spec is not None
assert _spec.loader is not None
outline = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(outline)


def test_every_package_has_a_row_with_its_floor():
    """The table lists exactly the packages, ordered by floor."""
    rows = re.findall(r"^\| (\d) \| `(.+)/` \| \S.* \|$", PAGE.read_text(encoding="utf-8"), re.M)
    packages = [
        (str(number), package.relative_to(ROOT).as_posix())
        for number, package in outline.packages()
    ]
    assert rows == packages


def test_every_package_stands_on_a_floor():
    """No package is left out, however new."""
    listed = {name for floor in outline.FLOORS for name in floor}
    packages = {f"linage_bot/{file.parent.name}" for file in ROOT.glob("linage_bot/*/__init__.py")}
    assert listed == {"protocol", *packages}


def test_the_drawing_shows_the_floors_as_they_are():
    """The drawing matches the packages; after moving one, run the script to redraw it."""
    drawn = (ROOT / "docs" / "images" / "floors.svg").read_text(encoding="utf-8")
    assert drawn == "\n".join(outline.drawing()) + "\n"


def test_every_module_is_printed_with_the_first_line_of_its_docstring():
    """The script prints one list of all modules."""
    line = [sys.executable, str(ROOT / "docs" / "outline.py")]
    printed = subprocess.run(line, capture_output=True, encoding="utf-8", check=True).stdout
    told = re.findall(r"^   (\w+\.py): \S", printed, re.MULTILINE)
    modules = [
        file.name
        for package in ("linage_bot/*", "protocol")
        for folder in ROOT.glob(package)
        for file in folder.rglob("*.py")
        if file.name != "__init__.py"
    ]
    assert sorted(told) == sorted(modules)
    assert "game.py: The interface of every game" in printed
