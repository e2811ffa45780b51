"""`.ci/release` refuses wrong states of the repository and leaves the files unchanged."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(
    sys.platform == "win32" or not (shutil.which("git") and shutil.which("bash")),
    reason="releases are made where git and bash are",
)
COPIED = [
    ".ci/release",
    ".gitignore",
    "CHANGELOG.md",
    "README.md",
    "docs/changes.d/template.md.jinja",
    "pyproject.toml",
]
BUILD = """
import pathlib, subprocess, sys
folder = pathlib.Path(sys.argv[1])
folder.mkdir()
subject = subprocess.check_output(["git", "log", "-1", "--format=%s"])
(folder / "commit").write_bytes(subject)
"""
Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a program in a small repository with this project's settings, version 9.8.7."""
    for name in COPIED:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "linage_bot").mkdir()
    (tmp_path / "linage_bot/version.py").write_text('__version__ = "9.8.7"\n')
    (tmp_path / ".ci/artifacts.py").write_text(BUILD)
    (tmp_path / "docs/changes.d/12.fix.md").write_text("Nothing hangs any more.\n")
    suite(tmp_path, "exit 0")
    python = tmp_path / ".venv/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(tmp_path / ".venv"),  # no personal settings of git
        **{f"GIT_{who}_NAME": "A" for who in ("AUTHOR", "COMMITTER")},
        **{f"GIT_{who}_EMAIL": "a@example.org" for who in ("AUTHOR", "COMMITTER")},
    }

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )

    for command in ("init --quiet", "add --all", "commit --quiet --message start"):
        assert run("git", *command.split()).returncode == 0
    return run


def suite(folder: Path, command: str) -> None:
    """Puts a `.ci/run` there that does no more than this command."""
    file = folder / ".ci/run"
    file.write_text(f"#!/bin/sh\n{command}\n")
    file.chmod(0o755)


def refused(run: Run, folder: Path) -> str:
    """The reason that the script gives, having changed nothing."""
    before = run("git", "status", "--porcelain").stdout
    made = run(".ci/release")
    assert made.returncode == 2
    assert run("git", "status", "--porcelain").stdout == before
    assert not (folder / "dist").exists()
    (line,) = made.stderr.splitlines()
    return line


def test_a_dirty_tree_is_refused(run: Run, tmp_path: Path) -> None:
    """A tree with changed or new files that are not committed is not released."""
    new = tmp_path / "new.txt"
    new.write_text("?")
    assert "git status" in refused(run, tmp_path)
    new.unlink()
    (tmp_path / "README.md").write_text("changed")
    assert "git status" in refused(run, tmp_path)


def test_a_version_with_a_tag_is_refused(run: Run, tmp_path: Path) -> None:
    """The error names the file in which the version must be raised."""
    run("git", "tag", "v9.8.7")
    assert refused(run, tmp_path) == (
        "no release: 9.8.7 has a tag already; raise __version__ in linage_bot/version.py"
    )


def first_section(changelog: str) -> int:
    """The place of the newest section that the project's own changelog has."""
    own = (ROOT / "CHANGELOG.md").read_text()
    heading = re.search(r"^## \d.*$", own, re.MULTILINE)
    assert heading is not None
    return changelog.index(heading[0])


def tell(run: Run, folder: Path, heading: str) -> None:
    """Commits a changelog with a section of this heading."""
    file = folder / "CHANGELOG.md"
    text = file.read_text()
    at = first_section(text)
    file.write_text(f"{text[:at]}{heading}\n\n- All of it.\n\n{text[at:]}")
    run("git", "commit", "--quiet", "--all", "--message", "told")


def test_a_version_that_the_changelog_tells_of_is_refused(run: Run, tmp_path: Path) -> None:
    """A version without a tag is not used twice either."""
    tell(run, tmp_path, "## 9.8.7 (2026-01-02)")
    assert "CHANGELOG.md has 9.8.7 already" in refused(run, tmp_path)


def test_fragments_beside_an_unreleased_section_are_refused(run: Run, tmp_path: Path) -> None:
    """A version has one section."""
    tell(run, tmp_path, "## 9.8.7 (unreleased)")
    assert refused(run, tmp_path) == (
        "no release: move docs/changes.d into the section of 9.8.7 in CHANGELOG.md"
    )


def test_a_version_that_is_none_is_refused(run: Run, tmp_path: Path) -> None:
    """Three numbers make a version."""
    (tmp_path / "linage_bot/version.py").write_text('__version__ = "soon"\n')
    run("git", "commit", "--quiet", "--all", "--message", "soon")
    assert "should say" in refused(run, tmp_path)


def test_a_release_without_changes_is_refused(run: Run, tmp_path: Path) -> None:
    """A release without change fragments has nothing to announce."""
    run("git", "rm", "--quiet", "docs/changes.d/12.fix.md")
    run("git", "commit", "--quiet", "--message", "nothing")
    assert "tells of no change" in refused(run, tmp_path)


def test_a_red_suite_is_refused(run: Run, tmp_path: Path) -> None:
    """A release needs a passing `.ci/run`."""
    suite(tmp_path, "exit 1")
    run("git", "commit", "--quiet", "--all", "--message", "red")
    assert refused(run, tmp_path) == "no release: .ci/run fails"


def test_packages_that_cannot_be_published_are_refused(run: Run, tmp_path: Path) -> None:
    """If a package fails its checks, the commit of the release is taken back."""
    (tmp_path / ".ci/artifacts.py").write_text("raise SystemExit(1)")
    run("git", "commit", "--quiet", "--all", "--message", "failing")
    assert refused(run, tmp_path) == "no release: .ci/artifacts.py fails"
    assert run("git", "log", "-1", "--format=%s").stdout == "failing\n"


def test_packages_of_an_earlier_build_are_not_mixed_in(run: Run, tmp_path: Path) -> None:
    """A folder `dist` that is there already is refused, as all in it is published."""
    (tmp_path / "dist").mkdir()
    made = run(".ci/release")
    assert (made.returncode, made.stderr) == (2, "no release: remove the folder dist first\n")


def test_a_release_is_built_and_stays_here(run: Run, tmp_path: Path) -> None:
    """The packages are built from a commit whose changelog has the fragments; a person pushes."""
    made = run(".ci/release")
    assert made.returncode == 0, made.stderr
    changelog = (tmp_path / "CHANGELOG.md").read_text()
    told = changelog.index("- Nothing hangs any more. (#12)\n")
    assert changelog.index("## 9.8.7 (") < told < first_section(changelog)
    assert not (tmp_path / "docs/changes.d/12.fix.md").exists()
    assert (tmp_path / "dist/commit").read_text() == "Release 9.8.7\n"
    assert run("git", "show", "HEAD:CHANGELOG.md").stdout == changelog
    assert run("git", "status", "--porcelain").stdout == ""
    assert "git push origin HEAD v9.8.7" in made.stdout.replace('"', "")
    assert run("git", "tag").stdout == ""
    assert run("git", "log", "--oneline").stdout.count("\n") == 2


def test_a_section_that_was_written_by_hand_is_released_with_its_date(
    run: Run, tmp_path: Path
) -> None:
    """A hand-written section, as of the first version, gets the release's date."""
    tell(run, tmp_path, "## 9.8.7 (unreleased)")
    run("git", "rm", "--quiet", "docs/changes.d/12.fix.md")
    run("git", "commit", "--quiet", "--message", "no fragments")
    before = (tmp_path / "CHANGELOG.md").read_text()
    made = run(".ci/release")
    assert made.returncode == 0, made.stderr
    after = (tmp_path / "CHANGELOG.md").read_text()
    assert re.search(r"^## 9\.8\.7 \(\d{4}-\d\d-\d\d\)$", after, re.MULTILINE)
    assert re.sub(r"(## 9\.8\.7 )\(.*\)", r"\1(unreleased)", after) == before
    assert run("git", "show", "--format=", "--name-only", "HEAD").stdout == "CHANGELOG.md\n"
