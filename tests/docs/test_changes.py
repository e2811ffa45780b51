"""The fragments of docs/changes.d, of which towncrier makes CHANGELOG.md."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import linage_bot

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "changes.d"


KINDS = {"feature": "New", "change": "Changed", "removal": "Removed", "fix": "Fixed"}


def draft(folder: Path) -> str:
    """Return the section that a release of today would add to the CHANGELOG.md of a folder."""
    command = [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "next"]
    made = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    assert made.returncode == 0, made.stderr
    return made.stdout


def test_every_change_that_waits_will_be_told(tmp_path: Path) -> None:
    """Each fragment is one entry, with its issue, under the heading of its type."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    headings = {kind["directory"]: kind["name"] for kind in settings["tool"]["towncrier"]["type"]}
    assert headings == KINDS
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, tmp_path / name)
    folder = tmp_path / "docs" / "changes.d"
    shutil.copytree(FOLDER, folder)
    for number, kind in enumerate(KINDS, 900):  # beside those that wait, one of each type
        (folder / f"{number}.{kind}.1.md").write_text(f"A {kind} for this test.\n")
    told = {  # "### New\n\n- …" becomes "New": "- …"
        part.split("\n")[0]: part
        for part in re.split(r"^### ", draft(tmp_path), flags=re.MULTILINE)[1:]
    }
    for file in folder.glob("*.md"):
        issue, kind, *_ = file.name.split(".")
        text = file.read_text(encoding="utf-8").strip()
        assert f"\n- {text} (#{issue})\n" in told[headings[kind]], file.name


def test_a_fragment_is_one_line_of_prose() -> None:
    """The list is made by towncrier, so a fragment brings neither a hyphen nor several lines."""
    for file in FOLDER.glob("*.md"):
        (line,) = file.read_text(encoding="utf-8").splitlines()
        assert not line.startswith(("- ", "* ", "#")), file.name
        assert line.endswith("."), file.name


def test_the_changelog_tells_of_this_version_or_of_the_one_before() -> None:
    """The changelog's newest section is not newer than the package's version."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\d+)\.(\d+)\.(\d+) \(", changelog, re.MULTILINE)
    assert newest is not None
    ours = [int(number) for number in linage_bot.__version__.split(".")]
    assert [int(number) for number in newest.groups()] <= ours


def test_there_are_no_fragments_before_the_first_release() -> None:
    """Before the first release the changelog's first section replaces fragments."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if "(unreleased)" in changelog:
        assert list(FOLDER.glob("*.md")) == []
