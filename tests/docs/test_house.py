"""Rules for the whole source, beside the import contracts in pyproject.toml."""

import ast
import collections
import functools
from pathlib import Path

ROOT = Path(__file__).parents[2]
MODULES = sorted([*ROOT.glob("linage_bot/**/*.py"), *ROOT.glob("protocol/**/*.py")])
MOST_BY_POSITION = 5


@functools.cache
def nodes() -> list[tuple[Path, ast.ClassDef | ast.Call]]:
    """Return all classes and calls with their modules."""
    return [
        (path.relative_to(ROOT), node)
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ClassDef | ast.Call)
    ]


def is_attrs(node: ast.ClassDef) -> bool:
    return any(ast.unparse(each).startswith("attrs.") for each in node.decorator_list)


def test_no_class_name_stands_twice() -> None:
    """Every public class name is unique, so that a search finds one class."""
    found = collections.Counter(
        node.name
        for _, node in nodes()
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert [name for name, count in found.items() if count > 1] == []


def test_what_has_many_fields_is_built_by_their_names() -> None:
    """Six values in a row say nothing to who reads the call."""
    classes = {
        node.name for _, node in nodes() if isinstance(node, ast.ClassDef) and is_attrs(node)
    }
    calls = [
        f"{path}:{node.lineno}"
        for path, node in nodes()
        if isinstance(node, ast.Call)
        and len(node.args) > MOST_BY_POSITION
        and ast.unparse(node.func).rpartition(".")[2] in classes | {"cls"}
    ]
    assert not calls


def test_there_are_few_packages_and_no_loose_modules() -> None:
    """A newcomer sees the whole house on one screen."""
    names = {path.name for path in (ROOT / "linage_bot").iterdir()} - {"__pycache__"}
    loose = {name for name in names if "." in name}
    assert loose == {"__init__.py", "__main__.py", "py.typed", "version.py"}
    # `openspiel` and `batch` are where programs that learn look for them, `ugi` beside `gtp`.
    assert len(names - loose) <= 17
