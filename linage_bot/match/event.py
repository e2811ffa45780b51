"""An event from its first game to its last: slots that each play one game at a time.

A slot has its own processes of the engines it needs. It takes the next game that is missing, plays
it, and brings its record to the store before it takes another.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Protocol

from twisted.internet.defer import Deferred, DeferredList

from linage_bot.match.contestant import Contestant, EngineFault
from linage_bot.match.play import Table
from linage_bot.match.records import GameRecord
from linage_bot.match.schedule import Task, missing
from linage_bot.match.settings import MatchSettings, SettingFault
from linage_bot.match.standings import failures_in_succession
from linage_bot.match.store import Store


class Spectator(Protocol):
    """Who is shown the event."""

    def game_finished(self, record: GameRecord) -> None:
        """See a game that was just recorded."""

    def engine_withdrawn(self, name: str, failures: int) -> None:
        """Learn that an engine plays no more because it failed too often."""


class Event:
    """One event that runs once."""

    def __init__(
        self, reactor: Any, settings: MatchSettings, store: Store, spectator: Spectator
    ) -> None:
        self.settings = settings
        self.game = settings.game.configure()
        self._reactor = reactor
        self._store = store
        self._spectator = spectator
        self._tasks: deque[Task] = deque(missing(settings, store.records))
        self._contestants: list[Contestant] = []
        self._withdrawn: set[str] = set()
        self._stopping = False

    async def run(self) -> None:
        """Play all games that are missing; return when no engine runs any more.

        Raises `SettingFault` when an engine cannot be used at all, or the folder no longer.
        """
        self._withdraw_failing()
        slots = min(self.settings.concurrency, len(self._tasks))
        if not slots:
            return
        try:
            first = await self._sit_down(self._tasks[0])
        except SettingFault:
            self.stop()
            await self._dismiss(self._contestants)
            raise
        running = [
            Deferred.fromCoroutine(self._slot({} if number else first)) for number in range(slots)
        ]
        for slot in running:
            slot.addErrback(self._slot_failed)
        for succeeded, failure in await DeferredList(running, consumeErrors=True):
            if not succeeded:
                raise failure.value  # type: ignore[attr-defined]  # a Failure then

    def stop(self) -> None:
        """Break off: kill the engines; `run` then returns, and no unfinished game is recorded."""
        self._stopping = True
        for contestant in self._contestants:
            contestant.retire()

    async def _sit_down(self, task: Task) -> dict[int, Contestant]:
        """Start the engines of the first game: what fails now is a fault in the settings."""
        engines = {}
        for index in sorted(task.engines):
            engines[index] = contestant = self._contestant(index)
            try:
                await contestant.prepare(self.game)
            except EngineFault as fault:
                if self._stopping:
                    break
                key = f"engines[{index}]."
                key += "command" if fault.start_command is None else "start_commands"
                if fault.start_command is not None:
                    key += f"[{fault.start_command}]"
                raise SettingFault(key, fault.reason) from None
        return engines

    async def _slot(self, engines: dict[int, Contestant]) -> None:
        try:
            while self._tasks and not self._stopping:
                task = self._tasks.popleft()
                for index in engines.keys() - set(task.engines):
                    await engines.pop(index).stop()
                for index in task.engines:
                    if index not in engines:
                        engines[index] = self._contestant(index)
                sides = (engines[task.engines[0]], engines[task.engines[1]])
                record = await Table(task, self.game, sides, self.settings.max_moves).play()
                if self._stopping:
                    break
                self._keep(record)
        finally:
            await self._dismiss(list(engines.values()))

    def _keep(self, record: GameRecord) -> None:
        try:
            self._store.append(record)
        except OSError as error:
            raise SettingFault("out", f"{self._store.folder}: {error.strerror}") from None
        self._spectator.game_finished(record)
        self._withdraw_failing()

    def _withdraw_failing(self) -> None:
        for name in self.settings.names:
            if name in self._withdrawn:
                continue
            failures = failures_in_succession(name, self._store.records.values())
            if failures >= self.settings.max_failures:
                self._withdrawn.add(name)
                left = [task for task in self._tasks if name not in task.key.pairing]
                if len(left) < len(self._tasks):
                    self._spectator.engine_withdrawn(name, failures)
                self._tasks = deque(left)

    def _contestant(self, index: int) -> Contestant:
        contestant = Contestant(self._reactor, self.settings, index)
        self._contestants.append(contestant)
        return contestant

    async def _dismiss(self, contestants: list[Contestant]) -> None:
        """End engines; all of them at the same time."""
        await DeferredList(
            [Deferred.fromCoroutine(one.stop(at_once=self._stopping)) for one in contestants],
            consumeErrors=True,
        )

    def _slot_failed(self, failure: Any) -> Any:
        """One slot's failure ends the event; the others need not go on."""
        self.stop()
        return failure
