"""Getting the compiled search in the background, once a process, as `search.loading` does."""

from __future__ import annotations

import logging
import threading

from linage_bot.kernels.background import Loading
from linage_bot.kernels.cache import cache_folder

_log = logging.getLogger(__name__)
_lock = threading.Lock()
_loading: Loading[bool] | None = None


def _ready() -> bool:
    """Get all that code which is not compiled calls, as no call could be stopped meanwhile."""
    folder = cache_folder()
    if folder is None or not any(folder.glob("*/search.advance-*.nbi")):
        _log.info("compiling the solver for this machine, once: a few seconds")
    from linage_bot.kernels.deferred import settle
    from linage_bot.solver import appraisal, endgame, forms, keeping, methods, search, tables

    del endgame, keeping, methods  # to be found imported
    settle((tables.intern, tables.index_regions, tables.bound, tables.move_sums))
    settle((appraisal.appraise, appraisal.learn_forms, appraisal.learn))
    settle((forms.value_of, forms.option, forms.option_count, search.advance))
    return True


def wait_for_solver(stopped: threading.Event) -> bool:
    """Whether the rest of the package can be imported now, at once; False if stopped before.

    Raises whatever loading raised.
    """
    return _begun().wait(stopped) is not None


def solver_ready() -> bool:
    """Whether the rest of the package can be imported at once; begins to load it, if need be.

    Raises whatever loading raised.
    """
    return _begun().loaded is not None


def _begun() -> Loading[bool]:
    global _loading
    with _lock:
        if _loading is None:
            _loading = Loading("the solver", _ready)
            _loading.start()
        return _loading
