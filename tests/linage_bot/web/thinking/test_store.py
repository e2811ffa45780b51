"""Saved games survive any end of the server until they expire."""

import sqlite3
from pathlib import Path

import pytest

from linage_bot.settings.checks import SettingFault
from linage_bot.web.thinking.store import KEPT_SECONDS, MOST_KEPT, UNBEGUN_SECONDS, GameStore


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "games.sqlite"


def test_what_is_written_is_there_after_a_kill(file: Path, tmp_path: Path) -> None:
    """Games written last are there after a kill, without the store being closed."""
    store = GameStore.open(file)
    store.write("one", "first", begun=True)
    store.write("one", "second", begun=True)
    token = store.token()
    killed = tmp_path / "killed"
    killed.mkdir()
    for part in file.parent.iterdir():
        (killed / part.name).write_bytes(part.read_bytes())
    store.close()
    again = GameStore.open(killed / file.name)
    assert (again.read("one"), again.read("two"), again.token()) == ("second", None, token)
    again.close()


def test_nobody_else_reads_the_token(file: Path) -> None:
    """The token's file can be read by its owner only."""
    file.parent.mkdir()
    file.touch(mode=0o666)
    file.chmod(0o666)  # as by an older program, or a copy
    store = GameStore.open(file)
    assert len(store.token()) > 20
    assert all(part.stat().st_mode & 0o077 == 0 for part in file.parent.iterdir())
    store.close()


def test_one_server_has_the_file(file: Path) -> None:
    """A second server on the same file is refused until the first one closes it."""
    store = GameStore.open(file)
    with pytest.raises(SettingFault, match="another server is using it"):
        GameStore.open(file)
    store.close()
    GameStore.open(file).close()


def test_what_is_no_file_of_ours_is_told(file: Path) -> None:
    """A file that is no game store is refused with the reason and left unchanged."""
    file.parent.mkdir()
    file.write_text("no database, but long enough to be one" * 100)
    with pytest.raises(SettingFault, match="not a database"):
        GameStore.open(file)
    assert file.read_text().startswith("no database")
    other = file.with_name("other.sqlite")
    database = sqlite3.connect(other)
    database.execute("pragma user_version = 99")
    database.close()
    with pytest.raises(SettingFault, match="another version"):
        GameStore.open(other)
    with pytest.raises(SettingFault, match=str(file.parent)):
        GameStore.open(file.parent)
    with pytest.raises(SettingFault, match="is not a folder"):
        GameStore.open(file / "below")


def test_old_games_are_forgotten() -> None:
    """Old games expire, unplayed ones sooner; above the limit the least recently used ones go."""
    now = [0.0]
    store = GameStore(sqlite3.connect(":memory:"), lambda: now[0])
    store.write("empty", "", begun=False)
    store.write("played", "", begun=True)

    def left(*names: str) -> list[str]:
        store.forget_old()
        return [name for name in names if store.read(name) is not None]

    now[0] = UNBEGUN_SECONDS + 1
    assert left("empty", "played") == ["played"]
    store.write("later", "", begun=True)
    now[0] = KEPT_SECONDS + 1
    assert left("played", "later") == ["later"]
    for number in range(MOST_KEPT):
        now[0] += 1
        store.write(f"{number}", "", begun=True)
    assert left("later", "0", f"{MOST_KEPT - 1}") == ["0", f"{MOST_KEPT - 1}"]
    store.close()
