"""What loading does to the rest of the process, and that it is undone."""

import gc
import importlib.util
import sys
import threading

import pytest

from linage_bot.engine.jit.lean import lean_loading


@pytest.fixture(autouse=True)
def _not_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever other tests have imported, SciPy has to be looked for."""
    monkeypatch.delitem(sys.modules, "scipy", raising=False)


def test_one_within_another() -> None:
    """All is as before when the outer one is through, and not sooner."""
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
    """The second begins when the first is through; both leave all as it was."""
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
    """What is kept from the thread that loads is found by the others."""
    found: list[object] = []
    with lean_loading():
        thread = threading.Thread(target=lambda: found.append(importlib.util.find_spec("scipy")))
        thread.start()
        thread.join()
    assert found != [None]


def test_what_failed_leaves_nothing_behind() -> None:
    """However often it is tried, the collector still sees all that it saw before."""
    finders, frozen = list(sys.meta_path), gc.get_freeze_count()
    with pytest.raises(ImportError), lean_loading():
        raise ImportError
    assert gc.isenabled()
    assert sys.meta_path == finders
    assert gc.get_freeze_count() <= frozen


def test_a_process_without_collector_keeps_doing_without() -> None:
    """Whoever switched it off has reasons."""
    frozen = gc.get_freeze_count()
    gc.disable()
    try:
        with lean_loading():
            pass
        assert not gc.isenabled()
        assert gc.get_freeze_count() <= frozen
    finally:
        gc.enable()
