"""The folder of compiled code. Only these tests use folders of their own."""

import os
import stat
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from linage_bot.engine.jit.cache_folder import cache_folder, foreign_sources, sources_hash

needs_home = pytest.mark.skipif(
    sys.platform == "win32", reason="the cache folder of Windows is not in the environment"
)


@pytest.fixture
def nowhere(tmp_path: Path) -> Path:
    """Return a path where no folder can be made, because its parent is a file."""
    file = tmp_path / "file"
    file.touch()
    return file / "folder"


def set_home(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Put the user's cache folder under `home`, without any other setting."""
    monkeypatch.delenv("LINAGE_BOT_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / ".cache"))


def test_hash_changes_with_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed, added or renamed source or table changes the hash; other files do not."""
    package = tmp_path / "hashed_package"
    package.mkdir()
    (package / "__init__.py").touch()
    source = package / "source.py"
    source.write_text("A = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    hashes = [sources_hash(["hashed_package"])]
    (package / "notes.txt").write_text("not code")
    assert sources_hash(["hashed_package"]) == hashes[0]
    source.write_text("A = 2\n")
    hashes.append(sources_hash(["hashed_package"]))
    source.rename(package / "renamed.py")
    hashes.append(sources_hash(["hashed_package"]))
    (package / "more.py").touch()
    hashes.append(sources_hash(["hashed_package"]))
    for table in (b"1", b"2"):
        (package / "table.bin").write_bytes(table)
        hashes.append(sources_hash(["hashed_package"]))
    assert len(set(hashes)) == 6
    assert all(len(each) == 12 and int(each, 16) >= 0 for each in hashes)


def test_code_of_another_package_has_a_hash_of_that_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any changed file of the package changes it; other packages beside it do not, nor do ours."""
    monkeypatch.syspath_prepend(tmp_path)
    kernel = tmp_path / "space" / "hashed_game" / "kernels" / "game.py"
    kernel.parent.mkdir(parents=True)
    table = kernel.parents[1] / "table.npz"
    for file in (kernel, kernel.parents[1] / "__init__.py", kernel.parent / "__init__.py", table):
        file.touch()

    def hashed(module: str = "space.hashed_game.kernels.game") -> tuple[str, ...]:
        foreign_sources.cache_clear()
        return foreign_sources(module)

    before = hashed()
    (tmp_path / "space" / "neighbour.py").touch()
    (kernel.parent / "__pycache__").mkdir(exist_ok=True)
    (kernel.parent / "__pycache__" / "game.pyc").touch()
    assert hashed() == before
    hashes = [before, hashed("space.neighbour")]
    for file in (kernel, table):
        file.write_text("A = 1\n")
        hashes.append(hashed())
    assert len({*hashes}) == 4
    assert all(len(each) == 12 and int(each, 16) >= 0 for (each,) in hashes)
    for module in ("linage_bot.engine.kernels.linage", "__main__", "space", "sys"):
        assert hashed(module) == ()
    foreign_sources.cache_clear()


@pytest.mark.parametrize("package", ["numba", "llvmlite"])
def test_hash_changes_with_the_compiler(package: str, tmp_path: Path) -> None:
    """Another version of the compiler changes the hash."""
    spec = find_spec(package)
    assert spec is not None
    assert spec.origin is not None
    version = tmp_path / package / "_version.py"
    version.parent.mkdir()
    (version.parent / "__init__.py").touch()
    version.write_bytes(Path(spec.origin).with_name("_version.py").read_bytes())
    program = "from linage_bot.engine.jit.cache_folder import sources_hash; print(sources_hash())"

    def hashed() -> str:
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
        command = [sys.executable, "-c", program]
        return subprocess.run(command, env=env, capture_output=True, text=True).stdout.strip()

    assert hashed() == sources_hash()
    version.write_text("version_version = '0'")
    assert len(hashed()) == 12
    assert hashed() != sources_hash()


def test_the_user_chooses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """LINAGE_BOT_CACHE names the folder, which is made for this user alone."""
    monkeypatch.setenv("LINAGE_BOT_CACHE", str(tmp_path / "of" / "mine"))
    folder = cache_folder()
    assert folder == tmp_path / "of" / "mine" / f"code-{sources_hash()}"
    assert folder.is_dir()
    if sys.platform != "win32":
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert cache_folder() == folder


@needs_home
def test_home_is_the_default(
    tmp_path: Path, nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user's cache folder is used if LINAGE_BOT_CACHE is unset or unusable."""
    set_home(monkeypatch, tmp_path)
    folder = cache_folder()
    assert folder is not None
    assert folder.is_relative_to(tmp_path)
    monkeypatch.setenv("LINAGE_BOT_CACHE", str(nowhere))
    assert cache_folder() == folder


@needs_home
def test_a_read_only_home(tmp_path: Path, nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the home folder is not writable, a temporary folder is used."""
    set_home(monkeypatch, nowhere)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = cache_folder()
    assert folder is not None
    assert folder.is_relative_to(tmp_path)
    assert str(os.getuid()) in folder.parent.name


@needs_home
def test_nowhere_to_write(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If no folder is writable, the result is None without an error."""
    set_home(monkeypatch, nowhere)
    monkeypatch.setattr(tempfile, "tempdir", str(nowhere))
    assert cache_folder() is None


@needs_home
def test_a_disk_too_full_for_temporary_files(
    nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If Python finds no temporary folder, the result is None without an error."""

    def none_found() -> str:
        raise FileNotFoundError("No usable temporary directory found")

    set_home(monkeypatch, nowhere)
    monkeypatch.setattr(tempfile, "gettempdir", none_found)
    assert cache_folder() is None


@needs_home
def test_a_folder_of_somebody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that belongs to another user is not used."""
    set_home(monkeypatch, tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    assert cache_folder() is None


@pytest.fixture
def temporary(tmp_path: Path, nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder for temporary files, the only place that is writable."""
    set_home(monkeypatch, nowhere)
    folder = tmp_path / "temporary"
    folder.mkdir(mode=0o700)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@needs_home
def test_temporary_files_of_all_users(temporary: Path) -> None:
    """In a sticky temporary folder of all users a private folder is used."""
    temporary.chmod(0o1777)
    folder = cache_folder()
    assert folder is not None
    for each in (folder, folder.parent):
        assert stat.S_IMODE(each.stat().st_mode) == 0o700
    assert cache_folder() == folder


@needs_home
@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_temporary_files_that_others_may_rename(temporary: Path, mode: int) -> None:
    """A temporary folder in which other users can rename files is not used."""
    temporary.chmod(mode)
    assert cache_folder() is None


@needs_home
@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770, 0o702])
@pytest.mark.usefixtures("temporary")
def test_a_temporary_folder_that_others_may_write(mode: int) -> None:
    """A temporary folder that other users can write is not used."""
    folder = cache_folder()
    assert folder is not None
    for each in (folder.parent, folder):
        each.chmod(mode)
        assert cache_folder() is None
        each.chmod(0o700)
        assert cache_folder() == folder


@needs_home
@pytest.mark.usefixtures("temporary")
def test_a_temporary_folder_that_is_a_link(tmp_path: Path) -> None:
    """A temporary folder that is a symbolic link is not used."""
    folder = cache_folder()
    assert folder is not None
    elsewhere = tmp_path / "elsewhere"
    folder.parent.rename(elsewhere)
    folder.parent.symlink_to(elsewhere, target_is_directory=True)
    assert cache_folder() is None


def compile_words(**environment: str) -> Path | None:
    """Return the folder where a new process stores the code of one small module."""
    code = (
        "from linage_bot.engine.kernels import words\n"
        "from linage_bot.engine.jit.code_cache import FOLDER\n"
        "assert words.advance(words.generator(1)[0]) > 0\n"
        "print(FOLDER or '')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return Path(done.stdout.strip()) if done.stdout.strip() else None


@pytest.mark.thorough
def test_code_is_found_again(tmp_path: Path) -> None:
    """A second process loads the code that the first compiled, and writes nothing."""
    folder = compile_words(LINAGE_BOT_CACHE=str(tmp_path))
    assert folder is not None
    files = {file: file.stat().st_mtime_ns for file in folder.rglob("*.code")}
    assert files
    assert compile_words(LINAGE_BOT_CACHE=str(tmp_path)) == folder
    assert {file: file.stat().st_mtime_ns for file in folder.rglob("*.code")} == files


@needs_home
@pytest.mark.thorough
def test_code_runs_without_a_folder(nowhere: Path) -> None:
    """Without a writable folder, kernels are compiled again and work."""
    place = str(nowhere)
    assert compile_words(LINAGE_BOT_CACHE=place, XDG_CACHE_HOME=place, HOME=place) is not None


@needs_home
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o702])
def test_a_folder_of_ours_that_others_may_write(
    tmp_path: Path,
    mode: int,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The user's own folder is made private if others could write to it, with one log line."""
    monkeypatch.setenv("LINAGE_BOT_CACHE", str(tmp_path))
    folder = cache_folder()
    assert folder is not None
    folder.chmod(mode)
    assert cache_folder() == cache_folder() == folder
    (record,) = caplog.records
    assert record.message.endswith(
        ": other users could write to it; its permissions are now corrected"
    )
    assert not folder.stat().st_mode & 0o022
