"""The workers of a cluster as places to think at; needs the extra `cluster`.

What is asked goes to one worker, which is chosen by who asks, and stays there: what a worker keeps
by its name (`Kept`) serves the next piece of work. When a worker goes, who waits for it hears of
`PlaceGone` and asks another one, which begins anew. Between the pieces nothing is lost by that.

A thread looks at the workers now and then: which there are, and whose code is there. While the
scheduler is away there are no places, so everything waits; when it is back, there are.
"""

from __future__ import annotations

import functools
import logging
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, Final, TypeAlias, TypeVar

from linage_bot.engine.cluster import ClusterGone, Crew, stopping
from linage_bot.engine.places import load
from linage_bot.engine.solver.loading import code_name
from linage_bot.engine.worker import Worker
from linage_bot.rules.game import Game

T = TypeVar("T")
_Code: TypeAlias = tuple[str, str]  # a game's id, and the name of its solver's code

_LOOK_SECONDS: Final = 0.5
_AGAIN_SECONDS: Final = 2.0  # after a look that failed

_log = logging.getLogger(__name__)


class CrewPlaces:
    """A `Places`: as many things at once as the workers have threads for, `each` taking so many."""

    def __init__(self, crew: Crew, each: int = 1) -> None:
        self._crew = crew
        self._each = each
        self._games: dict[_Code, Game] = {}
        self._prepared: dict[_Code, Future[Any]] = {}
        self._threads: dict[str, int] = {}
        self._loaded: dict[str, frozenset[_Code]] = {}  # by worker
        self._changed: Callable[[], None] = lambda: None
        self._again = threading.Event()

    def watch(self, changed: Callable[[], None]) -> None:
        """Begin to look at the workers."""
        self._changed = changed
        threading.Thread(target=self._watch, name="look at workers", daemon=True).start()

    def prepare(self, game: Game) -> Future[Any]:
        """Have all workers load the game's code, now and when they come."""
        code = _code(game)
        prepared = self._prepared.setdefault(code, Future())  # before a look can ask for it
        self._games.setdefault(code, game)
        self._again.set()
        return prepared

    def ready(self, game: Game) -> Mapping[str, int]:
        """The workers that have loaded the game, by address."""
        code = _code(game)
        return {
            worker: max(1, count // self._each)
            for worker, count in self._threads.items()
            if code in self._loaded.get(worker, ())
        }

    def worker(
        self,
        place: str,
        work: Callable[[threading.Event], T],
        done: Callable[[T | Exception], None],
    ) -> Worker[T]:
        """A thread that waits for a worker."""
        return Worker(functools.partial(self._ask, place, work), done, name="ask")

    def _ask(self, place: str, work: Callable[[threading.Event], T], stopped: threading.Event) -> T:
        key = self._crew.new_key("thought")
        try:
            found: T = self._crew.ask_one(
                place,
                key,
                _done,
                key,
                work,
                stopped=stopped,
                gone=lambda: place not in self._threads,
            )
            return found
        except ClusterGone:
            self._threads = {}  # until a look finds them again
            raise

    def _watch(self) -> None:
        away = False
        while not self._crew.closing:
            try:
                self._look()
            except ClusterGone as gone:
                if not away and not self._crew.closing:
                    _log.warning("the cluster is away, all thinking waits: %s", gone)
                away, self._threads = True, {}
            else:
                if away:
                    _log.warning("the cluster is back")
                away = False
            if away:
                time.sleep(_AGAIN_SECONDS)
            else:
                self._again.wait(_LOOK_SECONDS)
                self._again.clear()

    def _look(self) -> None:
        before = self._threads, self._loaded
        games = dict(self._games)
        loaded = self._crew.look(_look_here, games)
        known = self._crew.threads()
        self._loaded = loaded
        self._threads = {worker: known[worker] for worker in loaded if worker in known}
        for code in games:
            prepared = self._prepared[code]
            if not prepared.done() and any(code in codes for codes in loaded.values()):
                prepared.set_result(None)
        if before != (self._threads, self._loaded):
            self._changed()


def _code(game: Game) -> _Code:
    return game.id, code_name(game)


# On a worker

_begun: dict[_Code, Future[Any]] = {}


def _look_here(games: Mapping[_Code, Game]) -> frozenset[_Code]:
    """Whose code is there; it is loaded in the background where it is not."""
    for code, game in games.items():
        if code not in _begun:
            _begun[code] = load(game)
    # What cannot be loaded is tried again by who searches, and that one is told.
    return frozenset(code for code in games if _begun[code].done())


def _done(key: str, work: Callable[[threading.Event], T]) -> T:
    """What a piece of work finds out."""
    with stopping(key) as stopped:
        return work(stopped)
