"""The games compiled for search (Numba), one file each, named like the game's module in `rules`.

Importing this package is free; `load` imports Numba and compiles, or finds the code on disk.
"""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING

from linage_bot.rules.game import Game

if TYPE_CHECKING:
    from linage_bot.engine.kernels.contract import Kernel


def load(game: Game) -> Kernel:
    """The game's kernel: slow the first time in a process, slower the first time on a machine."""
    return _loaded(module_of(game))


@functools.cache
def _loaded(module: str) -> Kernel:
    from linage_bot.engine.kernels.contract import Kernel  # imports Numba

    return Kernel.of(importlib.import_module(f"{__name__}.{module}"))


def settle_encoding(kernel: Kernel, game: Game) -> None:
    """Get what is compiled of `encode`, which is called where no call could be stopped."""
    start = game.start()
    kernel.encode(start.after(start.moves()[0]))


def module_of(game: Game) -> str:
    """The name of the game's module, here and in `rules`."""
    return type(game).__module__.rpartition(".")[2]


__all__ = ["load", "module_of", "settle_encoding"]
