"""The games compiled for search with Numba, one module each, named like its module in `rules`.

A game of another package names its module there, `Game.kernel_module`.
Importing this package is cheap. `load` imports Numba and loads the code from disk or compiles it.
"""

from __future__ import annotations

import functools
import importlib
from typing import TYPE_CHECKING

from linage_bot.engine.jit.cache_folder import foreign_sources
from linage_bot.rules.game import Game
from protocol.session.errors import CommandFailed

if TYPE_CHECKING:
    from linage_bot.engine.kernels.contract import Kernel


class NoKernel(CommandFailed):
    """A refusal to search a game that has only its readable rules."""

    def __init__(self, game: Game) -> None:
        super().__init__(
            f"{game.name} cannot be searched without a compiled form; write one, and name its"
            f" module in {type(game).__name__}.kernel_module"
        )
        self.game = game


def has_kernel(game: Game) -> bool:
    """Return whether the game has a compiled form."""
    return _module_of(game) is not None


def check(game: Game) -> None:
    """Raise `NoKernel` if the game has no kernel."""
    if not has_kernel(game):
        raise NoKernel(game)


def load(game: Game) -> Kernel:
    """Return the game's kernel. The first call in a process is slow, the first on a machine slower.

    The reason is that it loads or even compiles the code. Raises `NoKernel`.
    """
    module = _module_of(game)
    if module is None:
        raise NoKernel(game)
    return _loaded(module)


@functools.cache
def _loaded(module: str) -> Kernel:
    from linage_bot.engine.kernels.contract import Kernel  # imports Numba

    return Kernel.of(importlib.import_module(module))


def settle_encoding(kernel: Kernel, game: Game) -> None:
    """Load or compile the functions that `encode` calls; later calls could not be interrupted."""
    start = game.start()
    kernel.encode(start.after(start.moves()[0]))


def code_name(game: Game) -> str:
    """Return the name of the game's compiled code, which changes with the sources outside ours."""
    module = _module_of(game) or type(game).__module__
    return "-".join((module.removeprefix(f"{__name__}."), *foreign_sources(module)))


def _module_of(game: Game) -> str | None:
    return game.module_in(__name__, game.kernel_module)


__all__ = ["NoKernel", "check", "code_name", "has_kernel", "load", "settle_encoding"]
