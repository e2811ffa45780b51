"""Loading compiled code in the background."""

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
    """Later callers receive the same kernel object, so its code is compiled only once."""
    game = GAMES["linage"].configure("7")
    assert wait_for_kernel(game, threading.Event()) is kernel_of("linage")


def test_a_first_move_waits_for_no_package_that_kernels_do_not_use():
    """Packages that kernels do not need are not imported, but stay importable."""
    code = """
import sys, threading
from linage_bot.rules import GAMES
from linage_bot.engine.search.loading import wait_for_kernel
wait_for_kernel(GAMES["linage"].configure(), threading.Event())
print({"scipy", "cffi", "coverage", "yaml"} & set(sys.modules))
import scipy.optimize
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_a_first_move_with_stored_code_loads_nothing_of_the_compiler(kernel_of):
    """A search whose code is on disk imports neither Numba's registries nor masked arrays."""
    kernel_of("linage")
    code = """
import sys
from linage_bot import Engine, History, Limits, game
with Engine(seed=1) as engine:
    engine.play(History(game("linage", size=7)), Limits(visits=10))
print({"numba.np.linalg", "numba.cpython.listobj", "numpy.ma"} & set(sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("set()\n", "")


def test_nothing_is_left_to_compile_when_a_search_begins():
    """No compilation remains when a search starts, where it could not be stopped."""
    code = """
import threading
from linage_bot.rules import GAMES
from linage_bot.engine.search.loading import wait_for_kernel
kernel = wait_for_kernel(GAMES["linage"].configure(), threading.Event())
from linage_bot.engine.jit.lazy_function import LazyFunction
from linage_bot.engine.search import rooting, uct
parts = [kernel.copy, kernel.play, kernel.legal, kernel.playout, kernel.priors]
parts += [rooting.give_children, rooting.copy_subtree, uct.visit_of(kernel)]
print(all(isinstance(part, LazyFunction) for part in parts))
print([part for part in parts if not part.dispatcher.signatures])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True\n[]\n", "")


@pytest.mark.usefixtures("_nothing_loaded")
def test_who_is_told_to_stop_does_not_wait_for_the_compiler(monkeypatch):
    """A stopped caller returns at once, and compilation continues for the next caller."""
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
    """Each waiting caller gets the original error, raised on its own thread."""

    def fail(_game):
        raise OSError("no compiler")

    monkeypatch.setattr(kernels, "load", fail)
    for _ in range(2):
        with pytest.raises(OSError, match="no compiler"):
            wait_for_kernel(GAMES["linage"].configure(), threading.Event())


@pytest.mark.usefixtures("_nothing_loaded")
def test_a_kernel_that_could_not_be_loaded_is_tried_again(monkeypatch):
    """A failed load is retried by the next caller."""
    game = GAMES["linage"].configure()
    with monkeypatch.context() as patch:
        patch.setattr(kernels, "load", lambda _game: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            wait_for_kernel(game, threading.Event())
    assert wait_for_kernel(game, threading.Event()) is not None


@pytest.mark.usefixtures("_nothing_loaded")
def test_garbage_is_collected_again_after_loading(monkeypatch):
    """Garbage collection is enabled again even if loading fails."""
    monkeypatch.setattr(kernels, "load", lambda _game: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        wait_for_kernel(GAMES["linage"].configure(), threading.Event())
    assert gc.isenabled()


@pytest.mark.usefixtures("_nothing_loaded")
def test_compiling_is_announced_in_one_line_only_when_it_is_needed(monkeypatch, caplog, tmp_path):
    """One line announces a compilation and its expected duration, only when it is needed."""
    monkeypatch.setattr(loading, "cache_folder", lambda: tmp_path)
    for expected in (["compiling Linage for this machine, once: 5 to 15 seconds"], []):
        monkeypatch.setattr(loading, "_loadings", {})
        caplog.clear()
        with caplog.at_level("INFO"):
            wait_for_kernel(GAMES["linage"].configure(), threading.Event())
        assert [record.getMessage() for record in caplog.records] == expected
