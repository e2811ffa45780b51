"""Getting compiled code in the background."""

import gc
import subprocess
import sys
import threading

import pytest

from linage_bot.engine import kernels
from linage_bot.engine.search import loading
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.rules import GAMES


@pytest.fixture
def _nothing_loaded(monkeypatch):
    monkeypatch.setattr(loading, "_loadings", {})


def test_a_kernel_is_loaded_once_however_many_wait_for_it(kernel_of):
    """Who comes later gets the very object, and so none of its code compiled twice."""
    game = GAMES["linage"].configure("7")
    assert wait_for_kernel(game, threading.Event()) is kernel_of("linage")


def test_a_first_move_waits_for_no_package_that_kernels_do_not_use():
    """They stay importable for whoever wants them."""
    code = """
import sys, threading
from linage_bot.rules import GAMES
from linage_bot.engine.search.loading import wait_for_kernel
wait_for_kernel(GAMES["linage"].configure(), threading.Event())
print({"scipy", "cffi", "coverage"} & set(sys.modules))
import scipy.optimize
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_nothing_is_left_to_compile_when_a_search_begins():
    """It could not be stopped meanwhile, and `linage-bot warm` would say what is not so."""
    code = """
import threading
from linage_bot.rules import GAMES
from linage_bot.engine.search.loading import wait_for_kernel
kernel = wait_for_kernel(GAMES["linage"].configure(), threading.Event())
from linage_bot.engine.jit.deferred import Deferred
from linage_bot.engine.search import rooting, uct
parts = [kernel.copy, kernel.play, kernel.legal, kernel.playout, kernel.promise]
parts += [rooting.give_children, rooting.transplant, uct.visit_of(kernel)]
print(all(isinstance(part, Deferred) for part in parts))
print([part for part in parts if not part.signatures])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True\n[]\n", "")


@pytest.mark.usefixtures("_nothing_loaded")
def test_who_is_told_to_stop_does_not_wait_for_the_compiler(monkeypatch):
    """Compiling goes on for whoever waits next, so that no work is lost."""
    release = threading.Event()
    real = kernels.load
    monkeypatch.setattr(kernels, "load", lambda game: (release.wait(60), real(game))[1])
    game, stopped = GAMES["linage"].configure(), threading.Event()
    stopped.set()
    assert wait_for_kernel(game, stopped) is None
    release.set()
    assert wait_for_kernel(game, threading.Event()) is not None


@pytest.mark.usefixtures("_nothing_loaded")
def test_what_goes_wrong_in_loading_is_told_to_everybody_who_waits(monkeypatch):
    """With the error itself, raised on the thread of who waits and not lost on the loader's."""

    def fail(_game):
        raise OSError("no compiler")

    monkeypatch.setattr(kernels, "load", fail)
    for _ in range(2):
        with pytest.raises(OSError, match="no compiler"):
            wait_for_kernel(GAMES["linage"].configure(), threading.Event())


@pytest.mark.usefixtures("_nothing_loaded")
def test_a_kernel_that_could_not_be_loaded_is_tried_again(monkeypatch):
    """What was missing then may be there now."""
    game = GAMES["linage"].configure()
    with monkeypatch.context() as patch:
        patch.setattr(kernels, "load", lambda _game: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            wait_for_kernel(game, threading.Event())
    assert wait_for_kernel(game, threading.Event()) is not None


@pytest.mark.usefixtures("_nothing_loaded")
def test_garbage_is_collected_again_after_loading(monkeypatch):
    """Even if loading fails: a server goes on for weeks."""
    monkeypatch.setattr(kernels, "load", lambda _game: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        wait_for_kernel(GAMES["linage"].configure(), threading.Event())
    assert gc.isenabled()


@pytest.mark.usefixtures("_nothing_loaded")
def test_compiling_is_announced_in_one_line_only_when_it_is_needed(monkeypatch, caplog, tmp_path):
    """It says how long that takes, so that nobody thinks the program hangs."""
    monkeypatch.setattr(loading, "cache_folder", lambda: tmp_path)
    for expected in (["compiling Linage for this machine, once: 5 to 15 seconds"], []):
        monkeypatch.setattr(loading, "_loadings", {})
        caplog.clear()
        with caplog.at_level("INFO"):
            wait_for_kernel(GAMES["linage"].configure(), threading.Event())
        assert [record.getMessage() for record in caplog.records] == expected
