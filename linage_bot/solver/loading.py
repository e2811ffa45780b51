"""Getting the compiled search in the background, once a process, as `search.loading` does."""

from __future__ import annotations

import logging
import threading

from linage_bot.kernels.cache import cache_folder
from linage_bot.kernels.lean import lean_loading

_log = logging.getLogger(__name__)
_POLL_SECONDS = 0.01
_lock = threading.Lock()
_loading: _Loading | None = None


class _Loading(threading.Thread):
    """Imports the search, which compiles it or finds it on disk."""

    def __init__(self) -> None:
        super().__init__(name="load the solver", daemon=True)
        self.error: Exception | None = None

    def run(self) -> None:
        """Compile, or load from disk."""
        try:
            folder = cache_folder()
            if folder is None or not any(folder.glob("*/search.advance-*.nbi")):
                _log.info("compiling the solver for this machine, once: a few seconds")
            with lean_loading():
                _compile()
        except Exception as error:  # whatever it is, who waits reports it
            self.error = error


def _compile() -> None:
    """All that is called from code that is not compiled: no call could be stopped meanwhile."""
    from linage_bot.kernels.deferred import settle
    from linage_bot.solver import appraisal, endgame, forms, keeping, methods, search, tables

    del endgame, keeping, methods  # to be found imported
    settle((tables.intern, tables.index_regions, tables.bound, tables.move_sums))
    settle((appraisal.appraise, appraisal.learn_forms, appraisal.learn))
    settle((forms.value_of, forms.option, forms.option_count, search.advance))


def wait_for_solver(stopped: threading.Event) -> bool:
    """Whether the rest of the package can be imported now, at once; False if stopped before.

    Raises whatever loading raised.
    """
    loading = _begun()
    while loading.is_alive() and not stopped.is_set():
        loading.join(_POLL_SECONDS)
    if loading.error is not None:
        raise loading.error
    return not loading.is_alive()


def solver_ready() -> bool:
    """Whether the rest of the package can be imported at once; begins to load it, if need be.

    Raises whatever loading raised.
    """
    loading = _begun()
    if loading.error is not None:
        raise loading.error
    return not loading.is_alive()


def _begun() -> _Loading:
    global _loading
    with _lock:
        if _loading is None:
            _loading = _Loading()
            _loading.start()
        return _loading
