"""Compilation of games in advance, so that no search has to wait for it."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from linage_bot.engine.jit.progress import OnCompile, reporting_to
from linage_bot.engine.kernels import has_kernel
from linage_bot.engine.search.loading import wait_for_kernel
from linage_bot.engine.solver.loading import wait_for_solver
from linage_bot.rules import GAMES
from linage_bot.rules.arguments import check_type
from linage_bot.rules.game import Game

if TYPE_CHECKING:
    from linage_bot.engine.kernels.contract import Kernel


def warm(
    *games: Game, solver: bool = True, batch: bool = True, on_compile: OnCompile | None = None
) -> None:
    """Compile or load the code of games, by default of all that have a kernel, and wait for it.

    The code is stored, so this takes long only once on a machine. Without `solver` the code that
    proves values is left out, and without `batch` that of `linage_bot.batch`, of OpenSpiel's states
    and of networks. `on_compile` is called as by an `Engine`. Raises `NoKernel` for a
    named game without a kernel, and the exceptions of loading, such as `MemoryError`.
    """
    never = threading.Event()
    for game in games:
        check_type("game", game, Game)
    every = (kind.configure() for kind in GAMES.values())
    with reporting_to(on_compile):
        for game in games or filter(has_kernel, every):
            kernel = wait_for_kernel(game, never)
            if solver:
                wait_for_solver(game, never)
            if batch and kernel is not None:
                _compile_batches(kernel)


def _compile_batches(kernel: Kernel) -> None:
    """Compile or load the loops of batches and the functions that only a network needs."""
    from linage_bot.engine.jit.lazy_function import settle
    from linage_bot.engine.search import batches, evaluating  # import Numba

    batches.loops_for(kernel)
    evaluating.collector_of(kernel)
    settle((batches.first_illegal, batches.choose, evaluating.learn))
