"""Getting a game's compiled code in the background, once a process, compiled once a machine.

Compiling takes seconds the first time on a machine and must not hold up anything else: commands
go on being answered, and a search that is told to stop while it waits stops.
"""

from __future__ import annotations

import functools
import logging
import threading
from typing import TYPE_CHECKING, Any

from linage_bot.engine import kernels
from linage_bot.engine.jit.background import Loading
from linage_bot.engine.jit.cache import cache_folder
from linage_bot.engine.jit.lean import lean_loading
from linage_bot.engine.jit.once import helpers, once, processors, under_way
from linage_bot.engine.jit.progress import Compiling, ready
from linage_bot.rules import GAMES
from linage_bot.rules.game import Game

if TYPE_CHECKING:
    from linage_bot.engine.kernels.contract import Kernel

_log = logging.getLogger(__name__)

_loadings: dict[type[Game], Loading[Kernel]] = {}
_MOST_HELPERS = 2  # for more there is too little to do


def _parts(kernel: Kernel) -> list[Any]:
    """What the search is made of, to be compiled independently; what takes longest comes first."""
    from linage_bot.engine.search import flights, rooting, uct  # imports Numba

    own = uct.promise_of(kernel), uct.visit_of(kernel), flights.pilot_of(kernel)
    return [kernel.copy, *own, rooting.give_children]


def assist(number: int, id_: str) -> None:
    """Compile what nobody else does of a game, beginning with another part than others."""
    from linage_bot.engine.jit.deferred import Deferred

    with lean_loading():
        parts = _parts(kernels.load(GAMES[id_].configure()))
        for part in parts[number:] + parts[:number]:
            if isinstance(part, Deferred):
                part.settle(wait=False)


def _ready(game: Game) -> Kernel:
    """The kernel with all that a search calls: its calls could not be stopped while they compile.

    Where another process compiles it, that is waited for.
    """
    with once(_name(game), cache_folder()) as first:
        if first:
            _log.info("compiling %s for this machine, once: 5 to 15 seconds", game.name)
        count = min(_MOST_HELPERS, processors() - 1) if first and cache_folder() else 0
        with helpers(count, __name__, game.id):
            return _loaded(game)


def _name(game: Game) -> str:
    return f"kernels.{kernels.module_of(game)}"


def compiled(game: Game) -> bool:
    """Whether the game was compiled before on this machine, for this version."""
    folder = cache_folder()
    return folder is not None and ready(folder, _name(game)).exists()


def compiling(game: Game) -> Compiling | None:
    """How far some process of this machine is with compiling the game; None where none does."""
    return under_way(_name(game), cache_folder())


def _loaded(game: Game) -> Kernel:
    from linage_bot.engine.search import playouts, think, uct  # imports Numba

    del playouts, think  # to be found imported
    kernel = kernels.load(game)
    from linage_bot.engine.jit.deferred import settle

    settle(_parts(kernel))
    kernels.settle_encoding(kernel, game)
    uct.compile_for(kernel)
    return kernel


def begin(game: Game) -> Loading[Kernel]:
    """Load the game's kernel in the background, unless that was begun before."""
    mine = Loading(game.id, functools.partial(_ready, game))
    loading = _loadings.setdefault(type(game), mine)  # which is atomic
    loading.begin()
    return loading


def wait_for_kernel(
    game: Game, stopped: threading.Event, seconds: float | None = None
) -> Kernel | None:
    """The game's kernel, with the search compiled for it.

    None if `stopped` came first, or so many seconds passed. Raises whatever loading raised.
    """
    return begin(game).wait(stopped, seconds)
