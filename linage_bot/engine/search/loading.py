"""Getting a game's compiled code in the background, once a process.

Compiling takes seconds the first time on a machine and must not hold up anything else: commands
go on being answered, and a search that is told to stop while it waits stops.
"""

from __future__ import annotations

import functools
import logging
import threading
from typing import TYPE_CHECKING

from linage_bot.engine import kernels
from linage_bot.engine.jit.background import Loading
from linage_bot.rules.game import Game

if TYPE_CHECKING:
    from linage_bot.engine.kernels.contract import Kernel

_log = logging.getLogger(__name__)

_loadings: dict[type[Game], Loading[Kernel]] = {}


def _ready(game: Game) -> Kernel:
    """The kernel with all that a search calls: its calls could not be stopped while they compile.

    The functions that change states come last, for those are what `on_disk` looks for.
    """
    if not kernels.on_disk(game):
        _log.info("compiling %s for this machine, once: 5 to 15 seconds", game.name)
    kernel = kernels.load(game)
    from linage_bot.engine.jit.deferred import settle
    from linage_bot.engine.search import (
        ownership,
        rooting,
        think,
        tree,  # imports Numba
        uct,
    )

    del ownership, think  # to be found imported
    settle((rooting.expand_root, uct.promise_of(kernel), uct.visit_of(kernel), kernel.copy))
    kernel.encode(game.start())
    if kernel.provable:
        from linage_bot.engine.solver.alphabeta import plain, wins

        del wins  # to be found imported
        plain.compiled_for(kernel)
    tree.prepare(kernel)
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
