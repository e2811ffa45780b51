"""`--version`: the version, the commit, and whether compiled code is included."""

import json
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from linage_bot.cli import about
from linage_bot.cli.about import version_text


def line(number: int) -> str:
    return version_text().splitlines()[number]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a package that is in no checkout and was installed from no repository."""
    monkeypatch.setattr(about, "_PACKAGE", tmp_path / "linage_bot")
    (tmp_path / "linage_bot").mkdir()
    install_from({"url": "file:///linage_bot.whl", "archive_info": {}}, monkeypatch)
    return tmp_path / "linage_bot"


def install_from(origin: dict[str, object] | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the installer have recorded this origin, or none."""
    text = None if origin is None else json.dumps(origin)
    installed = SimpleNamespace(read_text={"direct_url.json": text}.get)
    monkeypatch.setattr(about, "distribution", {"linage-bot": installed}.get)


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
def test_in_a_checkout_the_commit_is_told_and_whether_files_differ(package: Path) -> None:
    """A checkout names its commit, and says if files were changed since."""
    file = package / "file.py"
    file.touch()

    def git(*words: str) -> bytes:
        who = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        command = ["git", *who, *words]
        return subprocess.run(command, cwd=package.parent, check=True, capture_output=True).stdout

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "--message", "start")
    commit = git("rev-parse", "--short=12", "HEAD").decode().strip()
    assert line(1) == f"commit: {commit}"
    file.write_text("changed")
    assert line(1) == f"commit: {commit}, changed"


@pytest.mark.usefixtures("package")
def test_an_installation_from_a_repository_tells_the_commit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After `pip install git+...` the commit is the one that pip recorded."""
    install_from({"vcs_info": {"commit_id": "0123456789abcdef"}}, monkeypatch)
    assert line(1) == "commit: 0123456789ab"


@pytest.mark.usefixtures("package")
def test_without_a_record_the_commit_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation from a wheel or from an index says that it does not know its commit."""
    assert line(1) == "commit: unknown"
    install_from(None, monkeypatch)
    assert line(1) == "commit: unknown"


def test_compiled_code_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says whether the wheel brought compiled code."""
    monkeypatch.setattr(about, "shipped_folder", lambda: tmp_path)
    assert line(2) == "compiled code: included"
    monkeypatch.setattr(about, "shipped_folder", lambda: tmp_path / "none")
    assert line(2) == "compiled code: not included"
