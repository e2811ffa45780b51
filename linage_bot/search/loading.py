"""Getting a game's compiled code in the background, once a process.

Compiling takes seconds the first time on a machine and must not hold up anything else: commands
go on being answered, and a search that is told to stop while it waits stops.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING

import attrs

from linage_bot import kernels
from linage_bot.game import Game
from linage_bot.kernels.lean import lean_loading

if TYPE_CHECKING:
    from linage_bot.kernels.contract import Kernel

_log = logging.getLogger(__name__)
_POLL_SECONDS = 0.01

_lock = threading.Lock()
_loadings: dict[type[Game], _Loading] = {}


class _Loading(threading.Thread):
    """Imports one kernel and the search compiled for it."""

    def __init__(self, game: Game) -> None:
        super().__init__(name=f"load {game.id}", daemon=True)
        self._game = game
        self.kernel: Kernel | None = None
        self.error: Exception | None = None

    def run(self) -> None:
        """Compile, or load from disk."""
        try:
            if not kernels.on_disk(self._game):
                _log.info("compiling %s for this machine, once: a few seconds", self._game.name)
            with lean_loading():
                self.kernel = _ready(self._game)
        except Exception as error:  # whatever it is, the waiting search reports it
            self.error = error


def _ready(game: Game) -> Kernel:
    """The kernel with all that a search calls: its calls could not be stopped while they compile.

    The playout comes last, for that is what `on_disk` looks for.
    """
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


def begin(game: Game) -> _Loading:
    """Load the game's kernel in the background, unless that was begun before."""
    with _lock:
        loading = _loadings.get(type(game))
        if loading is None:
            loading = _loadings[type(game)] = _Loading(game)
            loading.start()
    return loading


def wait_for_kernel(
    game: Game, stopped: threading.Event, seconds: float | None = None
) -> Kernel | None:
    """The game's kernel, with the search compiled for it.

    None if `stopped` came first, or so many seconds passed. Raises whatever loading raised.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    loading = begin(game)
    while loading.is_alive() and not stopped.is_set():
        if deadline is not None and time.monotonic() >= deadline:
            return None
        loading.join(_POLL_SECONDS)
    if loading.error is not None:
        raise loading.error
    return loading.kernel
