"""Engines of others for programs that use asyncio."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import AsyncIterator, Callable, Mapping
from typing import ParamSpec, Self, TypeVar

from linage_bot.arena.player import ExternalPlayer, OptionValue
from linage_bot.engine.analysis import Analysis
from linage_bot.engine.async_calls import AsyncCalls
from linage_bot.engine.calls import EngineClosed
from linage_bot.engine.limits import Limits
from linage_bot.rules.game import Position
from linage_bot.rules.history import History

P = ParamSpec("P")
T = TypeVar("T")


class AsyncPlayer:
    """A `GtpPlayer` or `UgiPlayer` whose calls run on threads, and never block the event loop.

    Calls are answered one after the other, in their order; the first one, or the start of an `async
    with` block, starts the engine. Cancelling the task that waits for `play`, `analyse` or the next
    update of `analysis` stops the search, and returns when the engine is free again. Other calls
    end by themselves, or after `timeout_seconds`.
    """

    def __init__(
        self, kind: Callable[P, ExternalPlayer], /, *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Create it with a class, such as `GtpPlayer`, and the arguments for that class."""
        self._start = functools.partial(kind, *args, **kwargs)
        self._player: ExternalPlayer | None = None  # until the first call
        self._closed = False
        self._calls = AsyncCalls()

    async def __aenter__(self) -> Self:
        await self._call(lambda _player, _stopped: None)
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self.close()

    @property
    def transcript(self) -> tuple[str, ...]:
        """The last lines of the conversation, as of the player."""
        return () if self._player is None else self._player.transcript

    async def name(self) -> str:
        """Return the engine's own name."""
        return await self._call(lambda player, _stopped: player.name)

    async def options(self) -> Mapping[str, str]:
        """Return the values of the engine's options by name."""
        return await self._call(lambda player, _stopped: player.options)

    async def configure(self, options: Mapping[str, OptionValue]) -> None:
        """Set options of the engine, by name, as `ExternalPlayer.configure`."""
        await self._call(lambda player, _stopped: player.configure(options))

    async def ask(self, name: str, *arguments: str) -> str:
        """Return the answer to any command, as `ExternalPlayer.ask`."""
        return await self._call(lambda player, _stopped: player.ask(name, *arguments))

    async def play(self, history: History | Position, limits: Limits | None = None) -> str | None:
        """Return the engine's move, as `ExternalPlayer.play`."""
        return await self._call(lambda player, stopped: player.play(history, limits, stopped))

    async def analyse(self, history: History | Position, limits: Limits | None = None) -> Analysis:
        """Return the engine's analysis of a position, as `ExternalPlayer.analyse`."""
        return await self._call(lambda player, stopped: player.analyse(history, limits, stopped))

    def analysis(
        self,
        history: History | Position,
        *,
        interval_seconds: float = 1.0,
        visits: int | None = None,
    ) -> AsyncIterator[Analysis]:
        """Yield analyses of the position, as `ExternalPlayer.analysis`."""
        return self._calls.iterate(
            lambda stopped: self._started().analysis(
                history, interval_seconds=interval_seconds, visits=visits, stopped=stopped
            )
        )

    async def close(self) -> None:
        """End the engine, which ends a running call, too; later calls raise `EngineClosed`."""
        self._closed = True
        if self._player is not None:
            await asyncio.to_thread(self._player.close)

    async def _call(self, call: Callable[[ExternalPlayer, threading.Event], T]) -> T:
        return await self._calls.run(lambda stopped: call(self._started(), stopped))

    def _started(self) -> ExternalPlayer:
        """Return the player, which the first call creates."""
        if self._closed:
            raise EngineClosed
        if self._player is None:
            self._player = self._start()
            if self._closed:  # in the meantime
                self._player.close()
                raise EngineClosed
        return self._player
