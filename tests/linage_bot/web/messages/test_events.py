"""The compile progress that pages receive."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import pytest

from linage_bot.engine.jit.cache_folder import cache_folder
from linage_bot.engine.jit.progress import record
from linage_bot.engine.jit.single_compile import once
from linage_bot.web.messages.events import send_everything, send_progress
from tests.linage_bot.web.room import add_page, new_session


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty code cache."""
    monkeypatch.setenv("LINAGE_BOT_CACHE", str(tmp_path))
    folder = cache_folder()
    assert folder is not None
    return folder


@contextmanager
def compiled_so_far(cache: Path, name: str) -> Iterator[None]:
    """Simulate a compilation that has made some progress."""
    with once(name, cache):
        record(30)
        yield


def test_pages_are_told_how_far_the_compiler_is(cache: Path) -> None:
    """Pages get the compile progress as it changes and its end; new pages get the current state."""
    session = new_session("leblin")
    page = add_page(session)
    send_progress(session)
    assert page.heard == []
    with compiled_so_far(cache, "kernels.leblin"):
        send_progress(session)
        send_progress(session)
        [(kind, seen)] = page.heard
        assert (kind, seen["what"]) == ("compiling", "Leblin")
        assert 0 < seen["share"] < 1
        assert seen["seconds"] > 0
        late = add_page(session)
        send_everything(session, session.viewers[-1])
        assert ("compiling", seen) in late.heard
    send_progress(session)
    assert page.heard[1:] == [("compiling", None)]


def test_the_solver_is_compiled_after_the_game(cache: Path) -> None:
    """The solver has a progress bar of its own, after that of the game."""
    session = new_session()
    page = add_page(session)
    with compiled_so_far(cache, "solver"):
        with compiled_so_far(cache, "kernels.linage"):
            send_progress(session)
        send_progress(session)
    assert [seen["what"] for _, seen in page.heard] == ["Linage", "the solver"]


def test_a_game_may_have_to_wait_for_another(cache: Path) -> None:
    """A page sees another game's compilation only if its own game has to wait for it."""
    session = new_session("leblin")
    page = add_page(session)
    with compiled_so_far(cache, "kernels.gardar"):
        send_progress(session)
        assert page.heard == []
        session.code = Future()
        send_progress(session)
    assert [seen["what"] for _, seen in page.heard] == ["Gardar"]
