"""Folders and files that settings name: a full disk may have room later, a damaged file not."""

import math
import sqlite3
from pathlib import Path

import pytest

from linage_bot.settings.checks import (
    SettingFault,
    at_least,
    check_whole,
    file_under,
    make_folder,
    read_secret,
    within,
)


def test_a_folder_is_made_with_all_above_it(tmp_path):
    """Missing parents are made, and an existing folder is no error."""
    make_folder("sgf", tmp_path / "a" / "b")
    make_folder("sgf", tmp_path / "a" / "b")  # it may be there already
    assert (tmp_path / "a" / "b").is_dir()


@pytest.mark.parametrize("path", ["file", "file/below"])
def test_a_file_in_the_place_of_a_folder_is_named(tmp_path, path):
    """The error names the file and the key, also if the file is a parent of the folder."""
    (tmp_path / "file").touch()
    with pytest.raises(SettingFault) as caught:
        make_folder("sgf", tmp_path / path)
    assert str(caught.value).startswith(f"sgf: {tmp_path / 'file'}")
    assert caught.value.reason.endswith(" is not a folder")


def test_a_folder_that_takes_no_files_is_named(tmp_path, monkeypatch):
    """A folder without write access is an error at the start."""
    monkeypatch.setattr("os.access", lambda *_: False)  # the user who runs this may be root
    with pytest.raises(SettingFault, match="not writable"):
        make_folder("sgf", tmp_path)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_secret_is_what_its_file_says_without_any_mark(tmp_path, encoding):
    """An invisible byte order mark in the file does not become part of the password."""
    file = tmp_path / "password"
    file.write_text("geheim ü\n", encoding=encoding)
    assert read_secret("password", None, str(file)).text == "geheim ü"


def test_a_name_that_the_locale_cannot_write_is_told():
    """The error is one line and suggests `LC_ALL`."""
    with pytest.raises(SettingFault) as caught, file_under("out", Path("ü")):
        "ü".encode("ascii")  # as Python does with a path where the locale is C
    assert str(caught.value) == (
        "out: ü: cannot be a file name in the locale's encoding ascii; set LC_ALL=C.UTF-8"
    )


def fault(path, act) -> SettingFault:
    with pytest.raises(SettingFault) as caught, file_under("database", path, "another server"):
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
    """Such a fault remains until the user fixes it, so a restart does not help."""
    path = tmp_path / "x.sqlite"
    path.write_bytes(b"no database" * 100)
    database = sqlite3.connect(path)
    assert not fault(path, lambda: database.execute("select * from x")).passing
    database.close()
    assert not fault(path, lambda: (path / "folder").mkdir()).passing
    assert not fault(tmp_path, lambda: sqlite3.connect(tmp_path)).passing


def test_who_else_has_the_file_is_told(tmp_path):
    """A locked database is reported as used by another server."""
    path = tmp_path / "x.sqlite"
    first, second = (sqlite3.connect(path, timeout=0, isolation_level=None) for _ in range(2))
    first.execute("begin exclusive")
    told = fault(path, lambda: second.execute("begin exclusive"))
    assert (str(told), told.passing) == (
        f"database: {path}: another server is using it",
        False,
    )
    first.close(), second.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full is Linux's")
def test_a_full_disk_may_have_room_later(tmp_path):
    """A file that is missing will not come by itself."""
    full, missing = Path("/dev/full"), tmp_path / "missing"
    assert fault(full, lambda: full.write_text("x", encoding="utf-8")).passing
    assert not fault(missing, missing.read_bytes).passing


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, "5", True, None], ids=repr)
@pytest.mark.parametrize("check", [at_least(0), at_least(-1e9), within(0, 10), check_whole])
def test_what_is_no_finite_number_is_within_no_bounds(check, value):
    """NaN passes no comparison with bounds; None means a missing number."""
    if value is None:
        check(None, None, value)
        return
    with pytest.raises(ValueError, match="is not a"):
        check(None, None, value)
