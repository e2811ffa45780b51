"""Effects of loading on the rest of the process, and their reversal."""

import gc
import importlib.util
import os
import subprocess
import sys
import threading

import pytest

from linage_bot.engine.jit.import_guard import lean_loading
from linage_bot.engine.jit.single_compile import processors


@pytest.fixture(autouse=True)
def _not_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove SciPy from the imported modules."""
    monkeypatch.delitem(sys.modules, "scipy", raising=False)


def test_one_within_another() -> None:
    """Nested blocks restore the state only at the end of the outer one."""
    finders = list(sys.meta_path)
    with lean_loading():
        with lean_loading():
            assert not gc.isenabled()
        assert not gc.isenabled()
        with pytest.raises(ModuleNotFoundError):
            importlib.util.find_spec("scipy")
    assert gc.isenabled()
    assert sys.meta_path == finders
    assert importlib.util.find_spec("scipy") is not None


def test_two_threads_take_turns() -> None:
    """Two threads enter the block in turn, and restore the import system at its end."""
    finders, entered = list(sys.meta_path), threading.Event()

    def second() -> None:
        with lean_loading():
            entered.set()

    with lean_loading():
        thread = threading.Thread(target=second)
        thread.start()
        assert not entered.wait(0.05)
    assert entered.wait(60)
    thread.join()
    assert gc.isenabled()
    assert sys.meta_path == finders


def test_other_threads_import_what_they_like() -> None:
    """A module hidden from the loading thread is still found by other threads."""
    found: list[object] = []
    with lean_loading():
        thread = threading.Thread(target=lambda: found.append(importlib.util.find_spec("scipy")))
        thread.start()
        thread.join()
    assert found != [None]


def test_what_failed_leaves_nothing_behind() -> None:
    """A failed load leaves the collector and the import system unchanged."""
    finders, frozen = list(sys.meta_path), gc.get_freeze_count()
    with pytest.raises(ImportError), lean_loading():
        raise ImportError
    assert gc.isenabled()
    assert sys.meta_path == finders
    assert gc.get_freeze_count() <= frozen


def test_a_process_without_collector_keeps_doing_without() -> None:
    """A disabled garbage collector stays disabled."""
    frozen = gc.get_freeze_count()
    gc.disable()
    try:
        with lean_loading():
            pass
        assert not gc.isenabled()
        assert gc.get_freeze_count() <= frozen
    finally:
        gc.enable()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
@pytest.mark.parametrize("asked", [None, "2"])
def test_numpy_starts_no_threads_for_matrices(asked: str | None) -> None:
    """NumPy has one thread unless the user asks for more; the environment is as before."""
    loads = (
        "from linage_bot.engine.jit.import_guard import lean_loading\n"
        "import os\n"
        "with lean_loading():\n"
        "    import numpy\n"
        "print(len(os.listdir('/proc/self/task')), os.environ.get('OPENBLAS_NUM_THREADS'))\n"
    )
    environment = {key: value for key, value in os.environ.items() if "NUM_THREADS" not in key}
    if asked is not None:
        environment["OPENBLAS_NUM_THREADS"] = asked
    command = [sys.executable, "-c", loads]
    result = subprocess.run(
        command, env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=60
    )
    threads = 1 if asked is None else min(2, processors())
    assert result.stdout == f"{threads} {asked}\n"
