"""Getting a game's compiled code in the background, once a process.

Compiling takes seconds the first time on a machine and must not hold up anything else: commands
go on being answered, and a search that is told to stop while it waits stops.
"""

from __future__ import annotations

import functools
import logging
import threading
from typing import TYPE_CHECKING

import attrs

from linage_bot import kernels
from linage_bot.game import Game
from linage_bot.kernels.background import Loading

if TYPE_CHECKING:
    from linage_bot.kernels.contract import Kernel

_log = logging.getLogger(__name__)

_lock = threading.Lock()
_loadings: dict[type[Game], Loading[Kernel]] = {}


def _ready(game: Game) -> Kernel:
    """The kernel with all that a search calls: its calls could not be stopped while they compile.

    The playout comes last, for that is what `on_disk` looks for.
    """
    if not kernels.on_disk(game):
        _log.info("compiling %s for this machine, once: a few seconds", game.name)
    kernel = kernels.load(game)
    from linage_bot.kernels.deferred import settle
    from linage_bot.search import rooting, tree  # imports Numba

    parts = attrs.astuple(kernel, recurse=False)
    settle(part for part in parts if part is not kernel.playout)
    settle(vars(rooting).values())
    kernel.encode(game.start())
    if kernel.provable:
        from linage_bot.solver import plain

        plain.compiled_for(kernel)
    tree.prepare(kernel)
    return kernel


def begin(game: Game) -> Loading[Kernel]:
    """Load the game's kernel in the background, unless that was begun before."""
    with _lock:
        loading = _loadings.get(type(game))
        if loading is None:
            loading = Loading(game.id, functools.partial(_ready, game))
            _loadings[type(game)] = loading
            loading.start()
    return loading


def wait_for_kernel(
    game: Game, stopped: threading.Event, seconds: float | None = None
) -> Kernel | None:
    """The game's kernel, with the search compiled for it.

    None if `stopped` came first, or so many seconds passed. Raises whatever loading raised.
    """
    return begin(game).wait(stopped, seconds)
