"""Calls that block, made on threads for programs that use asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from typing import TypeVar

T = TypeVar("T")


class AsyncCalls:
    """The calls of one object, which run one after the other, each with an event that stops it."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None  # of the running call
        self._turn = asyncio.Lock()
        self._stopped = threading.Event()  # for the running call

    def stop(self) -> None:
        """Stop the running call."""
        self._stopped.set()

    async def run(
        self, call: Callable[[threading.Event], T], stopped: threading.Event | None = None
    ) -> T:
        """Return the result of a call on a thread; set its event if this is cancelled."""
        async with self._turn:
            self.loop = asyncio.get_running_loop()
            self._stopped = stopped = stopped or threading.Event()
            # Not a task: the end of `asyncio.run` cancels all tasks, but the thread would go on.
            running = self.loop.run_in_executor(None, call, stopped)
            try:
                return await asyncio.shield(running)
            except asyncio.CancelledError:
                stopped.set()
                while not running.done():
                    with contextlib.suppress(asyncio.CancelledError):
                        await asyncio.wait([running])
                running.exception()  # retrieved, or asyncio would log it
                raise

    async def iterate(self, start: Callable[[threading.Event], Iterator[T]]) -> AsyncIterator[T]:
        """Yield the values of an iterator that a call returns; other calls may run in between."""
        stopped = threading.Event()
        values = await self.run(start, stopped)
        try:
            while (
                value := await self.run(lambda _stopped: next(values, None), stopped)
            ) is not None:
                yield value
        finally:
            if isinstance(values, Generator):
                await self.run(lambda _stopped: values.close())
