"""The command that installs a missing package."""

import sys
from importlib import machinery
from pathlib import Path

import pytest

from protocol.transport import installing
from protocol.transport.installing import install_command


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ("pipx_metadata.json", 'pipx inject linage-bot "linage-bot[cluster]"'),
        ("uv-receipt.toml", 'uv tool install linage-bot --with "linage-bot[cluster]"'),
    ],
)
def test_an_application_is_extended_by_the_tool_that_installed_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, command: str
) -> None:
    """After `pipx install` or `uv tool install`, the remedy is a command of the same tool."""
    environment = tmp_path / "linage-bot"
    environment.mkdir()
    (environment / file).touch()
    monkeypatch.setattr(sys, "prefix", str(environment))
    assert install_command("linage-bot[cluster]") == command


@pytest.mark.parametrize(("pip", "installer"), [(True, "pip"), (False, "uv pip")])
def test_any_other_environment_is_extended_by_pip_or_by_uv(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pip: bool, installer: str
) -> None:
    """An environment without pip was made by uv, which installs into it."""
    found = machinery.ModuleSpec("pip", None) if pip else None
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(installing, "find_spec", {"pip": found}.__getitem__)
    assert install_command("treq") == f'{installer} install "treq"'
