"""An event from its first game to its last: slots that each play one game at a time.

A slot has its own processes of the engines it needs. It takes the next missing game, plays it, and
writes its record to the store before it takes another.
"""

from collections import deque
from typing import Any

import attrs
from twisted.internet.defer import Deferred, DeferredList

from linage_bot.arena.child import EngineFault
from linage_bot.arena.records import GameRecord, Key
from linage_bot.match.contestant import Contestant, contestant
from linage_bot.match.openings import Book
from linage_bot.match.play import MatchGame
from linage_bot.match.report import TextReport
from linage_bot.match.schedule import Task, missing, players
from linage_bot.match.store import EventStore
from linage_bot.settings.checks import SettingFault


@attrs.define(eq=False)
class Event:
    """One event that runs once."""

    _reactor: Any
    _store: EventStore
    _book: Book
    _lines: TextReport
    _queue: deque[Task] = attrs.field(factory=deque, init=False)
    _playing: set[Key] = attrs.field(factory=set, init=False)
    _waiting: list[Deferred[None]] = attrs.field(factory=list, init=False)
    """The events for slots without a game, fired when a game is finished."""
    _contestants: list[Contestant] = attrs.field(factory=list, init=False)
    _stopping: bool = attrs.field(default=False, init=False)

    async def run(self) -> None:
        """Play all missing games; return when no engine is running any more.

        Raises `SettingFault` when an engine cannot be used at all, or the folder no longer.
        """
        for name in self._store.withdrawn:
            self._lines.engine_withdrawn(name)
        if self._store.over:
            self._store.begin()  # writes accepted changes
            return
        self._queue.extend(self._store.missing())
        try:
            first = await self._start_engines()
            if not self._stopping:
                self._store.begin()
        except SettingFault:
            self.stop()
            await self._stop_engines(list(self._contestants))
            raise
        running = [
            Deferred.fromCoroutine(self._slot({} if number else first))
            for number in range(self._store.settings.concurrency)
        ]
        for succeeded, failure in await DeferredList(running, consumeErrors=True):
            if not succeeded:
                raise failure.value  # type: ignore[attr-defined]  # a Failure then

    def stop(self) -> None:
        """Break off: kill the engines; `run` then returns, and no unfinished game is recorded."""
        self._stopping = True
        for engine in self._contestants:
            engine.retire()
        self._notify_waiting()

    async def _start_engines(self) -> dict[int, Contestant]:
        """Try every engine of the remaining games and return those of the first game.

        A failure at this point is a fault in the settings: raises `SettingFault`.
        """
        engines = {}
        for index in players(self._store.settings, self._queue, self._store.withdrawn):
            engine = self._contestant(index)
            try:
                for game in self._book.games:
                    await engine.prepare(game)
                if self._store.settings.pie:
                    engine.check_pie()
            except EngineFault as fault:
                if self._stopping:
                    break
                key = f"engines[{index}].{fault.setting}"
                raise SettingFault(key, fault.reason) from None
            if index in self._queue[0].engines:
                engines[index] = engine
            else:
                await self._stop_engines([engine])
        return engines

    async def _slot(self, engines: dict[int, Contestant]) -> None:
        try:
            while (task := await self._next_task(engines)) is not None:
                leaving = engines.keys() - set(task.engines)
                await self._stop_engines([engines.pop(index) for index in leaving])
                if self._stopping:
                    break
                for index in task.engines:
                    if index not in engines:
                        engines[index] = self._contestant(index)
                opening = task.key.opening
                match_game = MatchGame(
                    task=task,
                    game=self._book.game(opening),
                    sides=(engines[task.engines[0]], engines[task.engines[1]]),
                    opening=self._book.moves(opening),
                    settings=self._store.settings,
                    now=self._reactor.seconds,
                    watch=self._lines.watch(task),
                )
                record = await match_game.play()
                if self._stopping:
                    break
                self._keep(record)
        except BaseException:
            self.stop()  # at once: while engines are dismissed, other slots would play on
            raise
        finally:
            await self._stop_engines(list(engines.values()))

    async def _next_task(self, engines: dict[int, Contestant]) -> Task | None:
        """Return the next missing game, if possible one for the slot's engines; None at the end.

        While the last games of a round are in progress elsewhere, wait for their results.
        """
        while not self._stopping:
            if not self._queue:
                left = missing(self._store.settings, self._store.records, self._playing)
                self._queue.extend(task for task in left if task.key not in self._playing)
            if self._queue:
                seated = (task for task in self._queue if engines.keys() == set(task.engines))
                task = next(seated, self._queue[0])
                self._queue.remove(task)
                self._playing.add(task.key)
                return task
            if not self._playing:
                return None
            change: Deferred[None] = Deferred()
            self._waiting.append(change)
            await change
        return None

    def _keep(self, record: GameRecord) -> None:
        name = self._store.append(record)
        self._playing.discard(record.key)
        self._lines.game_finished(self._store.records[record.key])
        if name is not None:
            self._lines.engine_withdrawn(name)
            self._queue = deque(task for task in self._queue if name not in task.key.pairing)
        if self._store.ended_early:
            self.stop()
        self._notify_waiting()

    def _notify_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for change in waiting:
            change.callback(None)

    def _contestant(self, index: int) -> Contestant:
        added = contestant(self._reactor, self._store.settings, index)
        self._contestants.append(added)
        return added

    async def _stop_engines(self, contestants: list[Contestant]) -> None:
        """Stop all these engines at the same time."""
        await DeferredList(
            [Deferred.fromCoroutine(one.stop(at_once=self._stopping)) for one in contestants],
            consumeErrors=True,
        )
        for one in contestants:
            self._contestants.remove(one)
