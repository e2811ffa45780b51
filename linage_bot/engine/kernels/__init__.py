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


def module_of(game: Game) -> str:
    """The name of the game's module, here and in `rules`."""
    return type(game).__module__.rpartition(".")[2]


__all__ = ["load", "module_of"]
