"""Packages with a game, as pip installs them: modules, and a declared entry point."""

import re
import tomllib
from pathlib import Path

from tests.docs.test_adding import PAGE, code


def declare(folder: Path, distribution: str, **games: str) -> None:
    """Make a distribution that declares games by their id; `_` stands for `-` in both names."""
    info = folder / f"{distribution}-1.0.dist-info"
    info.mkdir(parents=True)
    name = distribution.replace("_", "-")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    lines = [f"{id_.replace('_', '-')} = {value}\n" for id_, value in games.items()]
    (info / "entry_points.txt").write_text("".join(("[linage_bot.games]\n", *lines)))


def install_col(folder: Path, *, kernel: bool = True) -> Path:
    """Install the game of docs/adding.md, as the page says, in a folder; return its package."""
    found = re.search(r"<!-- pyproject.toml -->\n```toml\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    project = tomllib.loads(found[1])["project"]
    games = project["entry-points"]["linage_bot.games"]
    declare(folder, project["name"].replace("-", "_"), **games)
    package = folder / "linage_col"
    package.mkdir()
    (package / "__init__.py").touch()
    rules = code("linage_bot/rules/col.py")
    assert rules.count('    id = "col"\n') == 1
    if kernel:
        lines = '    id = "col"\n    kernel_module = "linage_col.kernel"\n'
        assert lines in PAGE
        rules = rules.replace('    id = "col"\n', lines)
        text = code("linage_bot/engine/kernels/col.py")
        text = text.replace("linage_bot.rules.col", "linage_col.rules")
        (package / "kernel.py").write_text(text, encoding="utf-8")
    (package / "rules.py").write_text(rules, encoding="utf-8")
    return package
