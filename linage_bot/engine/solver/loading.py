"""Getting compiled searches for proofs in the background, once a process, as `search.loading` does.

One solves sums of Linage, one finds nimbers; alpha-beta is compiled for each game that is to be
solved by it.
"""

import functools
import logging
import threading
from typing import Any

from linage_bot.engine import kernels
from linage_bot.engine.jit.background import Loading
from linage_bot.engine.jit.cache import cache_folder
from linage_bot.engine.jit.lean import lean_loading
from linage_bot.engine.jit.once import helpers, once, processors, under_way
from linage_bot.engine.jit.progress import Compiling
from linage_bot.engine.solver.nimbers.nimbers import makes_nimbers
from linage_bot.engine.solver.sums.sums import makes_sums
from linage_bot.rules.game import Game

_log = logging.getLogger(__name__)

_loadings: dict[str, Loading[bool]] = {}


def _ready(game: Game) -> bool:
    """Get all that code which is not compiled calls, as no call could be stopped meanwhile."""
    with once(_name(game), cache_folder()) as first:
        if first:
            what = "the solver" if makes_sums(game) else f"the solver of {game.name}"
            _log.info("compiling %s for this machine, once: 5 to 15 seconds", what)
        if not makes_sums(game):
            from linage_bot.engine.solver import wins  # imports Numba

            del wins  # to be found imported
            if makes_nimbers(game):
                _settle_nimbers()
                return True
            from linage_bot.engine.solver.alphabeta import alphabeta

            kernel = kernels.load(game)
            kernels.settle_encoding(kernel, game)
            alphabeta.compiled_for(kernel)
            return True
        helping = first and cache_folder() is not None and processors() > 1
        with helpers(int(helping), __name__):
            from linage_bot.engine.jit.deferred import settle
            from linage_bot.engine.solver import keeping, methods
            from linage_bot.engine.solver.sums import endgame

            del endgame, keeping, methods  # to be found imported
            settle(_parts())
    return True


def _name(game: Game) -> str:
    if makes_sums(game):
        return "solver"
    return "nimbers" if makes_nimbers(game) else f"alphabeta.{kernels.module_of(game)}"


def _settle_nimbers() -> None:
    from linage_bot.engine.jit.deferred import settle, together  # imports Numba
    from linage_bot.engine.solver.nimbers import search

    together(search.advance, search.find, search.key_of, search.known, search.move_entries)
    settle([search.advance])


def _parts() -> list[Any]:
    """One of each group of functions to be compiled together; what takes longest comes first."""
    from linage_bot.engine.jit.deferred import together  # imports Numba
    from linage_bot.engine.solver.sums import search, store, tables, valued
    from linage_bot.engine.solver.values import forms, making, values

    together(forms.value_of, forms.option, forms.mean_of, forms.option_count)
    together(
        tables.intern,
        tables.learn,
        tables.index_regions,
        tables.bound,
        tables.refresh,
        tables.list_kept,
        store.move_entries,
        valued.fill_values,
    )
    together(values.appraise, making.restore)
    return [values.appraise, search.advance, tables.intern, forms.value_of]


def assist(number: int) -> None:
    """Compile what nobody else does, beginning with another part than others."""
    with lean_loading():
        parts = _parts()
        for part in parts[number:] + parts[:number]:
            part.settle(wait=False)


def wait_for_solver(game: Game, stopped: threading.Event) -> bool:
    """Whether the game's positions can be solved now, at once; False if stopped before.

    Raises whatever loading raised.
    """
    return _loading(game).wait(stopped) is not None


def solver_ready(game: Game) -> bool:
    """Whether `wait_for_solver` would not wait; begins to load what it waits for, if need be."""
    return _loading(game).loaded is not None


def compiling(game: Game) -> Compiling | None:
    """How far some process of this machine is with what `wait_for_solver` waits for, if any is."""
    return under_way(_name(game), cache_folder())


def _loading(game: Game) -> Loading[bool]:
    mine = Loading("the solver", functools.partial(_ready, game))
    return _loadings.setdefault(_name(game), mine)  # which is atomic
