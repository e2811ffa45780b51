"""An event on the workers of a Dask cluster: pairs of games are sent out, records come back.

Each job is the games of one opening pair. This process alone writes the store, each record once. A
worker that dies costs its games' time: another one plays the pair. Needs the extra `cluster`.
"""

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from functools import partial
from queue import SimpleQueue
from typing import Final

from rich.console import Console

from linage_bot.arena.records import GameRecord
from linage_bot.jobs.cluster import connected
from linage_bot.jobs.cluster_executor import ClusterExecutor
from linage_bot.jobs.executor import ClusterGone, Executor, WorkerLost
from linage_bot.jobs.queue import Job, JobQueue
from linage_bot.match.command import conclude, prepare
from linage_bot.match.openings import Book
from linage_bot.match.pair import Assignment, play
from linage_bot.match.report import TextReport
from linage_bot.match.schedule import Task, missing
from linage_bot.match.store import EventStore
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.match import MatchSettings

_PAIRS_A_WORKER: Final = 3  # those handed out; most of them wait in the queue
_MOST_CRASHES: Final = 5


def run_on_cluster(
    settings: MatchSettings,
    address: str,
    console: Console | None = None,
    accept_changes: bool = False,
    report: str | None = None,
    report_class: type[TextReport] | None = None,
) -> int:
    """Play an event's missing games on a cluster and return the exit status.

    `address` is the scheduler's, such as `tcp://192.168.0.2:8786`, or `local` for a cluster on this
    machine. Blocks; needs no reactor. Raises `SettingFault`.
    """
    prepare(report)
    book = Book.load(settings)
    with closing(EventStore.open(settings, accept_changes, book.digest)) as store:
        lines = (report_class or TextReport)(console or Console(highlight=False), store)
        lines.event_begins(book.games)
        interrupted = False
        if store.over:
            store.begin()  # writes accepted changes
        else:
            with connected(address, settings.concurrency) as client:
                try:
                    _Hub(ClusterExecutor(client), store, book, lines).run()
                except KeyboardInterrupt:
                    interrupted = True
        return conclude(lines, store, interrupted, report)


class _Hub:
    """The distributor of an event's pairs to workers and collector of their records."""

    def __init__(
        self, executor: Executor, store: EventStore, book: Book, lines: TextReport
    ) -> None:
        self._executor = executor
        self._store = store
        self._book = book
        self._lines = lines
        self._under_way: dict[str, Assignment] = {}  # by the pair's name
        self._crashes: Counter[str] = Counter()  # of match processes whose worker lived, by name
        self._ended: SimpleQueue[tuple[str, list[GameRecord] | Exception]] = SimpleQueue()
        self._queue: JobQueue[str, Assignment, list[GameRecord]] = JobQueue(
            executor, self._job, self._queue_result
        )

    def run(self) -> None:
        """Play until no game is missing; cancel the running jobs if anything fails."""
        self._queue.watch()
        try:
            self._try_engines()
            self._store.begin()
            while not self._store.ended_early:
                self._send_pairs()
                if not self._under_way:
                    return
                self._accept(*self._ended.get())
        finally:
            self._queue.stop()

    def _job(self, name: str) -> Job[Assignment, list[GameRecord]]:
        assignment = self._under_way[name]
        return Job(assignment, partial(play, assignment))

    def _queue_result(
        self, name: str, _assignment: Assignment, found: list[GameRecord] | Exception
    ) -> None:
        """Queue a result, on another thread; a pair whose worker was lost is played again."""
        if not isinstance(found, WorkerLost) or isinstance(found, ClusterGone):
            self._ended.put((name, found))

    def _try_engines(self) -> None:
        """Set up every engine on a worker before the first game; raises `SettingFault`."""
        if self._store.records:
            return
        for number, game in enumerate(self._book.games):
            self._submit(f"engines {number}", Assignment(self._store.settings, (), game, ()))
        while self._under_way:
            self._accept(*self._ended.get())

    def _submit(self, name: str, assignment: Assignment) -> None:
        self._under_way[name] = assignment
        self._queue.add(name)

    def _send_pairs(self) -> None:
        workers = len(self._executor.ready(None))
        room = _PAIRS_A_WORKER * max(1, workers) - len(self._under_way)
        if room <= 0:
            return
        playing = {task.key for each in self._under_way.values() for task in each.tasks}
        left = missing(self._store.settings, self._store.records, playing)
        for name, tasks in _by_pair(left):
            if name in self._under_way:
                continue
            opening = tasks[0].key.opening
            assignment = Assignment(
                self._store.settings,
                tasks,
                self._book.game(opening),
                self._book.moves(opening),
            )
            self._submit(name, assignment)
            room -= 1
            if room == 0:
                return

    def _accept(self, name: str, found: list[GameRecord] | Exception) -> None:
        if isinstance(found, Exception):
            self._check_retry(name, found)
            self._queue.add(name)
            return
        del self._under_way[name]
        for record in found:
            if record.key in self._store.records:
                continue
            withdrawn = self._store.append(record)
            self._lines.game_finished(self._store.records[record.key])
            if withdrawn is not None:
                self._lines.engine_withdrawn(withdrawn)

    def _check_retry(self, pair: str, error: Exception) -> None:
        """Return if a pair may be tried again; raises `SettingFault` for a permanent error."""
        if isinstance(error, SettingFault):
            raise SettingFault(error.key, f"on a worker: {error.reason}")
        if isinstance(error, ClusterGone):
            raise SettingFault("--cluster", "the scheduler has stopped or has given up the games")
        if isinstance(error, RuntimeError):
            self._crashes[pair] += 1
            if self._crashes[pair] <= _MOST_CRASHES:
                return
        raise SettingFault("--cluster", f"{type(error).__name__}: {error}")


def _by_pair(tasks: Iterable[Task]) -> Iterator[tuple[str, tuple[Task, ...]]]:
    """Yield the tasks of each opening pair, which are neighbours, with a name for it."""
    pairs = itertools.groupby(tasks, lambda task: (task.key.pairing, task.key.opening))
    for (pairing, opening), games in pairs:
        yield f"{'-'.join(pairing)} {opening}", tuple(games)
