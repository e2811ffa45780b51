"""System calls that Windows or macOS lack, acted out on any system: each has another way there.

`tests/e2e/test_match_windows.py` acts out commands that start engines.
"""

import importlib.util
import math
import mmap
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from linage_bot.engine.jit import address_space, cache_folder
from linage_bot.engine.jit.single_compile import processors
from linage_bot.settings import files
from protocol.transport import spawning
from protocol.transport.stdio import DescriptorTransport

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="these are acted out elsewhere")


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], ModuleType]:
    """Return a module as it is when imported on a platform; it believes to be there."""

    def on(platform: str, name: str) -> ModuleType:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        with monkeypatch.context() as patch:
            patch.setattr(sys, "platform", platform)
            spec.loader.exec_module(module)
        monkeypatch.setattr(module, "sys", SimpleNamespace(platform=platform, modules=sys.modules))
        return module

    return on


class Msvcrt:
    """Locks of files as Windows has them: another descriptor's lock is an error at once."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        self.locked: dict[int, int | None] = {}  # inodes of files, by descriptor

    def locking(self, file: int, mode: int, count: int) -> None:
        assert (mode, count) == (self.LK_NBLCK, 1)
        inode = _inode(file)
        if any(
            each != file and held == inode == _inode(each) for each, held in self.locked.items()
        ):
            raise PermissionError("permission denied")
        self.locked[file] = inode


def _inode(file: int) -> int | None:
    """Return which file a descriptor has open, if any."""
    try:
        return os.fstat(file).st_ino
    except OSError:
        return None


def test_a_lock_of_windows_is_held_by_one_at_a_time(
    on: Callable[[str, str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows, too, a second process does not compile what the first one compiles."""
    monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt())
    locked = on("win32", "linage_bot.engine.jit.locks").locked
    with locked(tmp_path / "lock") as first, locked(tmp_path / "lock", wait=False) as second:
        assert (first, second) == (True, False)
    with locked(tmp_path / "lock", wait=False) as third:
        assert third


def test_who_waits_for_a_lock_of_windows_gets_it_when_it_is_free(
    on: Callable[[str, str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process waits until the other has compiled, however long that takes."""
    monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt())
    locks = on("win32", "linage_bot.engine.jit.locks")
    order, waited = [], threading.Event()
    monkeypatch.setattr(locks, "time", SimpleNamespace(sleep=lambda _: waited.set()))

    def take() -> None:
        with locks.locked(tmp_path / "lock"):
            order.append("second")

    other = threading.Thread(target=take)
    with locks.locked(tmp_path / "lock"):
        other.start()
        assert waited.wait(60)
        order.append("first")
    other.join(60)
    assert order == ["first", "second"]


def test_memory_of_a_search_without_the_calls_of_linux(
    on: Callable[[str, str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns of a tree are zeros on Windows, which has neither private maps nor large pages."""
    for name in ("MADV_HUGEPAGE", "MADV_NOHUGEPAGE", "MAP_PRIVATE"):
        monkeypatch.delattr(mmap, name, raising=False)
    pages = on("win32", "linage_bot.engine.search.pages")
    first, second = pages.zeros(1000, np.uint64, np.float32)
    first[:], second[-1] = 7, 1
    assert first.tolist() == [7] * 1000
    assert second.tolist() == [0] * 999 + [1]


def test_on_macos_columns_have_pages_of_one_size(
    on: Callable[[str, str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    """MacOS has private maps, but its pages have one size."""
    for name in ("MADV_HUGEPAGE", "MADV_NOHUGEPAGE"):
        monkeypatch.delattr(mmap, name, raising=False)
    (column,) = on("darwin", "linage_bot.engine.search.pages").zeros(1000, np.uint64)
    assert not column.any()


def test_without_limits_of_memory_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has no limit of address space: a tree of any size is tried."""
    monkeypatch.setitem(sys.modules, "resource", None)
    assert address_space.room() == math.inf
    assert address_space.nodes_with_room(10**9, 100) == 10**9
    address_space.check_room_for_code()


def test_a_limit_of_memory_without_proc(monkeypatch: pytest.MonkeyPatch) -> None:
    """MacOS has limits, but does not say what is in use: then there is room."""
    limited = SimpleNamespace(
        RLIMIT_AS=9, RLIM_INFINITY=-1, getrlimit=lambda _: (1 << 33, -1), getpagesize=lambda: 4096
    )
    monkeypatch.setitem(sys.modules, "resource", limited)
    monkeypatch.setattr(address_space, "Path", lambda _: Path("/no/such/file"))
    assert address_space.room() == math.inf


def test_processors_are_counted_where_none_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a call for the processors of a process, all of the machine count."""
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 6)
    assert processors() == 6


def test_without_user_numbers_code_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows, compiled code has a folder among the user's temporary files if need be."""
    monkeypatch.delattr(os, "getuid")
    monkeypatch.delenv("LINAGE_BOT_CACHE", raising=False)
    (tmp_path / "file").touch()
    nowhere = SimpleNamespace(user_cache_path=lambda *_, **__: tmp_path / "file")
    monkeypatch.setattr(cache_folder, "platformdirs", nowhere)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = cache_folder.cache_folder()
    assert folder is not None
    assert folder.parent == tmp_path / "linage-bot-user"
    assert folder.is_dir()


def test_without_user_numbers_files_are_the_user_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """On Windows no mode of a file is corrected, and none is taken for another user's."""
    file = tmp_path / "games.sqlite"
    file.touch()
    file.chmod(0o666)
    monkeypatch.delattr(os, "getuid")
    assert not files.others_may_write(file.stat())
    files.close_to_writers(file)
    files.private_database(file)
    assert file.stat().st_mode & 0o777 == 0o666
    assert not caplog.records


def test_without_forks_nothing_waits_for_them(
    on: Callable[[str, str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On Windows nothing is registered for forks, which it does not have."""
    monkeypatch.delattr(os, "register_at_fork")
    forks = on("win32", "linage_bot.engine.forks")
    forks.in_forked_children(pytest.fail)
    forks.around_forks(pytest.fail, pytest.fail)


def test_standard_streams_without_poll(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows all that is written arrives in order, and the end of the input is noticed."""
    monkeypatch.delattr(select, "poll")
    monkeypatch.delattr(os, "set_blocking")
    monkeypatch.setattr("protocol.transport.stdio.sys", SimpleNamespace(platform="win32"))
    (ours_in, stdin), (stdout, ours_out) = os.pipe(), os.pipe()
    ended = threading.Event()
    received: list[bytes] = []
    peer = SimpleNamespace(
        dataReceived=received.append, readConnectionLost=ended.set, connectionLost=lambda _: None
    )
    reactor = SimpleNamespace(callFromThread=lambda call, *arguments: call(*arguments))
    transport = DescriptorTransport(reactor, peer, ours_in, ours_out)
    transport.start()
    os.write(stdin, b"name\n")
    os.close(stdin)
    assert ended.wait(60)
    assert received == [b"name\n"]
    transport.write(b"= linage")
    transport.write(b"-bot\n\n")
    transport.loseConnection()
    with open(stdout, "rb") as out:  # noqa: PTH123
        assert out.read(14) == b"= linage-bot\n\n"


class Engine:
    """A process of Windows."""

    def __init__(self, line: list[str], **options: Any) -> None:
        assert not options.pop("pass_fds")  # an error there
        self.line = line


def test_an_engine_is_started_by_itself_on_windows(
    on: Callable[[str, str], ModuleType], monkeypatch: pytest.MonkeyPatch
) -> None:
    """There the engine's own command line is run, not that which leads a group of processes."""
    piping = on("win32", "linage_bot.arena.piping")
    monkeypatch.setattr(subprocess, "Popen", Engine)
    assert piping.start_piped(["engine.exe", "gtp"]).line == ["engine.exe", "gtp"]


def test_a_group_of_dead_processes_is_killed_on_macos(monkeypatch: pytest.MonkeyPatch) -> None:
    """MacOS refuses to kill a group that has only zombies left; the engine is gone all the same."""
    killed = []

    def refuse(pid: int, number: int) -> None:
        killed.append((pid, number))
        raise PermissionError

    monkeypatch.setattr(os, "killpg", refuse)
    spawning.kill_group(123, exited=True)
    assert killed == [(123, signal.SIGKILL)]


@pytest.mark.parametrize(("program", "status"), [("true", 0), ("no-such-engine", 127)])
def test_an_engine_is_started_without_the_calls_of_linux(
    program: str, status: int, tmp_path: Path
) -> None:
    """On macOS an engine leads its group, without a guard, and a missing one is told by name."""
    starter = tmp_path / "starter.py"
    starter.write_text(
        "import os, runpy, sys\n"
        "sys.platform = 'darwin'\n"
        "del os.fork\n"
        f"sys.argv[0] = {str(spawning._TRAMPOLINE)!r}\n"
        "runpy.run_path(sys.argv[0], run_name='__main__')\n"
    )
    ours, theirs = os.pipe()
    command = [sys.executable, str(starter), str(os.getpid()), str(theirs), program]
    done = subprocess.run(command, pass_fds=[theirs], check=False)
    os.close(theirs)
    with open(ours, "rb") as errors:  # noqa: PTH123
        said = errors.read()
    assert (done.returncode, said) == (status, b"No such file or directory" if status else b"")
