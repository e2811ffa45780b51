"""Work that only one process of a machine does, with helpers that end with it."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from linage_bot.engine.jit import code_cache
from linage_bot.engine.jit.progress import ready
from linage_bot.engine.jit.single_compile import helpers, once

SECONDS = 60  # far more than anything here takes


def assist(number: int, folder: str) -> None:
    """Write this process's id to a file and wait."""
    Path(folder, str(number)).write_text(str(os.getpid()))
    time.sleep(SECONDS)


def here(folder: Path, count: int) -> list[int]:
    """Return the process ids of `count` helpers once all have written them."""
    until = time.monotonic() + SECONDS
    while len(found := [path.read_text() for path in sorted(folder.iterdir())]) < count or not all(
        found
    ):
        assert time.monotonic() < until
        time.sleep(0.01)
    return [int(each) for each in found]


def wait_for_the_end_of(process_id: int) -> None:
    """Wait until the process has ended; a zombie counts as ended."""
    until = time.monotonic() + SECONDS
    while Path(f"/proc/{process_id}/cmdline").exists():
        if not Path(f"/proc/{process_id}/cmdline").read_bytes():
            return
        assert time.monotonic() < until
        time.sleep(0.01)


linux_only = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


def test_it_is_done_once(tmp_path: Path) -> None:
    """The work is done once: other callers wait for it and have nothing left to do."""
    first, done = [], []

    def work() -> None:
        with once("work", tmp_path) as mine:
            first.append(mine)
            if mine:
                time.sleep(0.2)
                done.append(True)
            assert done

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert sorted(first) == [False, False, False, True]
    with once("work", tmp_path) as mine:
        assert not mine


@pytest.mark.parametrize("kept_in", ["own", None])
def test_what_came_with_the_package_is_done(
    tmp_path: Path, kept_in: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Code that came with the package needs no compilation; all other work is done as usual."""
    own = None if kept_in is None else tmp_path
    ready(tmp_path, "shipped").touch()
    monkeypatch.setattr(f"{once.__module__}.shipped_folder", lambda: tmp_path)
    monkeypatch.setattr(code_cache, "SHIPPED", (tmp_path, ()))
    with once("shipped", own) as mine, once("work", own) as other:
        assert not mine
        assert other


def test_what_failed_is_for_the_next_to_do(tmp_path: Path) -> None:
    """Work that failed is done by the next caller."""
    with pytest.raises(MemoryError), once("work", tmp_path):
        raise MemoryError
    with once("work", tmp_path) as mine:
        assert mine


@pytest.mark.parametrize("folder", [None, Path("/nowhere/at/all")])
def test_where_nothing_can_be_kept_everybody_has_to(folder: Path | None) -> None:
    """Without a folder every caller does the work itself, and none waits."""
    with once("work", folder) as mine, once("work", folder) as too:
        assert mine
        assert too


@linux_only
def test_helpers_end_with_the_work(tmp_path: Path) -> None:
    """Helpers end with the work, even while they are busy."""
    with helpers(2, __name__, str(tmp_path)):
        processes = here(tmp_path, 2)
    for each in processes:
        assert not Path(f"/proc/{each}").exists()


@linux_only
def test_helpers_end_with_who_started_them(tmp_path: Path) -> None:
    """Helpers end if the process that started them is killed."""
    code = f"""
import sys, time
sys.path.insert(0, {str(Path(__file__).parents[4])!r})
from linage_bot.engine.jit.single_compile import helpers
with helpers(1, {__name__!r}, sys.argv[1]):
    time.sleep({SECONDS})
"""
    with subprocess.Popen([sys.executable, "-c", code, tmp_path]) as parent:
        (helper,) = here(tmp_path, 1)
        parent.send_signal(signal.SIGKILL)
    wait_for_the_end_of(helper)
