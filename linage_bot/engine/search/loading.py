"""Loading of a game's compiled code in the background, once per process.

The code is compiled once per machine. This takes seconds and must not delay anything else: commands
are still answered, and a search can be stopped while it waits.
"""

from __future__ import annotations

import functools
import logging
import threading
from typing import TYPE_CHECKING, Any

from linage_bot.engine import kernels
from linage_bot.engine.jit.background import Loading
from linage_bot.engine.jit.cache_folder import cache_folder
from linage_bot.engine.jit.import_guard import lean_loading
from linage_bot.engine.jit.progress import CompileProgress, ready
from linage_bot.engine.jit.single_compile import helpers, once, processors, under_way
from linage_bot.rules import GAMES
from linage_bot.rules.game import Game

if TYPE_CHECKING:
    from linage_bot.engine.kernels.contract import Kernel

_log = logging.getLogger(__name__)

_loadings: dict[type[Game], Loading[Kernel]] = {}
_MOST_HELPERS = 2  # there is too little to do for more


def _parts(kernel: Kernel) -> list[Any]:
    """Return the functions of the search that can be compiled independently, the slowest first."""
    from linage_bot.engine.search import flights, rooting, uct  # imports Numba

    own = uct.visit_of(kernel), flights.priors_of(kernel), flights.play_flights_of(kernel)
    return [kernel.copy, *own, rooting.give_children]


def assist(number: int, id_: str) -> None:
    """Compile the parts of a game that no other process compiles, starting at part `number`."""
    from linage_bot.engine.jit.lazy_function import LazyFunction

    with lean_loading():
        parts = _parts(kernels.load(GAMES[id_].configure()))
        for part in parts[number:] + parts[:number]:
            if isinstance(part, LazyFunction):
                part.settle(wait=False)


def _ready(game: Game) -> Kernel:
    """Return the kernel after compiling all functions that a search calls.

    A call that compiles could not be stopped. If another process compiles the game, wait for it.
    """
    with once(_name(game), cache_folder()) as first:
        if first:
            _log.info("compiling %s for this machine, once: 5 to 15 seconds", game.name)
        count = min(_MOST_HELPERS, processors() - 1) if first and cache_folder() else 0
        with helpers(count, __name__, game.id):
            return _loaded(game)


def _name(game: Game) -> str:
    return f"kernels.{kernels.code_name(game)}"


def compiled(game: Game) -> bool:
    """Return whether the game was compiled before on this machine, for this version."""
    folder = cache_folder()
    return folder is not None and ready(folder, _name(game)).exists()


def compiling(game: Game) -> CompileProgress | None:
    """Return how far a process of this machine has compiled the game; None if none does."""
    return under_way(_name(game), cache_folder(), game.name)


def _loaded(game: Game) -> Kernel:
    from linage_bot.engine.search import playouts, think, uct  # imports Numba

    del playouts, think  # only imported in advance
    kernel = kernels.load(game)
    from linage_bot.engine.jit.lazy_function import settle

    settle(_parts(kernel))
    kernels.settle_encoding(kernel, game)
    uct.compile_for(kernel)
    return kernel


def begin(game: Game) -> Loading[Kernel]:
    """Load the game's kernel in the background, unless that was begun before."""
    mine = Loading(game.id, functools.partial(_ready, game), functools.partial(compiling, game))
    loading = _loadings.setdefault(type(game), mine)  # atomic
    loading.begin()
    return loading


def wait_for_kernel(
    game: Game, stopped: threading.Event, seconds: float | None = None
) -> Kernel | None:
    """Return the game's kernel, with the search compiled for it.

    Return None if `stopped` came first, or if this many seconds passed. Raises `NoKernel`, and the
    exceptions of loading.
    """
    kernels.check(game)
    return begin(game).wait(stopped, seconds)
