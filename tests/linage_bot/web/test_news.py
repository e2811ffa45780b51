"""What pages are told of the compiler."""

import time
from concurrent.futures import Future
from pathlib import Path

import pytest

from linage_bot.engine.jit.cache import cache_folder
from linage_bot.web.news import tell, tell_compiling
from tests.linage_bot.web.room import Page, new_session


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where nothing has been compiled."""
    monkeypatch.setenv("LINAGE_BOT_CACHE", str(tmp_path))
    folder = cache_folder()
    assert folder is not None
    return folder


def compile_to(cache: Path, name: str, notes: int) -> None:
    """Another process has just come so far."""
    (cache / f"{name}.progress").write_bytes(f"{time.time()}\n".encode() + notes * b".")


def test_pages_are_told_how_far_the_compiler_is(cache: Path) -> None:
    """When it moves, and when it is through; who comes later is told where it is."""
    session, page, late = new_session("leblin"), Page(), Page()
    session.streams.append(page)
    tell_compiling(session)
    assert page.heard == []
    compile_to(cache, "kernels.leblin", 30)
    tell_compiling(session)
    tell_compiling(session)
    [(kind, seen)] = page.heard
    assert (kind, seen["what"]) == ("compiling", "Leblin")
    assert 0 < seen["share"] < 1
    assert seen["seconds"] > 0
    tell(session, late)
    assert ("compiling", seen) in late.heard
    (cache / "kernels.leblin.progress").unlink()
    tell_compiling(session)
    assert page.heard[1:] == [("compiling", None)]


def test_the_solver_is_compiled_after_the_game(cache: Path) -> None:
    """And has a bar of its own."""
    session, page = new_session(), Page()
    session.streams.append(page)
    for name in ("solver", "kernels.linage"):
        compile_to(cache, name, 30)
    tell_compiling(session)
    (cache / "kernels.linage.progress").unlink()
    tell_compiling(session)
    assert [seen["what"] for _, seen in page.heard] == ["Linage", "the solver"]


def test_a_game_may_have_to_wait_for_another(cache: Path) -> None:
    """Who waits is told for what; who does not need not know."""
    session, page = new_session("leblin"), Page()
    session.streams.append(page)
    compile_to(cache, "kernels.gardar", 30)
    tell_compiling(session)
    assert page.heard == []
    session.code = Future()
    tell_compiling(session)
    assert [seen["what"] for _, seen in page.heard] == ["Gardar"]
