"""The fragments of docs/changes.d, of which towncrier makes CHANGELOG.md."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import linage_bot

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "changes.d"


def draft() -> str:
    """What a release of today would add to CHANGELOG.md."""
    command = [sys.executable, "-m", "towncrier", "build", "--draft", "--version", "next"]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert made.returncode == 0, made.stderr
    return made.stdout


def test_every_change_that_waits_will_be_told() -> None:
    """Each fragment is one entry, with its issue, under the heading of its type."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    headings = {kind["directory"]: kind["name"] for kind in settings["tool"]["towncrier"]["type"]}
    assert list(headings) == ["feature", "change", "removal", "fix"]
    told = {  # "### New\n\n- …" becomes "New": "- …"
        part.split("\n")[0]: part for part in re.split(r"^### ", draft(), flags=re.MULTILINE)[1:]
    }
    for file in FOLDER.glob("*.md"):
        number, kind, *_ = file.name.split(".")
        text = file.read_text(encoding="utf-8").strip()
        assert f"\n- {text} (#{number})\n" in told[headings[kind]], file.name


def test_a_fragment_is_one_line_of_prose() -> None:
    """The list is made by towncrier, so a fragment brings neither a hyphen nor several lines."""
    for file in FOLDER.glob("*.md"):
        (line,) = file.read_text(encoding="utf-8").splitlines()
        assert not line.startswith(("- ", "* ", "#")), file.name
        assert line.endswith("."), file.name


def test_the_changelog_tells_of_this_version_or_of_the_one_before() -> None:
    """Its newest section is not newer than what the package says it is."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = re.search(r"^## (\d+)\.(\d+)\.(\d+) \(", changelog, re.MULTILINE)
    assert newest is not None
    ours = [int(number) for number in linage_bot.__version__.split(".")]
    assert [int(number) for number in newest.groups()] <= ours
