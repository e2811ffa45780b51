"""An event on the workers of a Dask cluster: pairs of games go out, records come back.

Each task is the games of one opening pair, known to the cluster by the pair's key. Two to four
tasks a worker are under way. The client alone writes the store; a record is written once, then its
result is dropped. A worker that dies costs its games' time: the cluster gives the pair to another.
Needs the extra `cluster`.
"""

import importlib
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any, Final

import attrs
from rich.console import Console

from linage_bot.engine.cluster import connected
from linage_bot.match.command import conclude, prepare
from linage_bot.match.openings import Book
from linage_bot.match.pair import Assignment, play
from linage_bot.match.report import Lines
from linage_bot.match.schedule import Task, missing
from linage_bot.match.store import EventStore
from linage_bot.settings.checks import SettingFault
from linage_bot.settings.match import MatchSettings

_distributed: Any = importlib.import_module("distributed")  # which does not tell its types

_TASKS_A_WORKER: Final = 3
_MOST_DEATHS: Final = 5


def run_on_cluster(
    settings: MatchSettings,
    address: str,
    console: Console | None = None,
    accept_changes: bool = False,
    report: str | None = None,
    told_by: type[Lines] | None = None,
) -> int:
    """Play an event, or what is missing of it, on a cluster and return the exit status.

    `address` is the scheduler's, such as `tcp://192.168.0.2:8786`, or `local` for a cluster on this
    machine. Blocks; needs no reactor. Raises `SettingFault`.
    """
    prepare(report)
    book = Book.load(settings)
    with closing(EventStore.open(settings, accept_changes, book.digest)) as store:
        lines = (told_by or Lines)(console or Console(highlight=False), store)
        lines.event_begins(book.games)
        interrupted = False
        if store.over:
            store.begin()  # changes that were accepted
        else:
            with connected(address, settings.concurrency) as client:
                try:
                    _Hub(client, store, book, lines).run()
                except KeyboardInterrupt:
                    interrupted = True
        return conclude(lines, store, interrupted, report)


@attrs.define(eq=False)
class _Hub:
    """Hands out pairs and takes in records."""

    _client: Any
    _store: EventStore
    _book: Book
    _lines: Lines
    _under_way: dict[str, tuple[Any, tuple[Task, ...]]] = attrs.field(factory=dict, init=False)
    """By pair: the result to come, and its games."""
    _deaths: Counter[str] = attrs.field(factory=Counter, init=False)
    """Of match processes whose worker lived, by pair."""
    _results: Any = attrs.field(factory=_distributed.as_completed, init=False)

    def run(self) -> None:
        """Play until nothing is missing; cancel what is under way if anything fails."""
        try:
            self._try_engines()
            self._store.begin()
            while not self._store.ended_early:
                self._hand_out()
                if not self._under_way:
                    return
                self._take_in(next(self._results))
        finally:
            self._client.cancel([future for future, _ in self._under_way.values()], force=True)

    def _try_engines(self) -> None:
        """Have workers set up every engine before the first game; raises `SettingFault`."""
        if self._store.records:
            return
        for number, game in enumerate(self._book.games):
            assignment = Assignment(self._store.settings, (), game, ())
            self._submit(f"linage-match-{self._event}-engines-{number}", assignment)
        while self._under_way:
            self._take_in(next(self._results))

    @property
    def _event(self) -> str:
        """What tells the event from others in the cluster's names."""
        return self._store.settings.fingerprint(self._book.digest)[:12]

    def _submit(self, name: str, assignment: Assignment) -> None:
        future = self._client.submit(play, assignment, key=name, pure=False)
        self._under_way[name] = (future, assignment.tasks)
        self._results.add(future)

    def _hand_out(self) -> None:
        workers = len(self._client.nthreads())
        room = _TASKS_A_WORKER * max(1, workers) - len(self._under_way)
        if room <= 0:
            return
        playing = {task.key for _, tasks in self._under_way.values() for task in tasks}
        left = missing(self._store.settings, self._store.records, playing)
        for name, tasks in _by_pair(self._event, left):
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

    def _take_in(self, future: Any) -> None:
        if future.status != "finished":
            if future.status == "error":
                self._excuse(future.key, future.exception())
                future.retry()
            elif future.status == "cancelled":
                raise SettingFault("--cluster", "the scheduler has gone or gave up the games")
            # Else the worker died that had the result; another plays the games again.
            self._results.add(future)
            return
        del self._under_way[future.key]
        for record in future.result():
            if record.key in self._store.records:
                continue
            withdrawn = self._store.append(record)
            self._lines.game_finished(self._store.records[record.key])
            if withdrawn is not None:
                self._lines.engine_withdrawn(withdrawn)
        future.release()

    def _excuse(self, pair: str, error: BaseException) -> None:
        """Return if a pair may be tried again; raises `SettingFault` for what would not help."""
        if isinstance(error, SettingFault):
            raise SettingFault(error.key, f"on a worker: {error.reason}")
        if type(error).__name__ == "KilledWorker":
            return  # its workers died; that is not the games' fault
        if isinstance(error, RuntimeError):
            self._deaths[pair] += 1
            if self._deaths[pair] <= _MOST_DEATHS:
                return
        raise SettingFault("--cluster", f"{type(error).__name__}: {error}")


def _by_pair(event: str, tasks: Iterable[Task]) -> Iterator[tuple[str, tuple[Task, ...]]]:
    """The tasks of each opening pair, which are neighbours, with the cluster's name for it."""
    pairs = itertools.groupby(tasks, lambda task: (task.key.pairing, task.key.opening))
    for (pairing, opening), games in pairs:
        yield f"linage-match-{event}-{'-'.join(pairing)}-{opening}", tuple(games)
