"""No test reads or writes the table of whoever runs it."""

from pathlib import Path

import pytest

from linage_bot.engine.jit.kept import FOLDER


@pytest.fixture(autouse=True)
def own_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The folder of the table in this test; compiled code is found where it always is."""
    cache = tmp_path / "cache"
    cache.mkdir()
    if FOLDER is not None:
        (cache / FOLDER.name).symlink_to(FOLDER, target_is_directory=True)
    monkeypatch.setenv("LINAGE_BOT_CACHE", str(cache))
    return cache / "values"
