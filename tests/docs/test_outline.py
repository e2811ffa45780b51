"""The table of modules in docs/architecture.md is that of the code."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).parents[2]

_spec = importlib.util.spec_from_file_location("outline", ROOT / "docs" / "outline.py")
assert _spec is not None
assert _spec.loader is not None
outline = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(outline)


def test_the_page_lists_every_module_as_it_is_now():
    """A module that was added, renamed or given other words is there; else `docs/outline.py`."""
    page = outline.PAGE.read_text(encoding="utf-8")
    assert page == outline.renewed(page)


def test_every_package_stands_on_a_floor():
    """No package is left out, however new."""
    listed = {name for floor in outline.FLOORS for name in floor}
    packages = {f"linage_bot/{file.parent.name}" for file in ROOT.glob("linage_bot/*/__init__.py")}
    assert listed == {"protocol", *packages}
