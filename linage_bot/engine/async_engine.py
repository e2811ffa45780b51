"""An engine for programs that use asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from typing import Self, Unpack

from linage_bot.engine.analysis import Analysis
from linage_bot.engine.async_calls import AsyncCalls
from linage_bot.engine.decision import Decision
from linage_bot.engine.engine import Engine
from linage_bot.engine.jit.progress import CompileProgress, OnCompile
from linage_bot.engine.limits import Limits
from linage_bot.engine.solver.proven_values import ProvenValues
from linage_bot.rules.game import Move, Position
from linage_bot.rules.history import History
from linage_bot.settings.playing import PlayChanges, PlaySettings


class AsyncEngine:
    """An `Engine` whose searches run on threads, so that the event loop is never blocked.

    Calls are answered one after the other, in their order. Cancelling the task that waits for a
    call stops its search, and returns when the engine is free again.
    """

    def __init__(
        self,
        settings: PlaySettings | None = None,
        *,
        on_compile: OnCompile | None = None,
        **changes: Unpack[PlayChanges],
    ) -> None:
        """Create an engine with the arguments of `Engine`.

        `on_compile` is called on the thread of the event loop.
        """
        report = None if on_compile is None else self._report
        self._on_compile = on_compile
        self._engine = Engine(settings, on_compile=report, **changes)
        self._calls = AsyncCalls()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        self.close()

    @property
    def settings(self) -> PlaySettings:
        """The settings."""
        return self._engine.settings

    def close(self) -> None:
        """Stop the running search, and discard the tree and the proofs; later calls raise."""
        self._engine.close()
        self._calls.stop()

    async def play(
        self,
        history: History | Position,
        limits: Limits | None = None,
        *,
        may_resign: bool = True,
        moves: Iterable[Move | str] | None = None,
    ) -> Decision:
        """Return the move to play, as `Engine.play`."""
        return await self._calls.run(
            lambda stopped: self._engine.play(
                history, limits, stopped, may_resign=may_resign, moves=moves
            )
        )

    async def analyse(
        self,
        history: History | Position,
        limits: Limits | None = None,
        *,
        moves: Iterable[Move | str] | None = None,
        proofs: bool = True,
    ) -> Analysis:
        """Return the analysis of a position, as `Engine.analyse`."""
        return await self._calls.run(
            lambda stopped: self._engine.analyse(
                history, limits, stopped, moves=moves, proofs=proofs
            )
        )

    async def prove(self, position: Position | History, seconds: float) -> ProvenValues | None:
        """Return a position's proven values, as `Engine.prove`."""
        return await self._calls.run(lambda stopped: self._engine.prove(position, seconds, stopped))

    def analysis(
        self,
        history: History | Position,
        *,
        interval_seconds: float = 1.0,
        visits: int | None = None,
        proofs: bool = True,
    ) -> AsyncIterator[Analysis]:
        """Yield analyses of the position from longer and longer searches, as `Engine.analysis`.

        The search pauses while the caller works on an analysis.
        """
        return self._calls.iterate(
            lambda stopped: self._engine.analysis(
                history,
                interval_seconds=interval_seconds,
                visits=visits,
                proofs=proofs,
                stopped=stopped,
            )
        )

    def _report(self, progress: CompileProgress) -> None:
        assert self._calls.loop is not None  # a call is running
        assert self._on_compile is not None
        self._calls.loop.call_soon_threadsafe(self._on_compile, progress)
