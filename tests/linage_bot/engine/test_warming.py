"""Compilation in advance, and the reports of waits for compilers."""

import subprocess
import sys
import threading

import pytest

from linage_bot import CompileProgress, Engine, History, game, warm
from linage_bot.engine.search import loading


def test_a_game_that_is_warm_is_loaded_without_a_report(monkeypatch):
    """Code that was compiled before is only loaded, and nothing is reported."""
    seen = []
    gardar = game("gardar", size=3)
    warm(gardar, solver=False)
    monkeypatch.setattr(loading, "_loadings", {})
    warm(gardar, solver=False, on_compile=seen.append)
    assert loading.begin(gardar).loaded is not None
    assert seen == []


PROGRAM = """
import numpy as np
from linage_bot import Engine, History, Network, game, warm
from linage_bot.batch import Batch
from linage_bot.engine.jit.lazy_function import LazyFunction

leblin = game("leblin", size=3)
warm(leblin, solver=False)
def refuse(self, *_):
    raise AssertionError(f"{self.py_func.__name__} was not ready")
LazyFunction._load = refuse

batch = Batch(leblin, 4)
batch.step(batch.random_moves())
batch.observe()
batch.playouts(2)
batch.reset(batch.over)
network = Network(lambda planes: (np.full((len(planes), 10), 0.1), np.zeros(len(planes))))
with Engine(visits=100, solver=False, seed=1, network=network) as engine:
    engine.play(History(leblin))
"""


def test_batches_and_networks_are_warm_too():
    """After `warm` neither a batch nor a search with a network loads or compiles code."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False, timeout=240
    )
    assert (done.stderr, done.returncode) == ("", 0)


def test_what_is_no_game_is_refused_before_anything_is_compiled():
    """A name is not a game, and a number is no callback."""
    with pytest.raises(TypeError, match="game: expected Game, not str"):
        warm("linage")
    with pytest.raises(TypeError, match="on_compile: expected a function, not int"):
        Engine(on_compile=3)


@pytest.mark.parametrize("call", ["play", "analyse", "analysis", "compile"])
def test_every_call_of_an_engine_reports_its_wait(call, monkeypatch):
    """The progress comes on the caller's thread; the last report says that all is done."""
    release, seen = threading.Event(), []
    real = loading._ready
    monkeypatch.setattr(loading, "_loadings", {})
    monkeypatch.setattr(loading, "_ready", lambda game: (release.wait(60), real(game))[1])
    progress = CompileProgress(0.25, 3.0, "Linage")
    monkeypatch.setattr(loading, "compiling", lambda _game: progress)

    def note(progress):
        seen.append((progress, threading.get_ident()))
        release.set()

    linage = game("linage", size=3)
    with Engine(on_compile=note, seed=1, visits=10, solver=False) as engine:
        if call == "compile":
            engine.compile(linage, threading.Event())
        else:
            found = getattr(engine, call)(History(linage))
            if call == "analysis":
                next(found)
    assert {thread for _, thread in seen} == {threading.get_ident()}
    assert seen[0][0] == progress
    assert seen[-1][0] == CompileProgress(1.0, 0.0, "Linage")


def test_an_exception_of_the_callback_ends_the_call(monkeypatch):
    """A caller that does not want to wait raises; the next call waits for the same code."""
    release, real = threading.Event(), loading._ready
    monkeypatch.setattr(loading, "_loadings", {})
    monkeypatch.setattr(loading, "_ready", lambda game: (release.wait(60), real(game))[1])
    monkeypatch.setattr(loading, "compiling", lambda _game: CompileProgress(0.25, 3.0, "Linage"))

    def refuse(_progress):
        release.set()
        raise InterruptedError

    with Engine(on_compile=refuse, visits=10, solver=False) as engine:
        with pytest.raises(InterruptedError):
            engine.play(History(game("linage", size=3)))
        warm(game("linage", size=3), solver=False)
        assert engine.play(History(game("linage", size=3))).move is not None
