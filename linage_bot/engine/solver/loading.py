"""Loading of compiled solver code in the background, once per process, as in `search.loading`.

Games that are solved by the same code (`Method.code`) share it.
"""

import functools
import logging
import threading

from linage_bot.engine.jit.background import Loading
from linage_bot.engine.jit.cache_folder import cache_folder
from linage_bot.engine.jit.progress import CompileProgress
from linage_bot.engine.jit.single_compile import once, processors, under_way
from linage_bot.engine.solver.methods import method_of
from linage_bot.rules.game import Game

_log = logging.getLogger(__name__)

_loadings: dict[str, Loading[bool]] = {}


def _ready(game: Game) -> bool:
    """Compile or load all functions that Python calls: a call that compiles cannot be stopped."""
    method = method_of(game)
    with once(method.code(game), cache_folder()) as first:
        if first:
            _log.info(
                "compiling the solver of %s for this machine, once: 5 to 15 seconds", game.name
            )
        method.compile(game, helped=first and cache_folder() is not None and processors() > 1)
    return True


def wait_for_solver(game: Game, stopped: threading.Event) -> bool:
    """Wait until the game's positions can be solved; return False if `stopped` came first.

    Raises the exceptions of loading.
    """
    return _loading(game).wait(stopped) is not None


def solver_ready(game: Game) -> bool:
    """Return whether `wait_for_solver` would return at once; start to load if necessary."""
    return _loading(game).loaded is not None


def prepare_solver(game: Game) -> None:
    """Start to load a game's solver, unless it is compiled for this game alone.

    Such a solver takes long to compile and is loaded only when it is needed.
    """
    if method_of(game).one_for_all:
        solver_ready(game)


def code_name(game: Game) -> str:
    """Return the name of the compiled code that solves a game."""
    return method_of(game).code(game)


def compiling(game: Game) -> CompileProgress | None:
    """Return how far a process of this machine has compiled the solver; None if none does."""
    return under_way(method_of(game).code(game), cache_folder(), "the solver")


def _loading(game: Game) -> Loading[bool]:
    mine = Loading(
        "the solver", functools.partial(_ready, game), functools.partial(compiling, game)
    )
    return _loadings.setdefault(method_of(game).code(game), mine)  # atomic
