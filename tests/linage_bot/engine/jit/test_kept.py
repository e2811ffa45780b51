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
from numba.core.registry import cpu_target

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


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Good code that came with the package, in a folder that nobody can write."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    assert run(folder) == RIGHT
    _, name, features = cpu_target.target_context.codegen().magic_tuple()
    (folder / "processor").write_text(f"{name} {features}\n")
    monkeypatch.setattr(kept, "SHIPPED", kept.shipped_in(folder))
    return folder


@pytest.mark.parametrize("kept_in", ["own", "gone", None])
def test_code_that_came_along(
    shipped: Path, tmp_path: Path, kept_in: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    """It is used, and nothing compiled or written, be there a folder for that or none."""
    before = contents(shipped)
    (tmp_path / "own").mkdir()
    folder = None if kept_in is None else tmp_path / kept_in
    for function, of, number in ((doubled, NUMBERS, 2.5), (doubled, WORDS, 21)):
        deferred = Deferred(function, of, folder)
        assert deferred(number) == number + number
        assert deferred._piece is None  # what compiling begins with
    assert not list((tmp_path / "own").iterdir())
    assert contents(shipped) == before
    assert not caplog.records


@pytest.mark.parametrize("damage", ["cut at the end", "flipped in the middle", "a folder"])
def test_damaged_code_that_came_along(
    shipped: Path,
    tmp_path: Path,
    damage: str,
    new_process: Callable[[], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is compiled as if none had come, after one warning, and found where that was kept."""
    own = tmp_path / "own"
    own.mkdir()
    for path in shipped.glob("*.code"):
        DAMAGES[damage](path, random.Random(damage))
    before = contents(shipped)
    new_process()
    assert run(own) == RIGHT
    (record,) = caplog.records
    assert str(shipped) in record.getMessage()
    assert len(contents(own)) == 2
    assert contents(shipped) == before
    caplog.clear()
    new_process()
    assert run(own) == RIGHT
    assert not caplog.records


@pytest.mark.parametrize(
    "content", ["x86-64-v9 +sse2,+sse9\n", "x86-64-v3\n", "", "\0\xff", None], ids=repr
)
def test_code_for_another_processor(tmp_path: Path, content: str | None) -> None:
    """What asks for features that are missing here, or says nothing of them, is left alone."""
    if content is not None:
        (tmp_path / "processor").write_text(content, encoding="latin-1")
    assert kept.shipped_in(tmp_path) is None


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
@pytest.mark.thorough
def test_code_that_may_not_be_read(folder: Path) -> None:
    """It is replaced by code that may."""
    for path in folder.iterdir():
        path.chmod(0)
    (said,) = warnings_of(folder, *AS_ANYBODY)
    assert "Permission denied" in said
    assert warnings_of(folder, *AS_ANYBODY) == []


@posix_only
@pytest.mark.thorough
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
@pytest.mark.thorough
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


@pytest.mark.skipif(sys.platform == "win32", reason="other users have no rights there")
@pytest.mark.parametrize("rights", [0o666, 0o660, "another user"])
def test_code_that_others_may_write_is_never_run(
    folder: Path,
    rights: int | str,
    new_process: Callable[[], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is made anew for this user alone, with one line, wherever the folder is."""
    new_process()
    for path in folder.iterdir():
        if isinstance(rights, int):
            path.chmod(rights)
        elif os.getuid():
            pytest.skip("only root can give files away")
        else:
            os.chown(path, 12345, -1)
    before = contents(folder)
    assert run(folder) == RIGHT
    (record,) = caplog.records
    assert record.message.endswith("others may write to it")
    assert not {*contents(folder).items()} & {*before.items()}
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in folder.iterdir())
    new_process()
    caplog.clear()
    assert run(folder) == RIGHT
    assert not caplog.records
