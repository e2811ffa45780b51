"""What the server wants of the engine, as jobs that are done one after the other.

Meanwhile the connection may be lost and made again: a job whose game is over is skipped, and a move
that nobody waits for any more is kept by the engine's side until it is asked for again.

When the engine fails in a game it is started anew and set to the position, once; then the game is
resigned for it. See `docs/errors.md`.
"""

import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final

import attrs
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from linage_bot.arena.child import EngineFault
from linage_bot.servers.cgos_client.live import LiveGame
from linage_bot.servers.cgos_client.player import AnnouncedGame, EnginePlayer, WrongGame
from protocol.cgos import GenMove, Play, Setup
from protocol.cgos_player import MoveAnswer

_log = logging.getLogger(__name__)

_FAILURES_FORGIVEN: Final = 1  # of the engine, in one game
_LOG_LINES: Final = 10
Job = Callable[[], Awaitable[None]]


def given_up(game: LiveGame) -> bool:
    """Whether the engine has failed so often that the game is resigned for it."""
    return game.failures > _FAILURES_FORGIVEN


@attrs.define
class Jobs:
    """The jobs of one engine. `give_up(reason, by_user)` is called when it cannot go on."""

    _reactor: Any
    _name: str
    _engine: EnginePlayer
    _give_up: Callable[[str, bool], None]
    _jobs: deque[Job] = attrs.field(factory=deque, init=False)
    _working: bool = attrs.field(default=False, init=False)

    def start(self, rules: AnnouncedGame) -> None:
        """See that the engine runs and can play by these rules."""
        self._do(lambda: self._start(rules))

    def set_up(self, game: LiveGame) -> None:
        """Bring the engine to the position that the game is in now."""
        setup = game.now
        self._do(lambda: self._tell(game, lambda: self._bring(game, setup)))

    def play(self, game: LiveGame, play: Play) -> None:
        """Tell the engine the opponent's move."""

        async def tell() -> None:
            if game.engine_knows:  # else it will hear of all moves when it is asked for one
                await self._engine.play(play)

        self._do(lambda: self._tell(game, tell))

    def think(
        self,
        game: LiveGame,
        genmove: GenMove,
        analyze: bool,
        wanted: Callable[[], bool],
        answer: Callable[[MoveAnswer], None],
    ) -> None:
        """Answer with the engine's move, with its second try's, or by resigning.

        Nothing is answered if the move is not `wanted` any more when it is there.
        """
        asked = self._reactor.seconds()

        async def think() -> None:
            while wanted():
                if given_up(game):
                    _log.warning("%s: game %s: resigning", self._name, game.setup.number)
                    answer(MoveAnswer("resign"))
                    return
                used = round(1000 * (self._reactor.seconds() - asked))
                left = attrs.evolve(genmove, ms_left=genmove.ms_left - used)
                chosen = await self._choose(game, left, analyze)
                if chosen is not None and wanted():
                    answer(chosen)
                    return

        self._do(think)

    def next_game(self, rules: AnnouncedGame, result: str, ready: Callable[[], None]) -> None:
        """Tell the engine the result, and be ready when it is: it may have to be started again."""

        async def next_game() -> None:
            try:
                await self._engine.end(result)
            except EngineFault as fault:
                _log.warning("%s: the engine %s", self._name, fault.reason)
                await self._engine.stop(at_once=True)
            if await self._start(rules):
                ready()

        self._do(next_game)

    def clear(self) -> None:
        """Begin no further job."""
        self._jobs.clear()

    def _do(self, job: Callable[[], Awaitable[object]]) -> None:
        self._jobs.append(job)  # type: ignore[arg-type]  # what a job returns is not looked at
        if not self._working:
            self._working = True
            Deferred.fromCoroutine(self._work()).addErrback(self._failed)

    async def _work(self) -> None:
        try:
            while self._jobs:
                await self._jobs.popleft()()
        except WrongGame as error:
            self._give_up(str(error), True)
        finally:
            self._working = False

    def _failed(self, failure: Failure) -> None:
        """A bug; the others go on."""
        _log.error("%s: %s", self._name, failure.getTraceback())
        self._give_up("an error of our own", False)

    async def _start(self, rules: AnnouncedGame) -> bool:
        try:
            await self._engine.prepare(rules)
        except EngineFault as fault:
            self._give_up(f"the engine cannot be started: {fault.reason}", False)
            return False
        return True

    async def _tell(self, game: LiveGame, telling: Job) -> None:
        if game.over or given_up(game):
            return
        try:
            await telling()
        except EngineFault as fault:
            await self._engine_failed(game, fault)

    async def _bring(self, game: LiveGame, setup: Setup) -> None:
        await self._engine.set_up(setup, game.rules, game.colour)
        game.engine_knows = True

    async def _choose(self, game: LiveGame, genmove: GenMove, analyze: bool) -> MoveAnswer | None:
        """The engine's move; None if it has failed."""
        try:
            if not game.engine_knows:
                await self._bring(game, game.now)
            return await self._engine.choose(genmove, analyze)
        except EngineFault as fault:
            await self._engine_failed(game, fault)
            return None

    async def _engine_failed(self, game: LiveGame, fault: EngineFault) -> None:
        game.engine_knows = False
        if not game.over:  # else it was killed because nobody waited for it
            game.failures += 1
            _log.warning("%s: game %s: the engine %s", self._name, game.setup.number, fault.reason)
            for line in self._engine.log[-_LOG_LINES:]:
                _log.debug("%s: %s", self._name, line)
        await self._engine.stop(at_once=True)
