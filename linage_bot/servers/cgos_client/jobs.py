"""The server's requests to the engine, as jobs that run one after the other.

The connection may be lost and made again during a job. A job whose game is over is skipped, and a
move that is no longer wanted is stored by `EnginePlayer` until the server requests it again.

When the engine first fails in a game it is restarted and set to the position; after a second
failure the game is resigned for it. See `docs/errors.md`.
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

import attrs
from twisted.internet.defer import Deferred, DeferredLock
from twisted.python.failure import Failure

from linage_bot.arena.child import EngineFault
from linage_bot.servers.cgos_client.live import LiveGame
from linage_bot.servers.cgos_client.player import EnginePlayer, WrongGame
from protocol.cgos.player import MoveAnswer
from protocol.cgos.server import GenMove, ProtocolQuery

_log = logging.getLogger(__name__)

_LOG_LINES: Final = 10


@attrs.define
class Jobs:
    """The jobs of one engine. `give_up(reason, by_user)` is called when it cannot continue."""

    _reactor: Any
    _name: str
    _engine: EnginePlayer
    _give_up: Callable[[str, bool], None]
    _lock: DeferredLock = attrs.field(factory=DeferredLock, init=False)
    _ended: bool = attrs.field(default=False, init=False)

    def start(self, rules: ProtocolQuery, ready: Callable[[], None]) -> None:
        """Start the engine for these rules; `ready` is called when it can play at once."""
        self._do(self._start, rules, ready)

    def set_up(self, game: LiveGame) -> None:
        """Send the engine the part of the game that it does not know."""
        self._do(self._set_up, game)

    def think(
        self,
        game: LiveGame,
        genmove: GenMove,
        analyze: bool,
        wanted: Callable[[], bool],
        answer: Callable[[MoveAnswer], None],
    ) -> None:
        """Call `answer` with the engine's move, with its second try's, or with a resignation.

        Skip the answer if the move is not `wanted` any more when it is ready.
        """
        asked = self._reactor.seconds()

        async def think() -> None:
            while wanted():
                if game.given_up:
                    _log.warning("%s: game %s: resigning", self._name, game.setup.number)
                    answer(MoveAnswer("resign"))
                    return
                used = round(1000 * (self._reactor.seconds() - asked))
                left = attrs.evolve(genmove, ms_left=genmove.ms_left - used)
                try:
                    chosen = await self._engine.choose(game, left, analyze)
                except EngineFault as fault:
                    await self._failed_in(game, fault)
                    continue
                if wanted():
                    answer(chosen)
                return

        self._do(think)

    def next_game(self, rules: ProtocolQuery, result: str, ready: Callable[[], None]) -> None:
        """Send the engine the result, restart it if necessary, and call `ready`."""

        async def next_game() -> None:
            await self._end_game(result)
            if not self._ended:  # leaving cuts the engine off, which looks like its fault
                await self._start(rules, ready)

        self._do(next_game)

    def last_game(self, result: str, ended: Callable[[], None]) -> None:
        """Send the engine the result; call `ended` when it has replied or failed."""

        async def last_game() -> None:
            await self._end_game(result)
            ended()

        self._do(last_game)

    def end(self) -> None:
        """Skip all further jobs."""
        self._ended = True

    def _do(self, job: Callable[..., Awaitable[object]], *arguments: object) -> None:
        async def work() -> None:
            async with self._lock:
                if not self._ended:
                    await job(*arguments)

        Deferred.fromCoroutine(work()).addErrback(self._broken)

    def _broken(self, failure: Failure) -> None:
        if failure.check(WrongGame):
            self._give_up(failure.getErrorMessage(), True)
        else:  # a bug; the other participants continue
            _log.error("%s: %s", self._name, failure.getTraceback())
            self._give_up("an internal error", False)

    async def _start(self, rules: ProtocolQuery, ready: Callable[[], None]) -> None:
        try:
            await self._engine.prepare(rules)
            await self._engine.compile(rules)
        except EngineFault as fault:
            self._give_up(f"the engine cannot be started: {fault.reason}", False)
        else:
            ready()

    async def _set_up(self, game: LiveGame) -> None:
        if not game.over and not game.given_up:
            try:
                await self._engine.set_up(game)
            except EngineFault as fault:
                await self._failed_in(game, fault)

    async def _end_game(self, result: str) -> None:
        try:
            await self._engine.end(result)
        except EngineFault as fault:
            _log.warning("%s: the engine %s", self._name, fault.reason)
            await self._engine.stop(at_once=True)

    async def _failed_in(self, game: LiveGame, fault: EngineFault) -> None:
        if not game.over:  # else it was killed because its move was not needed
            game.failures += 1
            _log.warning("%s: game %s: the engine %s", self._name, game.setup.number, fault.reason)
            for line in self._engine.log[-_LOG_LINES:]:
                _log.debug("%s: %s", self._name, line)
        await self._engine.stop(at_once=True)
