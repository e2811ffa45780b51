"""The games compiled for search (Numba), one file each, named like the game's module in `games`.

Importing this package is free; `load` imports Numba and compiles, or finds the code on disk.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from linage_bot.game import Game

if TYPE_CHECKING:
    from linage_bot.kernels.contract import Kernel


def load(game: Game) -> Kernel:
    """The game's kernel: slow the first time in a process, slower the first time on a machine."""
    module = type(game).__module__.rpartition(".")[2]
    kernel: Kernel = importlib.import_module(f"{__name__}.{module}").KERNEL
    return kernel


__all__ = ["load"]
