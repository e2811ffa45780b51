"""Getting the compiled search in the background, once a process, as `search.loading` does."""

from __future__ import annotations

import functools
import logging
import threading

from linage_bot.engine import kernels
from linage_bot.engine.jit.background import Loading
from linage_bot.engine.jit.cache import cache_folder
from linage_bot.engine.jit.once import once
from linage_bot.rules.game import Game

_log = logging.getLogger(__name__)

_loadings: dict[type[Game] | None, Loading[bool]] = {}


def _ready(game: Game | None) -> bool:
    """Get all that code which is not compiled calls, as no call could be stopped meanwhile."""
    with once("solver", cache_folder()) as first:
        if first:
            _log.info("compiling the solver for this machine, once: 5 to 15 seconds")
        _load()
    if game is not None:
        from linage_bot.engine.solver.alphabeta import plain  # imports Numba

        plain.compiled_for(kernels.load(game))
    return True


def _load() -> None:
    from linage_bot.engine.jit.deferred import settle
    from linage_bot.engine.solver import keeping, methods
    from linage_bot.engine.solver.sums import endgame, search, tables
    from linage_bot.engine.solver.values import appraisal, forms

    del endgame, keeping, methods  # to be found imported
    settle((tables.intern, tables.index_regions, tables.bound, tables.move_sums))
    settle((appraisal.appraise, appraisal.learn_forms, appraisal.learn))
    settle((forms.value_of, forms.option, forms.mean_of, forms.option_count, search.advance))


def wait_for_solver(stopped: threading.Event, plain: Game | None = None) -> bool:
    """Whether the rest of the package can be imported now, at once; False if stopped before.

    `plain`: a game whose positions are to be solved by alpha-beta. Raises whatever loading raised.
    """
    return _loading(plain).wait(stopped) is not None


def solver_ready(plain: Game | None = None) -> bool:
    """Whether the rest of the package can be imported at once; begins to load it, if need be."""
    return _loading(plain).loaded is not None


def _loading(game: Game | None) -> Loading[bool]:
    mine = Loading("the solver", functools.partial(_ready, game))
    return _loadings.setdefault(None if game is None else type(game), mine)  # which is atomic
