"""Files that users name: anything else under that name is refused at once."""

import os
import sqlite3
import sys
from pathlib import Path

import pytest

from linage_bot.settings.files import check_writable, private_database, read_file, write_whole

MIB = 1 << 20
unix = pytest.mark.skipif(sys.platform == "win32", reason="there are no such files")


def refused(path: Path, most_bytes: int = MIB) -> str:
    with pytest.raises(OSError) as caught:  # noqa: PT011 - the test looks at its words
        read_file(path, most_bytes)
    return caught.value.strerror


def test_a_file_is_read_whole_up_to_its_bound_and_refused_beyond(tmp_path: Path) -> None:
    """A file over the limit is refused, never truncated."""
    file = tmp_path / "file"
    file.write_bytes(b"\r\n" * (MIB // 2))
    assert read_file(file, MIB) == file.read_bytes()
    file.write_bytes(bytes(MIB + 1))
    assert refused(file) == "longer than 1 MiB"


def test_what_is_not_there_and_what_is_a_folder_is_told_as_ever(tmp_path: Path) -> None:
    """Missing files and folders give the system's own message."""
    assert refused(tmp_path / "none") == "No such file or directory"
    assert refused(tmp_path) == "Is a directory"


@unix
def test_a_pipe_that_nobody_writes_to_does_not_keep_us_waiting(tmp_path: Path) -> None:
    """Pipes are refused for reading and writing, as opening one would block."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert refused(pipe) == "not a regular file"
    with pytest.raises(OSError, match="not a regular file"):
        check_writable(pipe)


@unix
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/null", "/dev/tty"])
def test_a_device_is_no_file(device: str) -> None:
    """Devices are refused, since reading one may not end."""
    if device != "/dev/tty" or os.access(device, os.R_OK):
        assert refused(Path(device)) in ("not a regular file", "No such device or address")


def test_a_new_file_and_a_regular_one_may_be_written(tmp_path: Path) -> None:
    """A folder may not, and that is said before any work is done for it."""
    check_writable(tmp_path / "new")
    (tmp_path / "old").write_text("")
    check_writable(tmp_path / "old")
    with pytest.raises(IsADirectoryError):
        check_writable(tmp_path)


def test_a_file_is_there_whole_or_as_it_was(tmp_path: Path) -> None:
    """An interrupted write leaves the old file and no temporary one."""
    file = tmp_path / "file"
    write_whole(file, b"old")

    with pytest.raises(TypeError):
        write_whole(file, b"new", "half")  # type: ignore[arg-type]  # what breaks off
    assert file.read_bytes() == b"old"
    write_whole(file, b"new", b"er")
    assert file.read_bytes() == b"newer"
    assert list(tmp_path.iterdir()) == [file]


def test_what_cannot_be_written_is_told_by_the_name_that_was_asked_for(tmp_path: Path) -> None:
    """The error names the requested file, not the temporary one."""
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "none" / "file", tmp_path / "folder"):
        with pytest.raises(OSError) as caught:  # noqa: PT011 - which, the system says
            write_whole(path, b"")
        assert caught.value.filename == str(path)
    assert list(tmp_path.iterdir()) == [tmp_path / "folder"]


@unix
def test_others_may_read_what_the_system_lets_them(tmp_path: Path) -> None:
    """A web server that shows the games is another user."""
    before = os.umask(0o022)
    try:
        write_whole(tmp_path / "file", b"")
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o644


@unix
@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_a_database_and_all_beside_it_is_for_one_user(tmp_path: Path, umask: int) -> None:
    """The database is private for every umask and journal mode."""
    before = os.umask(umask)
    try:
        for mode in ("wal", "persist"):
            path = tmp_path / f"{mode}.sqlite"
            private_database(path)
            database = sqlite3.connect(path)
            database.execute(f"pragma journal_mode = {mode}")
            database.execute("create table x (y)")
            database.commit()
            if mode == "wal":
                assert path.with_name("wal.sqlite-shm").exists()
            for file in tmp_path.iterdir():
                assert file.stat().st_mode & 0o777 == 0o600, file.name
            database.close()
    finally:
        os.umask(before)


@unix
def test_an_old_database_that_others_can_read_is_taken_from_them(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The log has one line per file, once, and the contents are unchanged."""
    path = tmp_path / "x.sqlite"
    for name in ("x.sqlite", "x.sqlite-wal"):
        (tmp_path / name).write_text(name)
        (tmp_path / name).chmod(0o644)
    for _ in range(2):
        private_database(path)
    assert [record.message for record in caplog.records] == [
        f"warning: {tmp_path / name}: other users could read it; its permissions are now corrected"
        for name in ("x.sqlite", "x.sqlite-wal")
    ]
    for name in ("x.sqlite", "x.sqlite-wal"):
        assert (tmp_path / name).read_text() == name
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
