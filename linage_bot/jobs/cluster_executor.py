"""An executor whose workers are those of a Dask cluster; needs the extra `cluster`.

A job runs on the worker that it was given to, where its `StickyObject`s are. If the worker is lost,
the job ends with `WorkerLost`, and the queue gives it to another worker, which starts from nothing.

A thread looks at the workers now and then: which there are, and which games' code they have loaded.
While the scheduler cannot be reached there are no workers, so all jobs wait until it is back.
"""

from __future__ import annotations

import functools
import logging
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any, Final, TypeAlias, TypeVar

from linage_bot.engine.solver.loading import code_name
from linage_bot.engine.worker import Worker
from linage_bot.jobs.cluster import ClusterClient, publish, stopping
from linage_bot.jobs.executor import ClusterGone, Report, load, with_report
from linage_bot.rules.game import Game

T = TypeVar("T")
_Code: TypeAlias = tuple[str, str]  # a game's id, and the name of its solver's code

_LOOK_SECONDS: Final = 0.5
_RETRY_SECONDS: Final = 2.0  # after a look that failed

_log = logging.getLogger(__name__)


class ClusterExecutor:
    """An `Executor` that runs as many jobs at once as the workers have threads for."""

    def __init__(self, client: ClusterClient, threads: int = 1) -> None:
        """`threads` is the number of a worker's threads that each job takes."""
        self._client = client
        self._threads_each = threads
        self._games: dict[_Code, Game] = {}
        self._prepared: dict[_Code, Future[Any]] = {}
        self._threads = client.threads()  # by worker
        self._loaded: dict[str, frozenset[_Code]] = {}  # by worker
        self._changed: Callable[[], None] = lambda: None
        self._look_now = threading.Event()
        self._topic = f"linage-{uuid.uuid4().hex}"
        self._reports: dict[str, Report] = {}  # by key
        client.listen(self._topic, self._on_message)

    def watch(self, changed: Callable[[], None]) -> None:
        """Begin to look at the workers."""
        self._changed = changed
        threading.Thread(target=self._watch, name="look at workers", daemon=True).start()

    def prepare(self, game: Game) -> Future[Any]:
        """Have all workers load the game's code, now and when they come."""
        code = _code(game)
        prepared = self._prepared.setdefault(code, Future())  # before a look can ask for it
        self._games.setdefault(code, game)
        self._look_now.set()
        return prepared

    def ready(self, game: Game | None) -> Mapping[str, int]:
        """Return the workers' addresses; of a game that was not prepared before, it prepares it."""
        code = None if game is None else _code(game)
        if game is not None and code not in self._games:
            self.prepare(game)
        return {
            worker: max(1, count // self._threads_each)
            for worker, count in self._threads.items()
            if code is None or code in self._loaded.get(worker, ())
        }

    def processors_each(self, _jobs: int) -> int:
        """Return one: a job has the thread of its worker."""
        return 1

    def thread_for(
        self,
        worker: str,
        work: Callable[..., T],
        done: Callable[[T | Exception], None],
        report: Report | None = None,
    ) -> Worker[T]:
        """Return a thread that waits for the worker."""
        return Worker(functools.partial(self._run, worker, work, report), done, name="ask")

    def _run(
        self,
        worker: str,
        work: Callable[..., T],
        report: Report | None,
        stopped: threading.Event,
    ) -> T:
        key = self._client.new_key()
        if report is not None:
            self._reports[key] = report
        topic = None if report is None else self._topic
        try:
            found: T = self._client.run(
                worker,
                key,
                _run_here,
                *(key, topic, work),
                stopped=stopped,
                gone=lambda: worker not in self._threads,
            )
            return found
        except ClusterGone:
            self._threads = {}  # until a look finds them again
            raise
        finally:
            self._reports.pop(key, None)

    def _on_message(self, message: tuple[str, Any]) -> None:
        key, value = message
        report = self._reports.get(key)
        if report is not None:
            report(value)

    def _watch(self) -> None:
        away = False
        while not self._client.closing:
            try:
                self._look()
            except ClusterGone as gone:
                if not away and not self._client.closing:
                    _log.warning("the cluster is unavailable; all jobs wait: %s", gone)
                away, self._threads = True, {}
            else:
                if away:
                    _log.warning("the cluster is available again")
                away = False
            if away:
                time.sleep(_RETRY_SECONDS)
            else:
                self._look_now.wait(_LOOK_SECONDS)
                self._look_now.clear()

    def _look(self) -> None:
        before = self._threads, self._loaded
        games = dict(self._games)
        loaded = self._client.look(_look_here, games)
        known = self._client.threads()
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
    """Return the games whose code is loaded; load the others in the background."""
    for code, game in games.items():
        if code not in _begun:
            _begun[code] = load(game)
    # What cannot be loaded is tried again by the search, which reports the error.
    return frozenset(code for code in games if _begun[code].done())


def _run_here(key: str, topic: str | None, work: Callable[..., T]) -> T:
    report = None if topic is None else functools.partial(_publish, topic, key)
    with stopping(key) as stopped:
        return with_report(work, report)(stopped)


def _publish(topic: str, key: str, value: Any) -> None:
    publish(topic, (key, value))
