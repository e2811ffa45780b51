"""One game between two engines: who is asked what, and whose fault it is when something breaks."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime

import attrs
from twisted.internet.defer import Deferred

from linage_bot.game import Game, Move, Player
from linage_bot.match.clocks import Clock
from linage_bot.match.contestant import FAULTS, Contestant, EngineFault
from linage_bot.match.records import FORFEIT, SCORE, GameRecord, Rules
from linage_bot.match.referee import Ending, Referee, Witness, by_claims, forfeit
from linage_bot.match.schedule import Task

Watch = Callable[[Referee | Witness], None]  # told after each move


def _unwatched(_referee: Referee | Witness) -> None:
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
    checked: bool = True  # by our rules
    watch: Watch = _unwatched
    now: Callable[[], float] = time.perf_counter
    _refused: EngineFault | None = None  # of what was told without waiting for the answer

    async def play(self) -> GameRecord:
        """Play the game to its end; an engine's fault ends it, too, and the engine is stopped."""
        started, begun = datetime.now(UTC), self.now()
        judge = Referee if self.checked else Witness
        referee = judge(self.game, self.opening, self.max_moves)
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
                ending = ending if self.checked else by_claims(claims)
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

    async def _prepare(self, player: Player, referee: Referee | Witness) -> None:
        """Set up the board and the opening."""
        try:
            await self.sides[player].prepare(self.game)
            mover = self.game.start().to_move
            for move in referee.moves:
                await self.sides[player].ask("play", mover.letter, move)
                mover = mover.other
        except EngineFault as fault:
            raise _Blamed(player, fault) from None

    async def _moves(self, referee: Referee | Witness, seconds: list[float]) -> Ending:
        """Ask for moves in turn until the game has ended."""
        clocks = [None if side.clock is None else Clock.full(side.clock) for side in self.sides]
        ending = referee.ending()
        while ending is None:
            player = referee.to_move
            clock = clocks[player]
            answer, used = await self._ask_move(player, clock)
            seconds.append(used)
            if clock is not None:
                clocks[player] = clock.after(used)
                if clocks[player] is None:
                    return forfeit(player, f"took {used:.2f} s for a move", on_time=True)
            ending = referee.judge(answer)
            if ending is None:
                self._tell(player.other, "play", player.letter, referee.moves[-1])
            self.watch(referee)
        return ending

    async def _ask_move(self, player: Player, clock: Clock | None) -> tuple[str, float]:
        """The engine's move and how long it took.

        What it was told just before is not yet answered: that spares a round trip. Answers come in
        order, so whatever the engine had against it is known with the move.
        """
        side, limit = self.sides[player], None
        if clock is not None:
            limit = clock.limit_seconds
            if "time_left" in side.commands:
                told = Deferred.fromCoroutine(side.asking(*clock.time_left(player)))
                told.addErrback(lambda _refused: None)
        before = self.now()
        try:
            move = await side.asking("genmove", player.letter, seconds=limit)
        except FAULTS as error:
            fault = self._refused or side.fault(error, "genmove", player.letter)
            raise _Blamed(player, fault) from None
        used = self.now() - before
        if self._refused is not None:
            raise _Blamed(player, self._refused)
        return move, used

    def _tell(self, player: Player, *words: str) -> None:
        """Send a command at once and see later whether it was refused."""
        Deferred.fromCoroutine(self._told(player, *words))

    async def _told(self, player: Player, *words: str) -> None:
        side = self.sides[player]
        try:
            await side.asking(*words)
        except FAULTS as error:
            self._refused = side.fault(error, *words)

    async def _claims(self, referee: Referee | Witness) -> tuple[str | None, str | None]:
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
