"""A disk that is full may have room later; a file that is no database stays none."""

import sqlite3
from pathlib import Path

import pytest

from linage_bot.settings.disk import StoreFault, is_passing, opening


def fault(path, act) -> StoreFault:
    with pytest.raises(StoreFault) as caught, opening(path, "another server"):
        act()
    assert str(path) in str(caught.value)
    return caught.value


def test_a_database_that_cannot_grow_may_be_well_later(tmp_path):
    """The fault names the file and says that another start may help."""
    path = tmp_path / "x.sqlite"
    database = sqlite3.connect(path)
    database.execute("pragma max_page_count = 1")
    assert fault(path, lambda: database.execute("create table x (y)")).passing
    database.close()


def test_what_is_no_database_or_no_folder_stays_so(tmp_path):
    """Until somebody mends it, no new start helps."""
    path = tmp_path / "x.sqlite"
    path.write_bytes(b"no database" * 100)
    database = sqlite3.connect(path)
    assert not fault(path, lambda: database.execute("select * from x")).passing
    database.close()
    assert not fault(path, lambda: (path / "folder").mkdir()).passing
    assert not fault(tmp_path, lambda: sqlite3.connect(tmp_path)).passing


def test_who_else_has_the_file_is_told(tmp_path):
    """In words in place of sqlite's `database is locked`."""
    path = tmp_path / "x.sqlite"
    first, second = (sqlite3.connect(path, timeout=0, isolation_level=None) for _ in range(2))
    first.execute("begin exclusive")
    told = fault(path, lambda: second.execute("begin exclusive"))
    assert (str(told), told.passing) == (f"{path}: another server is at work on it", False)
    first.close(), second.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is Linux's")
def test_a_full_disk_may_have_room_later():
    """A file that is missing will not come by itself."""
    with pytest.raises(OSError, match="space") as caught:
        Path("/dev/full").write_text("x", encoding="utf-8")
    assert is_passing(caught.value)
    assert not is_passing(FileNotFoundError(2, "No such file or directory"))
