"""The games compiled for search with Numba, one module each, named like its module in `rules`.

Importing this package is cheap. `load` imports Numba and loads the code from disk or compiles it.
"""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING

from linage_bot.rules.game import Game

if TYPE_CHECKING:
    from linage_bot.engine.kernels.contract import Kernel


def load(game: Game) -> Kernel:
    """Return the game's kernel. The first call in a process is slow, the first on a machine slower.

    The reason is that it loads or even compiles the code.
    """
    return _loaded(module_of(game))


@functools.cache
def _loaded(module: str) -> Kernel:
    from linage_bot.engine.kernels.contract import Kernel  # imports Numba

    return Kernel.of(importlib.import_module(f"{__name__}.{module}"))


def settle_encoding(kernel: Kernel, game: Game) -> None:
    """Load or compile the functions that `encode` calls; later calls could not be interrupted."""
    start = game.start()
    kernel.encode(start.after(start.moves()[0]))


def module_of(game: Game) -> str:
    """Return the name of the game's module, which is the same here and in `rules`."""
    return type(game).__module__.rpartition(".")[2]


__all__ = ["load", "module_of", "settle_encoding"]
