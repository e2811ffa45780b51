"""What pages are told of the compiler."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import pytest

from linage_bot.engine.jit.cache import cache_folder
from linage_bot.engine.jit.once import once
from linage_bot.engine.jit.progress import note
from linage_bot.web.messages.events import greet, tell_compiling
from tests.linage_bot.web.room import look_on, new_session


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where nothing has been compiled."""
    monkeypatch.setenv("LINAGE_BOT_CACHE", str(tmp_path))
    folder = cache_folder()
    assert folder is not None
    return folder


@contextmanager
def compiled_so_far(cache: Path, name: str) -> Iterator[None]:
    """While somebody compiles it, and has just come so far."""
    with once(name, cache):
        note(30)
        yield


def test_pages_are_told_how_far_the_compiler_is(cache: Path) -> None:
    """When it moves, and when it is through; who comes later is told where it is."""
    session = new_session("leblin")
    page = look_on(session)
    tell_compiling(session)
    assert page.heard == []
    with compiled_so_far(cache, "kernels.leblin"):
        tell_compiling(session)
        tell_compiling(session)
        [(kind, seen)] = page.heard
        assert (kind, seen["what"]) == ("compiling", "Leblin")
        assert 0 < seen["share"] < 1
        assert seen["seconds"] > 0
        late = look_on(session)
        greet(session, session.onlookers[-1])
        assert ("compiling", seen) in late.heard
    tell_compiling(session)
    assert page.heard[1:] == [("compiling", None)]


def test_the_solver_is_compiled_after_the_game(cache: Path) -> None:
    """And has a bar of its own."""
    session = new_session()
    page = look_on(session)
    with compiled_so_far(cache, "solver"):
        with compiled_so_far(cache, "kernels.linage"):
            tell_compiling(session)
        tell_compiling(session)
    assert [seen["what"] for _, seen in page.heard] == ["Linage", "the solver"]


def test_a_game_may_have_to_wait_for_another(cache: Path) -> None:
    """Who waits is told for what; who does not need not know."""
    session = new_session("leblin")
    page = look_on(session)
    with compiled_so_far(cache, "kernels.gardar"):
        tell_compiling(session)
        assert page.heard == []
        session.code = Future()
        tell_compiling(session)
    assert [seen["what"] for _, seen in page.heard] == ["Gardar"]
