"""Code on disk that was damaged, and disks that take none: it is compiled anew, after a word."""

import ctypes
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from numba import types

from linage_bot.engine.jit import kept
from linage_bot.engine.jit.deferred import Deferred
from tests.linage_bot.engine.kernels.damage import AS_ANYBODY, DAMAGES, ON_FULL_DISK

labs = ctypes.CDLL(None).labs if sys.platform != "win32" else None
if labs is not None:
    labs.argtypes, labs.restype = [ctypes.c_int64], ctypes.c_int64

NUMBERS, WORDS = types.float64(types.float64), types.uint64(types.uint64)


def doubled(number: float) -> float:
    return number + number


def size(number: int) -> int:
    return labs(number)


def run(folder: Path) -> tuple[float, int]:
    """What two functions with code in the folder say, called for the first time."""
    return Deferred(doubled, NUMBERS, folder)(2.5), Deferred(doubled, WORDS, folder)(21)


RIGHT = 5.0, 42


@pytest.fixture
def new_process(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Makes this process one that has warned of nothing."""
    return lambda: monkeypatch.setattr(kept, "_warned", False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with good code."""
    assert run(tmp_path) == RIGHT
    assert len(list(tmp_path.iterdir())) == 2
    return tmp_path


def contents(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_ino for path in folder.iterdir()}


def test_code_is_written_once(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """It is found again, each function by its types, without a word."""
    before = contents(folder)
    assert run(folder) == RIGHT
    assert contents(folder) == before
    assert not caplog.records


@pytest.mark.parametrize("all_of_them", [True, False])
@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_code(
    folder: Path,
    damage: str,
    all_of_them: bool,
    new_process: Callable[[], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is never run, one warning is given, and the next process finds good code and is silent."""
    before = contents(folder)
    files = sorted(folder.iterdir())
    for path in files if all_of_them else files[:1]:
        DAMAGES[damage](path, random.Random(damage))
    new_process()
    assert run(folder) == RIGHT
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert str(files[0].parent) in record.getMessage()
    assert contents(folder).keys() == before.keys()
    caplog.clear()
    new_process()
    mended = contents(folder)
    assert run(folder) == RIGHT
    assert not caplog.records
    assert contents(folder) == mended


def test_code_in_the_other_function_s_file(
    folder: Path, new_process: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    """Good code under another name is not taken for what the name says."""
    first, second = folder.iterdir()
    second.write_bytes(first.read_bytes())
    new_process()
    assert run(folder) == RIGHT
    assert len(caplog.records) == 1


def test_a_folder_that_went_away(
    folder: Path, new_process: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    """What cannot be written is compiled, and said once."""
    new_process()
    assert run(folder / "gone") == RIGHT
    (record,) = caplog.records
    assert "cannot be kept" in record.getMessage()


@pytest.mark.skipif(sys.platform == "win32", reason="labs is in no library of a known name")
def test_code_with_addresses_of_this_process(
    tmp_path: Path, new_process: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    """It would call anything in the next one, so it is not kept."""
    new_process()
    assert Deferred(size, types.int64(types.int64), tmp_path)(-3) == 3
    (record,) = caplog.records
    assert "cannot be kept" in record.getMessage()
    assert not list(tmp_path.iterdir())


SCRIPT = """
import logging, sys
from pathlib import Path
logging.basicConfig(format="%(message)s")
from tests.linage_bot.engine.jit.test_kept import RIGHT, run
assert run(Path(sys.argv[1])) == RIGHT
"""


def warnings_of(folder: Path, *first: str) -> list[str]:
    """What a process of its own says that calls the functions, under some conditions."""
    done = subprocess.run(
        [sys.executable, *first, "-c", SCRIPT, folder],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[4])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr.splitlines()


posix_only = pytest.mark.skipif(sys.platform == "win32", reason="modes and limits are POSIX")


@posix_only
def test_code_that_may_not_be_read(folder: Path) -> None:
    """It is replaced by code that may."""
    for path in folder.iterdir():
        path.chmod(0)
    (said,) = warnings_of(folder, *AS_ANYBODY)
    assert "Permission denied" in said
    assert warnings_of(folder, *AS_ANYBODY) == []


@posix_only
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """Code is compiled by each process, which says so, until something can be kept."""
    tmp_path.chmod(0o500)
    for _ in range(2):
        (said,) = warnings_of(tmp_path, *AS_ANYBODY)
        assert "cannot be kept" in said
    assert not list(tmp_path.iterdir())
    tmp_path.chmod(0o700)
    assert warnings_of(tmp_path, *AS_ANYBODY) == []


@posix_only
def test_a_full_disk(folder: Path) -> None:
    """What is there is used, what is damaged made anew but not kept, and nothing left half."""
    before = contents(folder)
    assert warnings_of(folder, *ON_FULL_DISK) == []
    for path in folder.iterdir():
        path.write_bytes(b"")
    assert len(warnings_of(folder, *ON_FULL_DISK)) == 1
    assert contents(folder) == before
    assert len(warnings_of(folder)) == 1
    assert warnings_of(folder) == []
