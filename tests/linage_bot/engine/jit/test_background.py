"""Loading in threads: one load at a time, a retry after a failure, and no endless wait."""

import threading
import time

import pytest

from linage_bot.engine.jit.background import Loading

SECONDS = 60  # far more than anything here takes


def test_what_failed_is_tried_again_when_it_is_next_wanted() -> None:
    """A caller that waited gets the error, and the next caller retries and gets the result."""
    results = iter([ImportError("half made"), "code"])

    def load() -> str:
        result = next(results)
        if isinstance(result, Exception):
            raise result
        return result

    loading = Loading("it", load)
    with pytest.raises(ImportError, match="half made"):
        loading.wait(threading.Event())
    assert loading.wait(threading.Event()) == "code"
    assert loading.wait(threading.Event()) == "code"


def test_who_only_looks_whether_it_is_there_hears_of_no_failure(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A caller that only checks gets no error; each check retries, and a failure is logged."""
    results = iter([None, None, "code"])

    def load() -> str:
        result = next(results)
        if result is None:
            raise MemoryError("none left")
        return result

    loading, until = Loading("it", load), time.monotonic() + SECONDS
    while loading.loaded is None:
        assert time.monotonic() < until
        time.sleep(0.001)
    assert loading.loaded == "code"
    said = [record.getMessage() for record in caplog.records]
    assert said == ["it could not be loaded: MemoryError('none left')"] * 2


def test_a_load_without_a_thread_is_an_error_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the system starts no thread, memory is told to be short; the next attempt loads."""
    loading = Loading("it", lambda: "code")

    def fail(_thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", fail)
        loading.begin()
        with pytest.raises(MemoryError, match="new thread"):
            loading.wait(threading.Event())
    assert loading.wait(threading.Event()) == "code"


def test_no_two_load_at_once() -> None:
    """Only one load runs at a time, because Numba's modules import one another in circles."""
    inside, most = 0, 0

    def load() -> int:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        time.sleep(0.01)
        inside -= 1
        return most

    loadings = [Loading(f"number {number}", load) for number in range(8)]
    for loading in loadings:
        loading.begin()
    assert [loading.wait(threading.Event()) for loading in loadings] == [1] * 8


def test_who_is_told_to_stop_does_not_wait_for_another_s_compiler() -> None:
    """A stopped or timed-out caller returns at once, and the result is available later."""
    release, stopped = threading.Event(), threading.Event()
    first = Loading("slow", lambda: release.wait(SECONDS))
    second = Loading("behind it", lambda: "code")
    first.begin()
    assert second.wait(stopped, 0.0) is None
    threading.Timer(0.05, stopped.set).start()
    assert second.wait(stopped) is None
    assert second.loaded is None
    release.set()
    assert second.wait(threading.Event()) == "code"


def test_where_no_thread_can_be_had_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """If no thread can be started, the caller gets the error and the next call retries."""
    loading = Loading("it", lambda: "code")
    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", lambda _thread: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            loading.wait(threading.Event())
    assert loading.wait(threading.Event()) == "code"
