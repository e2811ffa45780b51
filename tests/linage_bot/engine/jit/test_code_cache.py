"""Damaged code on disk and full disks: the code is compiled again after a warning."""

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

from linage_bot.engine.jit import code_cache
from linage_bot.engine.jit.lazy_function import LazyFunction
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
    """Return the results of the first calls of two functions with code in the folder."""
    return LazyFunction(doubled, NUMBERS, folder)(2.5), LazyFunction(doubled, WORDS, folder)(21)


RIGHT = 5.0, 42


@pytest.fixture
def new_process(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function that resets the warnings of this process."""
    return lambda: monkeypatch.setattr(code_cache, "_warned", False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with valid code."""
    assert run(tmp_path) == RIGHT
    assert len(list(tmp_path.iterdir())) == 2
    return tmp_path


def hash_data(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_ino for path in folder.iterdir()}


def test_changed_code_of_another_package_is_compiled_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder belongs to our sources only, so the file's name changes with those of others."""
    monkeypatch.setattr(code_cache, "foreign_sources", lambda module: (f"changed {module}",))
    assert run(folder) == RIGHT
    assert len(list(folder.iterdir())) == 4


def test_code_is_written_once(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Stored code is found again by its types, without writing or a log line."""
    before = hash_data(folder)
    assert run(folder) == RIGHT
    assert hash_data(folder) == before
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
    """Damaged code is replaced after one warning, and the next process is silent."""
    before = hash_data(folder)
    files = sorted(folder.iterdir())
    for path in files if all_of_them else files[:1]:
        DAMAGES[damage](path, random.Random(damage))
    new_process()
    assert run(folder) == RIGHT
    (record,) = caplog.records
    assert record.levelname == "WARNING"
    assert str(files[0].parent) in record.getMessage()
    assert hash_data(folder).keys() == before.keys()
    caplog.clear()
    new_process()
    mended = hash_data(folder)
    assert run(folder) == RIGHT
    assert not caplog.records
    assert hash_data(folder) == mended


def test_code_in_the_other_function_s_file(
    folder: Path, new_process: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    """Valid code under the name of another function is rejected with one line in the log."""
    first, second = folder.iterdir()
    second.write_bytes(first.read_bytes())
    new_process()
    assert run(folder) == RIGHT
    assert len(caplog.records) == 1


def test_a_folder_that_went_away(
    folder: Path, new_process: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    """If the folder is missing, code is compiled with one warning."""
    new_process()
    assert run(folder / "gone") == RIGHT
    (record,) = caplog.records
    assert "cannot be stored" in record.getMessage()


@pytest.mark.skipif(sys.platform == "win32", reason="labs is in no library of a known name")
def test_code_with_addresses_of_this_process(
    tmp_path: Path, new_process: Callable[[], None], caplog: pytest.LogCaptureFixture
) -> None:
    """Code with addresses of this process is not stored."""
    new_process()
    assert LazyFunction(size, types.int64(types.int64), tmp_path)(-3) == 3
    (record,) = caplog.records
    assert "cannot be stored" in record.getMessage()
    assert not list(tmp_path.iterdir())


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of valid code that came with the package."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    assert run(folder) == RIGHT
    _, name, features = cpu_target.target_context.codegen().magic_tuple()
    (folder / "processor").write_text(f"{name} {features}\n")
    monkeypatch.setattr(code_cache, "SHIPPED", code_cache.shipped_in(folder))
    return folder


@pytest.mark.parametrize("kept_in", ["own", "gone", None])
def test_code_that_came_along(
    shipped: Path, tmp_path: Path, kept_in: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    """Code that came with the package is used without compiling or writing."""
    before = hash_data(shipped)
    (tmp_path / "own").mkdir()
    folder = None if kept_in is None else tmp_path / kept_in
    for function, of, number in ((doubled, NUMBERS, 2.5), (doubled, WORDS, 21)):
        deferred = LazyFunction(function, of, folder)
        assert deferred(number) == number + number
        assert deferred._piece is None  # what compiling begins with
    assert not list((tmp_path / "own").iterdir())
    assert hash_data(shipped) == before
    assert not caplog.records


@pytest.mark.parametrize("damage", ["cut at the end", "flipped in the middle", "a folder"])
def test_damaged_code_that_came_along(
    shipped: Path,
    tmp_path: Path,
    damage: str,
    new_process: Callable[[], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Damaged code that came with the package is compiled after one warning."""
    own = tmp_path / "own"
    own.mkdir()
    for path in shipped.glob("*.code"):
        DAMAGES[damage](path, random.Random(damage))
    before = hash_data(shipped)
    new_process()
    assert run(own) == RIGHT
    (record,) = caplog.records
    assert str(shipped) in record.getMessage()
    assert len(hash_data(own)) == 2
    assert hash_data(shipped) == before
    caplog.clear()
    new_process()
    assert run(own) == RIGHT
    assert not caplog.records


@pytest.mark.parametrize(
    "content", ["x86-64-v9 +sse2,+sse9\n", "x86-64-v3\n", "", "\0\xff", None], ids=repr
)
def test_code_for_another_processor(tmp_path: Path, content: str | None) -> None:
    """Code for a processor with other features is not used."""
    if content is not None:
        (tmp_path / "processor").write_text(content, encoding="latin-1")
    assert code_cache.shipped_in(tmp_path) is None


SCRIPT = """
import logging, sys
from pathlib import Path
logging.basicConfig(format="%(message)s")
from tests.linage_bot.engine.jit.test_code_cache import RIGHT, run
assert run(Path(sys.argv[1])) == RIGHT
"""


def warnings_of(folder: Path, *first: str) -> list[str]:
    """Return the warnings of a new process that calls the functions."""
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
    """Unreadable code is replaced after one warning."""
    for path in folder.iterdir():
        path.chmod(0)
    (said,) = warnings_of(folder, *AS_ANYBODY)
    assert "Permission denied" in said
    assert warnings_of(folder, *AS_ANYBODY) == []


@posix_only
@pytest.mark.thorough
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """In a read-only folder each process compiles and warns, until it is writable."""
    tmp_path.chmod(0o500)
    for _ in range(2):
        (said,) = warnings_of(tmp_path, *AS_ANYBODY)
        assert "cannot be stored" in said
    assert not list(tmp_path.iterdir())
    tmp_path.chmod(0o700)
    assert warnings_of(tmp_path, *AS_ANYBODY) == []


@posix_only
@pytest.mark.thorough
def test_a_full_disk(folder: Path) -> None:
    """On a full disk valid code is used, damaged code is compiled, and no partial file remains."""
    before = hash_data(folder)
    assert warnings_of(folder, *ON_FULL_DISK) == []
    for path in folder.iterdir():
        path.write_bytes(b"")
    assert len(warnings_of(folder, *ON_FULL_DISK)) == 1
    assert hash_data(folder) == before
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
    """Code that other users can write is compiled again for this user, with one log line."""
    new_process()
    for path in folder.iterdir():
        if isinstance(rights, int):
            path.chmod(rights)
        elif os.getuid():
            pytest.skip("only root can give files away")
        else:
            os.chown(path, 12345, -1)
    before = hash_data(folder)
    assert run(folder) == RIGHT
    (record,) = caplog.records
    assert record.message.endswith("other users can write to it")
    assert not {*hash_data(folder).items()} & {*before.items()}
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in folder.iterdir())
    new_process()
    caplog.clear()
    assert run(folder) == RIGHT
    assert not caplog.records
