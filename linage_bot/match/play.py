"""One game between two engines: who is asked what, and whose fault it is when something breaks."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

import attrs
from twisted.internet.defer import Deferred

from linage_bot.game import Game, Move, Player
from linage_bot.match.clocks import Clock
from linage_bot.match.contestant import Contestant, EngineFault
from linage_bot.match.records import FORFEIT, SCORE, GameRecord, Rules
from linage_bot.match.referee import Ending, Referee, forfeit
from linage_bot.match.schedule import Task

Watch = Callable[[Referee], None]  # told after each move


def _unwatched(_referee: Referee) -> None:
    """Nobody looks on."""


class _Blamed(Exception):
    """A fault and whose it is."""

    def __init__(self, player: Player, fault: EngineFault) -> None:
        super().__init__(fault.reason)
        self.player = player
        self.fault = fault


@attrs.define
class Table:
    """Two engines sitting at one game."""

    task: Task
    game: Game
    sides: tuple[Contestant, Contestant]  # First's and Second's
    opening: tuple[Move, ...] = ()
    max_moves: int | None = None
    watch: Watch = _unwatched
    now: Callable[[], float] = time.perf_counter

    async def play(self) -> GameRecord:
        """Play the game to its end; an engine's fault ends it, too, and the engine is stopped."""
        started, begun = datetime.now(UTC), self.now()
        referee = Referee(self.game, self.opening, self.max_moves)
        seconds: list[float] = []
        claims: tuple[str | None, str | None] = (None, None)
        log: tuple[str, ...] = ()
        loser: Player | None = None
        try:
            for player in Player:
                await self._prepare(player, referee)
            ending = await self._moves(referee, seconds)
            if ending.how == FORFEIT:
                loser = referee.to_move
            elif ending.how == SCORE:
                claims = await self._claims(referee)
        except _Blamed as blamed:
            loser = blamed.player
            ending = forfeit(loser, blamed.fault.reason, blamed.fault.timed_out)
        if loser is not None:
            log = self.sides[loser].log
            await self.sides[loser].stop(at_once=True)
        return GameRecord(
            key=self.task.key,
            number=self.task.number,
            players=(self.sides[0].name, self.sides[1].name),
            rules=Rules.of(self.game),
            moves=tuple(referee.moves),
            result=ending.result,
            winner=None if ending.winner is None else int(ending.winner),
            ending=ending.how,
            reason=ending.reason,
            opening_moves=len(self.opening),
            seconds=tuple(round(used, 6) for used in seconds),
            claims=claims,
            log=log,
            started=started.isoformat(timespec="seconds"),
            duration_seconds=round(self.now() - begun, 6),
        )

    async def _prepare(self, player: Player, referee: Referee) -> None:
        """Set up the board and the opening."""
        try:
            await self.sides[player].prepare(self.game)
            mover = self.game.start().to_move
            for move in referee.moves:
                await self.sides[player].ask("play", mover.letter, move)
                mover = mover.other
        except EngineFault as fault:
            raise _Blamed(player, fault) from None

    async def _moves(self, referee: Referee, seconds: list[float]) -> Ending:
        """Ask for moves in turn until the game has ended."""
        clocks = [None if side.clock is None else Clock.full(side.clock) for side in self.sides]
        told: Deferred[str] | None = None
        ending = referee.ending()
        while ending is None:
            player = referee.to_move
            clock = clocks[player]
            answer, used = await self._ask_move(player, clock, told)
            seconds.append(used)
            if clock is not None:
                clocks[player] = clock.after(used)
                if clocks[player] is None:
                    return forfeit(player, f"took {used:.2f} s for a move", on_time=True)
            ending = referee.judge(answer)
            if ending is None:
                told = self._send(player.other, "play", player.letter, referee.moves[-1])
            self.watch(referee)
        return ending

    async def _ask_move(
        self, player: Player, clock: Clock | None, told: Deferred[str] | None
    ) -> tuple[str, float]:
        """The engine's move and how long it took; `told` is what it was just told.

        All is sent before the first answer is awaited, which spares a round trip; answers come in
        order, so the move is the last of them.
        """
        if clock is not None and "time_left" in self.sides[player].commands:
            _ignore(self._send(player, *clock.time_left(player)))
        before = self.now()
        limit = None if clock is None else clock.limit_seconds
        answer = self._send(player, "genmove", player.letter, seconds=limit)
        try:
            if told is not None:
                await told
            move = await answer
        except EngineFault as fault:
            _ignore(answer)  # if it is still to come
            raise _Blamed(player, fault) from None
        return move, self.now() - before

    def _send(self, player: Player, *words: str, seconds: float | None = None) -> Deferred[str]:
        """Ask at once; the answer can be awaited later."""
        return Deferred.fromCoroutine(self.sides[player].ask(*words, seconds=seconds))

    async def _claims(self, referee: Referee) -> tuple[str | None, str | None]:
        """What the engines themselves say of the final position.

        The game is over: whatever goes wrong now changes nothing about it.
        """
        claims: list[str | None] = []
        for player in Player:
            side, claim = self.sides[player], None
            try:
                if player is referee.to_move and referee.moves:
                    await side.ask("play", player.other.letter, referee.moves[-1])
                if "final_score" in side.commands:
                    claim = (await side.ask("final_score")).strip() or None
            except EngineFault as fault:
                if fault.timed_out:
                    await side.stop(at_once=True)
            claims.append(claim)
        return claims[0], claims[1]


def _ignore(answer: Deferred[str]) -> None:
    """Take what comes, a fault too: it shows again in the next answer."""
    answer.addErrback(lambda _fault: "")
